import { testMarked } from "../testdata/marked_source.ts";

testMarked("hoist", {
  "a client out of an object": `
    function f({ rpc, net: { other } }: { rpc: TypedClient; net: { other: TypedClient } }) {
      rpc.open(1); //! unconsumed-port
      other.open(2); //! unconsumed-port
    }
    function g({ rpc, ...rest }: { rpc: TypedClient; again: TypedClient }) {
      rest.again.open(3); //! unconsumed-port
    }`,
  "a client by default": `
    function f(rpc = new TypedClient(channel), { other = rpc } = {}) {
      rpc.open(1); //! unconsumed-port
      other.open(2); //! unconsumed-port
    }`,
  "var belongs to the function": `
    function f() {
      if (ready) { var port = client.open(1); } else { var port = client.open(2); }
      port.close();
    }
    function g() {
      { var port = client.open(3); } //! unconsumed-port
    }`,
  "functions before they are written": `
    begin(); //! unconsumed-port
    function begin() { return client.open(1); }`,
  "a port in the head of a loop": `
    for (let port = client.open(1), round = 0; ; round++) {
      if (round > 3) { port.close(); break; }
      port = port.send().recv();
    }`,
  "a caught name shadows": `
    const port = client.open(1);
    try { work(); } catch (port) { port.close(); }
    port.close();`,
  "an exported function without a name": `
    export default function () {
      client.open(1); //! unconsumed-port
    }`,
  "an object that gives one after the other": `
    class Queue {
      async *[Symbol.asyncIterator](): AsyncGenerator<PartialPort<true>> { yield client.open(1); }
    }
    for await (const port of new Queue()) {
      port.close();
      port.close(); //! double-move
    }
    const source = { *[Symbol.iterator]() { if (ready) { yield client.open(2); } } };
    for (const port of source) {
      const sent = port.send(); //! unconsumed-port
    }
    for (const name in source) report(name);`,
});

testMarked("shape", {
  "an interface": `
    interface Base { readonly rpc: TypedClient }
    interface Options extends Base { dial(opcode: number): PartialPort<true>; [name: string]: unknown }
    function f(options: Options) {
      options.rpc.open(1); //! unconsumed-port
      options.dial(2); //! unconsumed-port
      options.other.open(3);
    }`,
  "what is only declared": `
    declare function dial(opcode: number): PartialPort<true>;
    declare const dialer: { dial(): PartialPort<true> };
    dial(1); //! unconsumed-port
    dialer.dial(); //! unconsumed-port`,
  "a function that never returns": `
    declare function stop(): never;
    class Guard { fail(): never { throw new Error("guard"); } }
    function f(guard: Guard) {
      const a = client.tryOpen(1);
      if (!a.present) stop();
      a.value.close();
      const b = client.tryOpen(1);
      if (!b.present) guard.fail();
      b.value.close();
    }`,
  "a function that returns only if": `
    function check(condition: unknown): asserts condition { if (!condition) throw new Error(); }
    const maybe = client.tryOpen(1);
    check(maybe.present);
    maybe.value.close();`,
  "a function that never returns, though it does not say so": `
    function stop(why) { throw new Error(why); }
    const maybe = client.tryOpen(1);
    if (!maybe.present) stop("busy");
    maybe.value.close();`,
});
