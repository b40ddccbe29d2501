import { assertEquals } from "@std/assert";
import { foundFindings, testMarked } from "../testdata/marked_source.ts";

testMarked("parameter", {
  "a field of the object that is made": `
    class Session {
      constructor(private readonly port: PartialPort<true>, readonly name = "call") {}
    }`,
  "a guard only answers": `
    function isOwned(port: OwnedPort<0> | SentPort<0>): port is OwnedPort<0> {
      return port.inbox === port.outbox;
    }
    function assertOwned(port: PartialPort<boolean>): asserts port is OwnedPort<0> {}`,
  "a handler refuses by throwing": `
    server.register(1, (port) => {
      if (bad) throw new RangeError("bad");
      const sent = port.send(work);
      if (worse) throw new RangeError("worse");
      sent.recv().close();
    });
    const handler: TypedHandler = (port) => {
      if (bad) throw new RangeError("bad");
      port.close();
    };`,
  "a handler's own catch is not the server": `
    server.register(1, (port) => { //! unconsumed-port
      try {
        if (bad) throw new RangeError("bad");
        port.close();
      } catch { report(); }
    });`,
  "a handler may not lose another port": `
    server.register(1, (port) => {
      const other = client.open(2); //! unconsumed-port
      if (bad) throw new RangeError("bad");
      other.close();
      port.send(work).close();
    });`,
  "a handler that is a function by name": `
    function serve(port) { if (bad) throw new RangeError("bad"); port.close(); }
    function keep(port) { //! unconsumed-port
      port.use(work);
    }
    server.register(1, serve);
    server.register(2, keep);`,
  "a handler that is a method": `
    class Service {
      attach(rpc: TypedServer) {
        rpc.register(1, this.#echo);
        rpc.register(2, this.#keep.bind(this));
      }
      #echo(port) { if (bad) throw new RangeError("bad"); port.send(work).close(); }
      #keep(port) { //! unconsumed-port
        port.use(work);
      }
    }`,
  "a handler's result is nobody's": `
    server.register(1, (port) => port.send(work)); //! unconsumed-port
    server.register(2, (port) => {
      const sent = port.send(work); //! unconsumed-port
      return sent;
    });`,
  "a function that is given a port to work with": `
    function withPort(work: (port: PartialPort<true>) => void): void {
      using port = client.open(1);
      work(port);
    }
    withPort((port) => port.use(fill));
    withPort((port) => { port.close(); port.close(); }); //! double-move`,
  "rests and defaults": `
    function f(...ports: PartialPort<true>[]) { for (const port of ports) port.close(); }
    function g(port = client.open(1)) { port.close(); }
    function h({ port = client.open(1), list: [first] = [] } = {}, ...others) { port.close(); }`,
});

Deno.test("a handler's port comes owned: who gets a sent one, and throws, loses it", () => {
  const found = (type: string) =>
    foundFindings(`import type { PartialPort, SentPort } from "./linear/mod.ts";
    export function f(port: ${type}): void { if (bad) throw new Error("bad"); port.close(); }`);
  assertEquals(found("PartialPort<true>"), []);
  assertEquals(found("PartialPort<false>"), ["2 unconsumed-port"]);
  assertEquals(found("SentPort<0>"), ["2 unconsumed-port"]);
});
