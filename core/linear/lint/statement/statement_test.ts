import { testMarked } from "../testdata/marked_source.ts";

testMarked("statement", {
  "a chain consumes every port": `client.open(1).send(fill).recv(use).close();`,
  "a shadow is another port": `
    const port = client.open(1);
    { const port = client.open(2); port.close(); }
    port.close();`,
  "a shadow hides a moved port": `
    const port = client.open(1);
    port.close();
    { const port = client.open(2); port.use(fill); port.close(); }`,
  "using closes at the end": `
    using port = client.open(1);
    port.use(fill);`,
  "using, used after the move": `
    using port = client.open(1);
    port.send().close();
    port.use(fill); //! use-after-move`,
  "await using": `
    async function f() {
      await using port = client.open(1);
      port.use(fill);
    }`,
  "an exported port is everybody's": `
    export const port = client.open(1);
    const other = client.open(1);
    export { other };`,
  "ordinary code": `
    const file = fs.open("x");
    file.send(1);
    file.send(2);
    const list = [1, 2].map((x) => x + 1);
    for (const x of list) console.log(x, file);`,
  "a name of the file that is given a port inside another statement": `
    let port;
    if (ready) port = client.open(1);
    else port = client.open(2);
    port.close();
    let other;
    function begin() { other = client.open(3); }
    try { begin(); } finally { other?.close(); }
    let third;
    { third = client.open(4); } //
    third.close();
    third.close(); //! double-move`,
});

testMarked("branching", {
  "a flag that is not followed": `
    const port = client.open(1); //! unconsumed-port
    let isClosed = false;
    if (ready) { port.close(); isClosed = true; }
    if (!isClosed) port.close(); //! double-move`,
  "else if": `
    const port = client.open(1); //! unconsumed-port
    if (a) port.close();
    else if (b) port.use(fill);
    else port.close();`,
  "no default, but all cases that there are": `
    declare const kind: "a" | "b" | "c";
    const port = client.open(1);
    switch (kind) {
      case "a":
      case "b": port.close(); break;
      case "c": if (ready) port.close(); else port.send().close();
    }`,
  "no default, and a case that forgets": `
    const port = client.open(1); //! unconsumed-port
    switch (kind) {
      case 1: port.close(); break;
      case 2: break;
    }`,
  "no default, and a case that forgets on one path": `
    const port = client.open(1); //! unconsumed-port
    switch (kind) {
      case 1: port.close(); break;
      case 2: if (ready) port.close();
    }`,
  "default first": `
    const port = client.open(1);
    switch (kind) {
      default: port.close(); break;
      case 1: port.close(); break;
    }`,
  "a label is left": `
    const port = client.open(1); //! unconsumed-port
    done: {
      if (a) break done;
      port.close();
    }`,
  "a labelled if": `
    const port = client.open(1); //! unconsumed-port
    done: if (a) {
      if (b) break done;
      port.close();
    } else port.close();`,
});

testMarked("kept", {
  "using closes what somebody else keeps": `
    const calls: PartialPort<true>[] = [];
    let last: PartialPort<true> | undefined;
    class Holder { port?: PartialPort<true>; }
    const holder = new Holder();
    function returned() {
      using port = client.open(1);
      return port; //! use-after-move
    }
    function inside() {
      using port = client.open(1);
      return { port }; //! use-after-move
    }
    function captured() {
      using port = client.open(1);
      return () => port.use(work); //! use-after-move
    }
    {
      using a = client.open(1), b = client.open(2), c = client.open(3), d = client.open(4);
      calls.push(a); //! use-after-move
      last = b; //! use-after-move
      holder.port = c; //! use-after-move
      setTimeout(() => d.use(work), 1); //! use-after-move
    }
    last?.close();`,
  "using, kept for the block or moved on": `
    const calls: PartialPort<true>[] = [];
    function f() {
      using a = client.open(1), b = client.open(2);
      const own = new Set<PartialPort<true>>();
      own.add(a);
      calls.push(move(b));
      return calls.map((one) => one.index);
    }`,
  "a handler's call is over when it returns": `
    const waiting: PartialPort<boolean>[] = [];
    let last: PartialPort<true> | undefined;
    server.operatePort(1, (port) => { waiting.push(port); }); //! use-after-move
    server.operatePort(2, (port) => { last = port; }); //! use-after-move
    server.operatePort(3, (port) => { waiting.push(port.send()); }); //! use-after-move`,
  "timers work on what is closed by then": `
    const a = client.open(1);
    setTimeout(() => a.use(work));
    a.close(); //! use-after-move
    const b = client.open(2);
    setTimeout(() => b.close());
    setTimeout(() => b.close()); //! double-move
    const c = client.open(3);
    setTimeout(() => c.use(work));
    await pause();
    c.close();`,
  "timers that are called off": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port
    const offA = setTimeout(() => a.close());
    clearTimeout(offA);
    const offB = setTimeout(() => b.close());
    if (ready) { clearTimeout(offB); b.close(); }
    const kept = setTimeout(() => c.close());
    c.close(); //! double-move
    const d = client.open(4), timers: number[] = [];
    const offD = setTimeout(() => d.close());
    timers.push(offD);
    d.close();`,
  "listeners work on what is closed by then": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    target.addEventListener("data", () => a.use(fill));
    a.close(); //! use-after-move
    target.addEventListener("data", () => b.use(fill));
    target.addEventListener("end", () => b.close());
    target.addEventListener("error", () => b.close());
    target.addEventListener("data", () => c.use(fill), { once: true });
    c.close();
    const [d, e] = [client.open(1), client.open(2)];
    target.addEventListener("end", () => d.close());
    d.send().close(); //! double-move
    const f = client.open(6);
    emitter.on(() => f.use(fill));
    f.close(); //! use-after-move
    let isOver = false;
    target.addEventListener("end", () => { if (!isOver) e.close(); });
    isOver = true;
    e.close();`,
  "what a generator yields is not its own any more": `
    function* ports(): Generator<PartialPort<true>> {
      const port = client.open(1);
      yield port;
      port.close(); //! double-move
    }`,
  "a finally that returns loses what was returned": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      try { return port; } finally { return undefined; }
    }`,
});

testMarked("try", {
  "sending cannot fail, the work on it can": `
    let port: PartialPort<true> | undefined = client.open(1);
    try {
      const sent = port.send();
      port = undefined;
      sent.recv().close();
    } finally { port?.close(); }
    let other: PartialPort<true> | undefined = client.open(2);
    try {
      const sent = other.send(fill);
      other = undefined;
      sent.close();
    } finally { other?.close(); } //! double-move`,
  "catch closes the port, but send may have": `
    const port = client.open(1);
    try {
      port.use(fill);
      port.send(fill).close();
    } catch {
      port.close(); //! double-move
    }`,
  "a chain owns its port": `
    const port = client.open(1);
    try { port.send(fill).recv(use).close(); } catch (error) { report(error); }`,
  "nested finalizers run inside out": `
    function f() {
      const a = client.open(1);
      try {
        const b = client.open(2);
        try { return work(); } finally { b.close(); }
      } finally { a.close(); }
    }`,
  "a finalizer's name is not the inner one": `
    const port = client.open(1);
    try {
      const port = client.open(2); //! unconsumed-port
      if (a) throw new Error("a");
      port.close();
    } finally { port.close(); }`,
  "the catch variable shadows": `
    const port = client.open(1);
    try { work(); } catch (port) { port.close(); }
    port.close();`,
});
