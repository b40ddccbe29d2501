import { testMarked } from "../testdata/marked_source.ts";

testMarked("call", {
  "to a function that takes a port": `
    function finish(port: SentPort<0>): void { port.close(); }
    const sent = client.open(1).send();
    finish(sent);
    sent.close(); //! double-move`,
  "to a function that borrows": `
    function look(port: { readonly index: number }): void { work(port.index); }
    const port = client.open(1); //! unconsumed-port
    look(port);`,
  "to a function that says nothing": `
    function look(port) { work(port); }
    const port = client.open(1);
    look(port);
    port.close();`,
  "to a function from elsewhere": `
    const port = client.open(1);
    elsewhere(port);
    port.use(fill);`,
  "to a function from elsewhere, after the move": `
    const port = client.open(1);
    port.close();
    elsewhere(port); //! use-after-move`,
  "move says it for any function": `
    const port = client.open(1);
    elsewhere(move(port));
    port.close(); //! double-move`,
  "move twice": `
    const port = client.open(1);
    elsewhere(move(port));
    elsewhere(move(port)); //! double-move`,
  "move to nowhere": `
    const port = client.open(1);
    move(port); //! unconsumed-port`,
  "a function that returns a port": `
    function begin(): SentPort<0> | SentPort<1> { return client.open(1).send(fill); }
    begin().recv(use).close();
    begin(); //! unconsumed-port
    const again = () => client.open(1);
    again(); //! unconsumed-port`,
  "an async function that returns a port": `
    async function begin(): Promise<PartialPort<true>> { return await client.openAsync(1); }
    const port = await begin();
    port.close();
    const other = begin();
    (await other).close();
    const lost = await begin(); //! unconsumed-port`,
  "a parameter must be consumed": `
    function f(port: PartialPort<true>) { //! unconsumed-port
      if (a) port.close();
    }`,
  "an optional parameter": `
    function f(port?: PartialPort<true>, maybe?: PartialPort<true> | undefined) {
      port?.close();
      if (maybe) maybe.close();
    }`,
  "a handler's port": `
    server.operatePort(1, (port) => { port.use(work); port.send().close(); });
    server.operatePort(2, (port) => { //! unconsumed-port
      port.use(work);
    });
    server.operatePort(3, function (port) { port.close(); port.close(); }); //! double-move
    const handler: TypedHandler = (port) => port.use(work); //! unconsumed-port`,
  "reading is no move": `
    const port = client.open(1);
    console.log(port);
    assertEquals(port.index, 0);
    assertExists(port);
    port.close();`,
  "a use of a port that nobody has": `
    client.open(1).use(fill); //! unconsumed-port
    const index = client.open(1).index; //! unconsumed-port`,
  "a Maybe that nobody has": `
    client.tryOpen(1).value.close(); //! unchecked-maybe
    client.tryOpen(1); //! unconsumed-port
    if (client.tryOpen(1).present) work(); //! unconsumed-port`,
  "exit ends the path": `
    const port = client.open(1);
    if (bad) Deno.exit(1);
    if (worse) unreachable();
    port.close();`,
  "a function that never returns": `
    function stop(): never { throw new Error("stop"); }
    function f() {
      const maybe = client.tryOpen(1);
      if (!maybe.present) stop();
      maybe.value.close();
      const port = client.open(2);
      if (bad) stop();
      port.close();
    }`,
  "a function that answers what a value is": `
    function isOpen(maybe: Maybe<PartialPort<true>>): maybe is Present<PartialPort<true>> {
      return maybe.present;
    }
    const maybe = client.tryOpen(1);
    if (isOpen(maybe)) maybe.value.close();`,
  "work that throws has lost the port": `
    const sent = client.open(1).send();
    try {
      sent.recv((packet) => { if (packet.laneCount === 0) throw new Error("empty"); }).close();
    } catch {
      work();
    }`,
  "optional call": `
    const port: PartialPort<true> | undefined = elsewhere();
    port?.use(fill);
    port?.close();
    port?.close(); //! double-move`,
  "a new object may keep it": `
    const port = client.open(1);
    const holder = new Holder(port);
    holder.close();`,
  "a namespace import": `
    port.close();
    function f(port: linear.TypedPort<0, 0>) { port.close(); }`,
});

testMarked("argument", {
  "a function that runs later": `
    const port = client.open(1);
    setTimeout(() => port.close());
    port.use(fill);
    port.close(); //! double-move`,
  "a timer that can be called off": `
    const port = client.open(1);
    const timer = setTimeout(() => port.close(), 10);
    clearTimeout(timer);
    port.close();`,
  "a function that is kept": `
    const port = client.open(1);
    undo.push(() => port.close());
    port.use(fill);
    port.close(); //! double-move
    starts.push(() => client.open(2));
    const other = client.open(3);
    starts.push(() => { if (ready) other.close(); });
    other.close();`,
  "a function that runs again and again": `
    const port = client.open(1);
    setInterval(() => port.send().close(), 10); //! double-move
    let current = client.open(2);
    const timer = setInterval(() => { current = current.send().recv(); }, 10);`,
  "a function that runs again and again until somebody stops it": `
    const port = client.open(1);
    const timer = setInterval(() => {
      port.close();
      stop();
    }, 10);
    const stop = () => clearInterval(timer);`,
  "a function that may run later, before the name is there": `
    addEventListener("unload", () => port.close());
    const port = client.open(1);`,
  "a function that runs for each": `
    const port = client.open(1); //! unconsumed-port
    [1, 2].forEach(() => port.close()); //! double-move
    calls.forEach((id) => client.open(id)); //! unconsumed-port`,
  "a function that runs once": `
    const [a, b] = [client.open(1), client.open(2)];
    a.use(() => b.close());
    b.use(fill); //! use-after-move
    a.close();
    await new Promise<void>((resolve) => { a.index; resolve(); });`,
  "what failed is no port": `
    function ask(pending: Promise<PartialPort<true>>): void {
      pending.then((port) => port.close(), (reason) => { console.error(reason); });
    }`,
  "a port in its own callback": `
    const port = client.open(1);
    port.use(() => port.close()); //! use-after-move`,
  "what is only declared takes what it says it takes": `
    declare function put(port: PartialPort<true>): void;
    declare function isMine(port: PartialPort<true>): port is OwnedPort<0>;
    interface Sink { put(port: PartialPort<true>): void }
    type Step = (port: PartialPort<true>) => PartialPort<true>;
    function f(sink: Sink, step: Step, look: (port: PartialPort<true>) => void) {
      const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
      put(a);
      a.close(); //! double-move
      sink.put(b);
      b.close(); //! double-move
      step(c).close();
      c.close(); //! double-move
      look(d);
      if (isMine(d)) d.use(fill);
      d.close();
    }`,
  "a handler takes its port": `
    const timed = (handler: TypedHandler): TypedHandler => (port) => {
      handler(port);
      port.close(); //! double-move
    };`,
  "a function that may not be there": `
    function f(step?: (port: PartialPort<true>) => SentPort<0>, sink?: Sink) {
      const port = client.open(1);
      (step?.(port) ?? port.send()).close();
      const other = client.open(2);
      if (!sink?.put(other)) other.close();
    }
    interface Sink { put(port: PartialPort<true>): boolean }`,
  "functions that only look": `
    const port = client.open(1); //! unconsumed-port
    console.log(JSON.stringify(port), String(port), new WeakRef(port));`,
});
