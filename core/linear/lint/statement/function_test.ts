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
    server.operatePort(1, (port) => {
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
    server.operatePort(1, (port) => { //! unconsumed-port
      try {
        if (bad) throw new RangeError("bad");
        port.close();
      } catch { report(); }
    });`,
  "a handler may not lose another port": `
    server.operatePort(1, (port) => {
      const other = client.open(2); //! unconsumed-port
      if (bad) throw new RangeError("bad");
      other.close();
      port.send(work).close();
    });`,
  "a handler that is a function by name": `
    function serve(port: PartialPort<true>) { if (bad) throw new RangeError("bad"); port.close(); }
    function keep(port: PartialPort<true>) { //! unconsumed-port
      port.use(work);
    }
    server.operatePort(1, serve);
    server.operatePort(2, keep);`,
  "a handler that is a method": `
    class Service {
      attach(rpc: TypedServer) {
        rpc.operatePort(1, this.#echo);
        rpc.operatePort(2, this.#keep.bind(this));
      }
      #echo(port: PartialPort<true>) { if (bad) throw new RangeError("bad"); port.send(work).close(); }
      #keep(port: PartialPort<true>) { //! unconsumed-port
        port.use(work);
      }
    }`,
  "a handler's result is nobody's": `
    server.operatePort(1, (port) => port.send(work)); //! unconsumed-port
    server.operatePort(2, (port) => {
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

testMarked("function", {
  "its own ports": `
    const f = () => {
      const port = client.open(1); //! unconsumed-port
      return 1;
    };`,
  "a returned port is the caller's": `
    function f() { const port = client.open(1); return port; }
    const g = (port: PartialPort<true>) => port;`,
  "a closure that runs later may close": `
    const port = client.open(1);
    setTimeout(() => port.close(), 10);`,
  "a closure that runs later uses what was moved": `
    const port = client.open(1);
    port.close();
    setTimeout(() => port.use(fill), 10); //! use-after-move`,
  "a closure only looks, so the port is still here": `
    const port = client.open(1); //! unconsumed-port
    setTimeout(() => port.use(fill), 10);`,
  "a name that was moved, and that nobody assigns to": `
    function f(port: PartialPort<true>) {
      let other = client.open(1);
      port.close();
      other.close();
      return () => elsewhere(port, other.index, () => other.close()); //! use-after-move double-move
    }`,
  "a name that may be another port by then": `
    let port = client.open(1);
    port.close();
    const f = () => port.use(fill);
    port = client.open(2);
    f();
    port.close();`,
  "a local function is never called": `
    const port = client.open(1); //! unconsumed-port
    function finish() { port.close(); }`,
  "a local function is followed before its parameter is known to be a port": `
    function finish(port) {
      const other = client.open(2);
      if (ready) work();
      other.close();
      port.close();
    }
    function caller() { const port = client.open(1); finish(port); }`,
  "a local function is handed on": `
    const port = client.open(1);
    const finish = () => port.close();
    addEventListener("unload", finish);`,
  "calls in calls do not multiply": `${
    Array.from(
      { length: 30 },
      (_, index) => `function f${index}() { f${index + 1}(); f${index + 1}(); }`,
    ).join("\n")
  }
    const port = client.open(1);
    function f30() {
      port.close(); //! double-move
    }
    f0();`,
  "an immediate function": `
    const port = client.open(1);
    (() => { port.close(); })();
    port.close(); //! double-move`,
  "an immediate function with a way out": `
    const port = client.open(1);
    (function () { if (ready) return; work(); })();
    port.close();`,
  "a generator runs when it is asked": `
    const port = client.open(1);
    function* steps() { yield 1; port.close(); }
    for (const step of steps()) work(step);`,
  "methods and fields": `
    class Holder {
      #client = new TypedClient(channel);
      readonly other: TypedClient;
      call() {
        const port = this.#client.open(1); //! unconsumed-port
        this.other.open(2); //! unconsumed-port
      }
      static { const port = client.open(1); port.close(); }
    }`,
  "a parameter shadows": `
    const port = client.open(1);
    port.close();
    const f = (port) => port.use(fill);`,
});

testMarked("class", {
  "methods are functions": `
    class Caller {
      call() {
        const port = client.open(1); //! unconsumed-port
      }
      get port() { return client.open(1); }
      static make() { return client.open(1); }
    }`,
  "fields keep what they get": `
    class Holder { port = client.open(1); #other = client.open(2); static third = client.open(3); }`,
  "a client in a field": `
    class Caller {
      readonly #client: TypedClient;
      readonly other = new TypedClient(channel);
      call() {
        this.#client.open(1); //! unconsumed-port
        this.other.open(2); //! unconsumed-port
        this.unknown.open(3);
      }
    }`,
  "a field of another class": `
    class A { client = new TypedClient(channel); }
    class B { client = new Socket(); call() { this.client.open(1); } }`,
  "a method that consumes a captured port": `
    const port = client.open(1);
    class Closer extends Base { close() { port.close(); } }
    new Closer().close();`,
  "a class expression": `
    const Caller = class { call() {
      client.open(1); //! unconsumed-port
    } };`,
});
