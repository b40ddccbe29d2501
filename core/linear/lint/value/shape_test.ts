import { testMarked } from "../testdata/marked_source.ts";

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
