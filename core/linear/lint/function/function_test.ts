import { testMarked } from "../testdata/marked_source.ts";

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
  "a local function closes when it is called": `
    const port = client.open(1);
    function finish() { port.close(); }
    port.use(fill);
    finish();
    port.use(fill); //! use-after-move`,
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
  "a local function is called twice": `
    const port = client.open(1);
    const finish = () => {
      port.close(); //! double-move
    };
    finish();
    finish();`,
  "a local function closes on one path": `
    const port = client.open(1); //! unconsumed-port
    function finish() { if (ready) port.close(); }
    finish();`,
  "a local function calls another": `
    function outer() { inner(); }
    const port = client.open(1);
    const inner = () => port.close();
    outer();
    port.close(); //! double-move`,
  "a local function is handed on": `
    const port = client.open(1);
    const finish = () => port.close();
    addEventListener("unload", finish);`,
  "recursion ends": `
    const port = client.open(1);
    function again(count: number): void {
      if (count === 0) port.close();
      else again(count - 1);
    }
    again(3);`,
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
  "what a called function throws is caught here": `
    const port = client.open(1);
    const check = () => { port.use(fill); if (bad) throw new Error("bad"); };
    try { check(); port.close(); } catch { port.close(); }`,
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
