import { testMarked } from "../testdata/marked_source.ts";

testMarked("inference", {
  "a client that is made here": `
    const made = new TypedClient(channel);
    made.open(1); //! unconsumed-port`,
  "a client that comes in": `
    function f(given: TypedClient, other) {
      given.open(1); //! unconsumed-port
      other.open(1);
    }`,
  "a client under another name": `
    const other = client;
    const third = ready ? other : client;
    third.open(1); //! unconsumed-port`,
  "a client from a function of this file": `
    function connect(): TypedClient { return elsewhere(); }
    const again = () => new TypedClient(channel);
    connect().open(1); //! unconsumed-port
    again().open(1); //! unconsumed-port`,
  "an awaited client": `
    async function connect(): Promise<TypedClient> { return await elsewhere(); }
    (await connect()).open(1); //! unconsumed-port`,
  "a name in its own initialiser": `
    const odd = odd ?? client.open(1);
    odd.close();`,
  "methods that give no port": `
    client.rpcInvoke(1, { fill, use });
    const isFree = client.isFree();`,
  "a server's port": `
    const maybe = server.tryOpen();
    if (maybe.present) maybe.value.send(work).close();
    server.tryOpen(); //! unconsumed-port`,
  "var belongs to the file, a namespace or a static block": `
    var port = client.open(1); //! unconsumed-port
    if (ready) {
      var other = client.open(2);
      other.close();
      other.close(); //! double-move
    }
    namespace Inner {
      var port = client.open(3); //! unconsumed-port
    }
    class Holder {
      static {
        var port = client.open(4); //! unconsumed-port
      }
    }`,
});

testMarked("context", {
  "a place that wants a handler": `
    const one: TypedHandler = (port) => port.use(work); //! unconsumed-port
    const list: TypedHandler[] = [(port) => port.close(), (port) => port.use(work)]; //! unconsumed-port
    const table: Record<string, TypedHandler> = {
      a(port) { port.close(); },
      b: (port) => port.use(work), //! unconsumed-port
    };
    const either: TypedHandler = ready ? (port) => port.close() : (port) => port.use(work); //! unconsumed-port`,
  "a collection that is made of handlers": `
    const table = new Map<number, TypedHandler>([
      [1, (port) => port.close()],
      [2, (port) => port.use(work)], //! unconsumed-port
    ]);
    const all = new Set<TypedHandler>([(port) => port.use(work)]); //! unconsumed-port`,
  "what says that it is a handler": `
    const one = ((port) => port.use(work)) satisfies TypedHandler; //! unconsumed-port
    const two = ((port) => port.close()) as TypedHandler;`,
  "a place that wants a function on a port": `
    type Work = (port: PartialPort<true>) => void;
    const work: Work = (port) => port.use(fill);
    const twice: Work = (port) => { port.close(); port.close(); }; //! double-move
    function make(): Work { return (port) => { port.close(); port.use(fill); }; } //! use-after-move
    class Holder { work: Work = (port) => { port.close(); port.close(); }; } //! double-move`,
  "what is written counts more": `
    const one: TypedHandler = (port: unknown) => report(port);`,
  "a function that gives a port for a port has it": `
    type Step = (port: PartialPort<true>) => PartialPort<true>;
    const steps: Step[] = [
      (port) => port.send(fill).recv(),
      (port) => client.open(2), //! unconsumed-port
    ];`,
});

testMarked("exhaustive", {
  "all literals of a union": `
    function f(mode: "a" | "b") {
      const port = client.open(1);
      switch (mode) { case "a": port.close(); break; case "b": port.send().close(); }
    }`,
  "not all of them": `
    function f(mode: "a" | "b" | "c") {
      const port = client.open(1); //! unconsumed-port
      switch (mode) { case "a": port.close(); break; case "b": port.send().close(); }
    }`,
  "any text, any number": `
    function f(mode: string, count: number) {
      const a = client.open(1); //! unconsumed-port
      switch (mode) { case "a": a.close(); break; case "b": a.send().close(); }
      const b = client.open(1); //! unconsumed-port
      switch (count) { case 1: b.close(); break; case 2: b.send().close(); }
    }`,
  "one case alone": `
    const port = client.open(1); //! unconsumed-port
    switch (mode) { case "a": port.close(); }`,
  "an enum": `
    enum Mode { fast, slow }
    function f(mode: Mode) {
      const port = client.open(1);
      switch (mode) { case Mode.fast: port.close(); break; case Mode.slow: port.close(); }
    }
    function g(mode: Mode) {
      const port = client.open(1); //! unconsumed-port
      switch (mode) { case Mode.fast: port.close(); }
    }`,
  "a property that tells the members of a union apart": `
    type Message = { kind: "a" } | { kind: "b"; count: number };
    function f(message: Message) {
      const port = client.open(1);
      switch (message.kind) { case "a": port.close(); break; case "b": port.close(); }
    }`,
  "a default that nothing reaches": `
    function f(mode: "a" | "b") {
      const port = client.open(1);
      switch (mode) {
        case "a": port.close(); break;
        case "b": port.close(); break;
        default: throw new Error("unreachable");
      }
    }`,
  "a mailbox": `
    const port = client.open(1);
    switch (port.inbox) { case 0: port.close(); break; case 1: port.send().close(); }
    const other = client.open(2); //! unconsumed-port
    switch (other.inbox) { case 0: other.close(); }`,
  "a check": `
    const maybe = client.tryOpen(1);
    switch (maybe.present) { case true: maybe.value.close(); break; case false: work(); }
    const other = client.tryOpen(1);
    switch (true) { case other.present: other.value.close(); }
    let waiting = client.open(1).send();
    for (;;) {
      const look = waiting.query();
      switch (look.arrived) {
        case true: look.value.close(); return;
        case false: waiting = look.value;
      }
    }`,
});
