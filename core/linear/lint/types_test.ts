import { testMarked } from "./testdata/marked_source.ts";

testMarked("types", {
  "a function takes a port where its type says that it gets one": `
    declare function put(port: PartialPort<true>): void;
    declare const sink: { put(port: PartialPort<true>): void };
    const [a, b] = [client.open(1), client.open(2)];
    put(a);
    a.close(); //! double-move
    sink.put(b);
    b.use(fill); //! use-after-move`,
  "nothing that comes of a packet is a port": `
    client.open(1).send((packet) => { packet.port.close(); packet.port.close(); }).close();`,
  "the last parameter speaks for the rest": `
    declare function endAll(...ports: PartialPort<true>[]): void;
    declare function note(text: string, ...ports: { readonly index: number }[]): void;
    const [a, b] = [client.open(1), client.open(2)];
    note("", b, b);
    endAll(a, b);
    b.close(); //! double-move`,
  "a function type takes a port where it gives one back, or serves calls": `
    type Step = (port: PartialPort<true>) => PartialPort<true>;
    export function f(step: Step, look: (port: PartialPort<true>) => void) {
      const port = client.open(1);
      look(port);
      step(port).close();
      port.close(); //! double-move
    }
    export const timed = (handler: TypedHandler): TypedHandler => (port) => {
      handler(port);
      port.close(); //! double-move
    };`,
  "a port that foreign code gives is ours": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    make(); //! unconsumed-port
    make().close();
    const port = make(); //! unconsumed-port
    look(); //! unconsumed-port`,
  "a port that may be missing is there on one path": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    find()?.close();
    const port = find(); //! unconsumed-port
    if (!port) work();
    const [other, third] = [find(), client.open(1)]; //! unconsumed-port
    if (other) { other.close(); third.close(); }`,
  "a promise may fail where somebody would notice": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    const port = make(); //! unconsumed-port
    try {
      const other = await makeAsync();
      other.close();
      port.close();
    } catch { work(); }`,
  "a map, a set and a tuple of unknown content": `
    export function f(
      map: ReadonlyMap<string, PartialPort<true>>,
      set: ReadonlySet<PartialPort<true>>,
      [first]: [PartialPort<true>],
    ) {
      for (const [, one] of map) { one.close(); one.use(fill); } //! use-after-move
      for (const one of set) { one.close(); one.use(fill); } //! use-after-move
      first.close();
      first.use(fill); //! use-after-move
    }`,
  "a generator of somebody else has what it is given": `
    export function drive(task: Generator<SentPort<0>, void, PartialPort<boolean>>) {
      let step = task.next();
      while (!step.done) step = task.next(step.value.recv());
    }`,
  "to a function that takes a port": `
    function finish(port: PartialPort<true>): void { port.close(); }
    const kept: PartialPort<true>[] = [];
    function keep(port: PartialPort<true>): void { kept.push(port); }
    function show(port: Lent<PartialPort<true>>): void {}
    const port = client.open(1);
    finish(port);
    keep(port); //! double-move
    show(port); //! use-after-move`,
  "what comes back is the caller's": `
    function begin(): SentPort<0> | SentPort<1> { return client.open(1).send(fill); }
    begin().recv(use).close();
    begin(); //! unconsumed-port`,
  "a client is handed on": `
    function ask(rpc: TypedClient) { rpc.open(1); } //! unconsumed-port
    ask(new TypedClient(channel));`,
  "optional": `
    let end: (() => void) | undefined;
    const port = client.open(3); //! unconsumed-port
    if (ready) end = () => port.close();
    end?.();
    const other = client.open(2);
    if (!sink?.put(other)) other.close();`,
  "casts change nothing": `
    const port = client.open(1) as unknown as TypedPort<0, 0>;
    (port as OwnedPort<0>).send()!.close();
    (port satisfies unknown)!.close(); //! double-move`,
  "a name that is not there yet": `
    if (ready) port.close();
    const port = client.open(1);
    port.close();`,
  "a name of another module, or of the language": `
    import { kept } from "./elsewhere.ts";
    globalThis.port = client.open(1);
    kept.close();
    kept.close();`,
  "one of two ports": `
    const a = client.open(1), b = client.open(2); //! unconsumed-port unconsumed-port
    (ready ? a : b).close();`,
  "both sides, or one": `
    const port = client.open(1);
    ready ? port.close() : port.send().close();
    const a = client.open(2), b = client.open(3), c = client.open(4); //! unconsumed-port unconsumed-port unconsumed-port
    ready ? a.close() : work();
    ready && b.close();
    ready || c.close();`,
  "a port or a new one": `
    let kept: PartialPort<true> | undefined, old: PartialPort<true> | undefined = elsewhere();
    const port = kept || client.open(1);
    port.close();
    const other = old ?? client.open(2);
    if (a ?? b) other.close(); else other.close();
    old?.close(); //! double-move`,
  "the last of a sequence": `
    (work(), client.open(1)).close();
    const other = (client.open(1), 1); //! unconsumed-port`,
  "what it is said to be tells what its functions get and give": `
    const handlers = {
      echo: (port) => { if (bad) throw new RangeError("bad"); port.send(work).close(); },
      keep: (port) => { if (bad) return; port.send(work).close(); }, //! unconsumed-port
    } satisfies Record<string, TypedHandler>;
    const all: Map<number, TypedHandler> = new Map([
      [1, (port) => port.use(work)], //! unconsumed-port
    ]);
    const visitor: { sent(port: SentPort<0>): void } = {
      sent(port) { log(port.index); }, //! unconsumed-port
    };
    const start: () => void = () => client.open(1); //! unconsumed-port
    const make: () => PartialPort<true> = () => client.open(1);`,
  "a component has what it is given": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    const view = <Panel port={a} title="panel" {...rest}>{b}<b>text</b></Panel>;
    const button = <Button onClick={() => c.close()} {...rest}>{label}</Button>;
    const all = <><Line>{() => client.open(1)}</Line>{client.open(2)}</>;`,
  "what was yielded is not its own any more": `
    function* ports(): Generator<PartialPort<true>> {
      const port = client.open(1);
      yield port;
      port.close(); //! double-move
    }
    for (const port of ports()) port.close();`,
  "what it gets back is what it is told": `
    function* calls(): Generator<number, void, PartialPort<true>> {
      const port = yield 1; //! unconsumed-port
      (yield 2).close();
    }
    const running = calls();
    running.next();
    running.next(client.open(1));
    running.next(client.open(2));`,
});
