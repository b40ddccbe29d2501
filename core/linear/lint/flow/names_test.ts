import { testMarked } from "../testdata/marked_source.ts";

testMarked("names", {
  "what a stack closes is nobody else's, also in a list": `
    using stack = new DisposableStack();
    const ports = [1, 2].map((opcode) => stack.use(client.open(opcode)));
    const others: PartialPort<true>[] = [];
    others.push(stack.use(client.open(3)));
    for (const port of [...ports, ...others]) port.use(fill);`,
  "a field that gets another port leaves the old one to its name": `
    class Line {
      #port = client.open(1);
      rotate() { const old = this.#port; this.#port = client.open(1); old.send().close(); }
      forget() {
        const old = this.#port; //! unconsumed-port
        this.#port = client.open(1);
        work(old.index);
      }
      close() { this.#port.close(); }
    }`,
  "a look is no use": `
    function f(maybe: Maybe<PartialPort<true>>) {
      if (maybe.present) maybe.value.close();
      return maybe.present;
    }`,
  "without a value": `
    let port: PartialPort<true> | undefined, other;
    work(port);
    if (ready) other = client.open(1);
    other?.close();`,
  "several": `
    const a = client.open(1), b = a.send(), c = b.recv(); //! unconsumed-port
    let d, e = client.open(2);
    e.close();`,
  "declared elsewhere": `
    declare const port: PartialPort<true>, maybe: Maybe<PartialPort<true>>;
    port.close();
    port.close(); //! double-move
    if (maybe.present) maybe.value.use(fill);`,
  "an exported port is everybody's": `
    export const port = client.open(1);
    const other = client.open(1);
    export { other };
    export default client.open(2);`,
  "what is stored may be used, and is not closed": `
    const kept = new Set<PartialPort<true>>();
    export function open() { const port = client.open(1); kept.add(port); port.use(fill); }
    export function twice() {
      const port = client.open(1);
      kept.add(port);
      port.close(); //! double-move
    }
    export function end(port: PartialPort<true>) { port.close(); kept.delete(port); }`,
  "a field that is there already": `
    let shared: PartialPort<true> | undefined;
    export function put(port: PartialPort<true>) {
      if (shared) shared = port; //! unconsumed-port
      else shared = port;
    }
    export function open() { const port = shared ??= client.open(1); port.use(fill); }`,
  "a field that was seen to be full": `
    class View {
      #port: PartialPort<true> | undefined;
      set port(port: PartialPort<true>) { if (this.#port) log(this.#port.index); this.#port = port; } //! unconsumed-port
      show(port: PartialPort<true>) { if (this.#port) this.hide(); this.#port = port; }
      hide() { this.#port?.close(); this.#port = undefined; }
    }`,
  "a second name by which using closes": `
    export function read(port: PartialPort<true>) { using _ = port; port.use(fill); return port.index; }
    export function keep(port: PartialPort<true>) { using _ = port; return port; } //! use-after-move`,
  "a name that was taken out of an object is in it, too": `
    const job = { port: client.open(1), id: 1 };
    const { port } = job;
    port.close();
    job.port.close(); //! double-move`,
});
