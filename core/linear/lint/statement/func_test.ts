import { testMarked } from "../testdata/marked_source.ts";

/** Functions that each call the next one twice. */
const TWICE = Array.from({ length: 29 }, (_, index) => {
  const next = `f${index + 1}();`;
  return `function f${index}() { ${next} ${next} }`;
}).join("\n");

testMarked("parameter", {
  "who says that it takes a port has it when it throws": `
    function take(port: PartialPort<true>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port
    function end(port) { if (bad) throw new Error("bad"); port.close(); }
    take(client.open(1));
    end(client.open(2));`,
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
  "what becomes of a callback's port, the body of its caller tells": `
    function lending(work: (port: PartialPort<true>) => void) {
      const port = client.open(1);
      try { work(port); } finally { port.close(); } //! double-move
    }
    lending((port) => port.use(fill));
    lending((port) => port.close());
    function covering(work: (port: PartialPort<true>) => void) { using port = client.open(1); work(port); }
    covering((port) => port.use(fill));
    covering((port) => { port.close(); port.close(); }); //! double-move
    const giving = (work: (port: PartialPort<true>) => void) => work(client.open(1)); //! unconsumed-port
    giving((port) => port.use(fill));
    function trying(work: (port: PartialPort<true>) => void) {
      const port = client.open(1); //! unconsumed-port
      try { work(port); } catch { port.close(); }
    }
    trying((port) => port.use(fill));
    const listeners: ((port: PartialPort<true>) => void)[] = [];
    const storing = (work: (port: PartialPort<true>) => void) => listeners.push(work);
    storing((port) => port.use(fill));`,
  "this": `
    function end(this: PartialPort<true>, other: PartialPort<true>) { this.close(); other.close(); }
    const port = client.open(1), other = client.open(2);
    end.call(port, client.open(3));
    port.use(fill); //! use-after-move
    function finish(this: { n: number }, port: PartialPort<true>): void { port.close(); }
    ({ n: 1, finish }).finish(other);
    other.close(); //! double-move`,
});

testMarked("function", {
  "a closure that is called": `
    let port = client.open(1);
    port.close();
    const f = () => port.use(fill); //! use-after-move
    port = client.open(2);
    f();
    port.close();
    f();
    function twice(work: () => void) { work(); work(); }
    const other = client.open(3);
    twice(() => other.use(fill));
    twice(() => other.close()); //! double-move`,
  "with several types, or another name": `
    function end(port: OwnedPort<0>): void;
    function end(port: OwnedPort<1>): void;
    function end(port: { close(): void }): void { port.close(); }
    const port = client.open(1), finish = end;
    end(port as OwnedPort<0>);
    finish(port); //! double-move`,
  "calls in calls do not multiply": `${TWICE}
    function f29() { f30(); f30(); } //! double-move
    const port = client.open(1);
    function f30() { port.close(); }
    f0();`,
  "calls itself": `
    function forget(port: PartialPort<true>, count: number): void { //! unconsumed-port
      if (count > 0) forget(port.send().recv(), count - 1);
    }
    const begin = function again(count: number): PartialPort<true> {
      return count > 0 ? again(count - 1) : client.open(1);
    };
    begin(2); //! unconsumed-port`,
  "immediate": `
    const port = client.open(1);
    (function () { if (ready) return; work(); })();
    (() => { port.close(); })();
    port.close(); //! double-move`,
  "a generator runs when it is asked": `
    const port = client.open(1), other = client.open(2); //! unconsumed-port
    function* steps(one) { yield 1; one.close(); }
    for (const step of steps(port)) work(step);
    port.use(fill); //! use-after-move
    const running = steps(other);`,
  "ordinary code": `
    const file = fs.open("x");
    file.send(1);
    file.send(2);
    for (const x of [1, 2].map((x) => x + 1)) console.log(x, file);`,
});
