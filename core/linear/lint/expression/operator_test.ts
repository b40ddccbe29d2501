import { testMarked } from "../testdata/marked_source.ts";

testMarked("operator", {
  "a port or nothing": `
    const port = a ? client.open(1) : undefined;
    if (port instanceof Object) port.close();`,
  "compared with an answer": `
    const maybe = client.tryOpen(1);
    if (false !== maybe.present) maybe.value.close();`,
  "the same question has the same answer": `
    function f(count: number, limit: number, port: OwnedPort<0>, other: OwnedPort<0>) { //! unconsumed-port
      if (count < limit) port.close();
      if (count >= limit) port.send().close();
      if (count < limit || limit < count) other.close();
    }
    function g(count: number, port: OwnedPort<0>) {
      if (count < 7) port.close();
      if (count > 7) port.close();
      if (count === 7) port.close();
    }`,
  "what a value was found equal to": `
    function f(mode: string) {
      const port = client.open(1);
      if (mode === "a") work();
      if (mode + "b" === "ab") port.close();
      else if (mode !== "a") port.close();
    }`,
  "what is known is computed": `
    const port = client.open(1);
    let count = 0;
    count += 2 ** 3 % 5;
    if ((count << 1 | 1) === 7 && count / 2 === 1.5 && "a" + count === "a3") port.close();
    const other = client.open(2); //! unconsumed-port
    if (count > 3) other.close();
    const third = client.open(3);
    if (1n + 1n === 2n) third.close();`,
  "a length is never negative": `
    function f(text: string, port: OwnedPort<0>) {
      if (text.length === 0) port.close();
      if (text.length > 0) port.close();
    }`,
  "in": `
    const calls: { port?: PartialPort<true> } = { port: client.open(1) };
    if ("port" in calls) calls.port.close();
    const port = client.open(2);
    if ("port" in {}) port.use(fill); else port.close();`,
  "an object of a class": `
    class Base { readonly port = client.open(1); }
    class Call extends Base {}
    class Other {}
    const call: Base | Other = new Call();
    if (call instanceof Base) call.port.close();
    if (call instanceof Other) call.port.close();`,
  "code from elsewhere throws no class of the program": `
    class Refused extends Error {}
    const port = client.open(1);
    try { elsewhere(); } catch (error) { if (error instanceof Refused) port.close(); }
    port.close();`,
  "a mask that is kept is not understood, one that is looked at is": `
    export class Slots {
      readonly #slots: (OwnedPort<0> | undefined)[] = [];
      #mask = 0;
      put(port: OwnedPort<0>) {
        for (let slot = 0; slot < 2; slot++) {
          if (this.#mask & (1 << slot)) continue;
          this.#mask |= 1 << slot;
          return void (this.#slots[slot] = port);
        }
        port.close();
      }
      free(mask: number) {
        const wanted = this.#mask & mask;
        for (let slot = 0; slot < 2; slot++) {
          if (!(wanted & (1 << slot))) continue;
          this.#slots[slot]?.close();
          this.#slots[slot] = undefined;
        }
        this.#mask &= ~wanted;
      }
    }
    export function flagged(flags: number) {
      const port = client.open(1); //! unconsumed-port
      if ((flags >> 3) & 1) port.close();
    }`,
});
