import { testMarked } from "../testdata/marked_source.ts";

testMarked("flow", {
  "what is lost before the program ends": `
    function main() {
      const port = client.open(1);
      port.send(); //! unconsumed-port
      return 0;
    }
    Deno.exit(main());`,
  "a closure that lends a port to who calls it": `
    const put = (port: Lent<PartialPort<true>>) => port.use(fill);
    declare function measure<T>(body: () => T): T;
    Deno.test("a call", async (t) => {
      const port = client.open(1); //! unconsumed-port
      await t.step("fill", () => put(port));
    });
    export function go() {
      const port = client.open(1); //! unconsumed-port
      measure(() => put(port));
    }`,
  "a parity is one of two": `
    export function bySwitch() {
      const port = client.open(1);
      switch (port.inbox) {
        case 0: port.close(); return "low";
        case 1: port.send().close(); return "high";
      }
    }
    export function byIf() {
      const port = client.open(1);
      if (port.inbox === 0) port.close();
      else if (port.inbox === 1) port.send().close();
    }`,
  "a timer that asks again": `
    function step(waiting: PartialPort<false>): void {
      const look = waiting.query();
      if (look.arrived) return look.value.close();
      setTimeout(() => step(look.value), 1);
    }
    step(client.open(1).send());`,
  "a signal that throws, and a return behind a borrower": `
    export async function call(signal: AbortSignal) {
      const port = await client.openAsync(1, { signal }); //! unconsumed-port
      signal.throwIfAborted();
      port.send().close();
    }
    export function store(value: number) {
      const port = client.open(1); //! unconsumed-port
      (function put(one: Lent<PartialPort<true>>) { one.use(fill); })(port);
      if (value > 3) return;
      port.close();
    }`,
  "a result belongs to whoever called": `
    export async function a() { return { ports: [client.open(1)] }; }
    export function* b() { yield client.open(1); }
    export const c = (port: OwnedPort<0>) => new Map([[port.index, port]]);
    export const d = (): void => { client.open(1); }; //! unconsumed-port`,
  "a result that is over": `
    export function a() { const port = client.open(1); port.close(); return port; } //! double-move
    export async function b() { const port = client.open(1); port.close(); return { port }; } //! double-move
    export function c() { using port = client.open(1); return [port]; } //! use-after-move
    export function d() { using port = client.open(1); return () => port.use(fill); } //! use-after-move
    export function e() { using port = client.open(1); return port.index; }`,
  "an exception that leaves": `
    export async function a() {
      const port = client.open(1); //! unconsumed-port
      await pause();
      throw new Error("bad");
    }`,
  "a port that comes owned may be a handler's": `
    export const handler: TypedHandler = (port) => { if (bad) throw new RangeError("bad"); port.close(); };
    export function a(port: PartialPort<true>) { if (bad) throw new Error("bad"); port.close(); }
    export function b(port: PartialPort<false>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port
    export function c(port: SentPort<0>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port`,
  "ports behind several unusual decisions": `
    export function f(a: boolean, b: boolean, c: boolean, d: boolean) {
      if (a) return;
      if (b) return;
      if (c) return;
      const port = client.open(1); //! unconsumed-port
      if (d) port.close();
    }`,
  "rests and defaults": `
    function f(...ports: PartialPort<true>[]) { for (const port of ports) port.close(); }
    function g({ port = client.open(1), list: [first] = [] } = {}, ...others) { port.close(); }
    function h(port = client.open(2)) { port.use(fill); } //! unconsumed-port
    f(client.open(1), client.open(2));
    g();
    h();`,
  "a guard only answers": `
    function isOwned(port: PartialPort<true>): port is OwnedPort<0> { return port.inbox === port.outbox; }
    function assertOwned(port: PartialPort<boolean>): asserts port is OwnedPort<0> {}`,
  "this": `
    function end(this: PartialPort<true>, other: PartialPort<true>) { this.close(); other.close(); }
    const port = client.open(1), other = client.open(2);
    end.call(port, client.open(3));
    port.use(fill); //! use-after-move
    function finish(this: { n: number }, port: PartialPort<true>): void { port.close(); }
    ({ n: 1, finish }).finish(other);
    other.close(); //! double-move`,
  "with several types, or another name": `
    function end(port: OwnedPort<0>): void;
    function end(port: OwnedPort<1>): void;
    function end(port: { close(): void }): void { port.close(); }
    const port = client.open(1), finish = end;
    end(port as OwnedPort<0>);
    finish(port); //! double-move`,
  "immediate": `
    const port = client.open(1);
    (function () { if (ready) return; work(); })();
    (() => { port.close(); })();
    port.close(); //! double-move`,
  "ordinary code": `
    const file = fs.open("x");
    file.send(1);
    file.send(2);
    for (const x of [1, 2].map((x) => x + 1)) console.log(x, file);`,
  "a field that is consumed gets the next port, or nothing": `
    class Line {
      #port = client.open(1);
      #last: PartialPort<true> | undefined;
      post() { this.#port = this.#port.send().recv(); }
      take() { const port = this.#last; this.#last = undefined; return port; }
      flush() { this.#port.send().close(); } //! double-move
      disconnect() { this.#port.close(); this.#last?.close(); }
    }`,
  "a method that others of the class call is no end": `
    class Line {
      #port: PartialPort<true> | undefined;
      open() { this.#port ??= client.open(1); }
      stop() { this.#port?.close(); } //! double-move
      restart() { this.stop(); this.open(); }
    }`,
  "a list in a field is emptied when its ports are consumed": `
    class Lines {
      #ports = new Map<string, PartialPort<true>>();
      #sent: PartialPort<false>[] = [];
      reset() { for (const port of this.#ports.values()) port.close(); } //! double-move
      clear() { for (const port of this.#ports.values()) port.close(); this.#ports.clear(); }
      flush() { for (const sent of this.#sent.splice(0)) sent.close(); }
      close() { for (const sent of this.#sent) sent.close(); }
    }`,
  "a parameter takes its port, whatever is in a pattern": `
    interface Job { readonly port: PartialPort<true>; readonly id: number }
    const label = ({ port, id }: Job) => \`\${id} \${port.index}\`;
    const finish = ({ port }: Job) => port.close();
    const half = ({ up }: { up: PartialPort<true>; down: PartialPort<true> }) => up.close();
    function look(port: PartialPort<true>) { return port.index; } //! unconsumed-port
    function run(job: Job) { label(job); finish(job); }`,
});
