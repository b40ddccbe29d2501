import { testMarked } from "../testdata/marked_source.ts";

testMarked("expressions", {
  "with a condition": `
    let port: PartialPort<true> | undefined;
    port ??= client.open(1);
    port ??= client.open(2);
    port ||= client.open(4);
    port &&= port.send().recv();
    port.close();`,
  "into a member": `
    this.port = client.open(1);
    [other.port] = [client.open(2)];
    ({ port: this.other } = elsewhere());`,
  "two names swap": `
    let [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    [a, b] = [b, a];
    ({ a } = { a });
    a.close();`,
  "what is absent": `
    let third: PartialPort<true>;
    [third = client.open(3)] = [];
    ({ third = client.open(4) } = { third }); //
    third.close();`,
  "from elsewhere": `
    const { port, ...rest } = elsewhere(), [a, b] = elsewhere([client.openAsync(1)]);
    for (const one of [port, port, a]) one.send();`,
  "are worked out from left to right": `
    const port = client.open(1);
    work(port.use(fill), port.close(), port.inbox); //! use-after-move`,
  "a spread array, or generator, gives its items": `
    function* more() { yield client.open(1); yield client.open(2); }
    function closeAll(...ports: PartialPort<true>[]): void { for (const port of ports) port.close(); }
    const [a, b] = [client.open(1), client.open(2)];
    closeAll(...[a], b, ...more());
    a.use(fill); //! use-after-move
    b.close(); //! double-move`,
  "what is put together takes its names when all the rest is there": `
    export async function pair() {
      const up = await client.openAsync(1);
      try { return { up, down: await client.openAsync(2) }; } catch { up.close(); }
    }`,
  "casts change nothing": `
    const port = client.open(1) as unknown as TypedPort<0, 0>;
    (port as OwnedPort<0>).send()!.close();
    (port satisfies unknown)!.close(); //! double-move`,
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
  "each operation takes the port, and gives another one": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    a.close();
    a.close(); //! double-move
    const sent = b.send();
    b.close(); //! double-move
    sent.recv().close();
    sent.recv(); //! double-move unconsumed-port
    const look = c.send().query();
    if (look.arrived) look.value.close(); else look.value.recv().close();
    const back = await d.send().recvAsync();
    back.close();`,
  "use leaves it where it is": `
    const port = client.open(1); //! unconsumed-port
    port.use(fill);
    port.use(fill);
    client.open(1).use(fill); //! unconsumed-port`,
  "what nobody takes of an operation": `
    client.open(1).send(); //! unconsumed-port
    client.open(2).send().recv(); //! unconsumed-port
    client.open(3).send().query(); //! unconsumed-port
    await client.open(4).send().recvAsync(); //! unconsumed-port
    const index = client.open(5).index; //! unconsumed-port`,
  "work that throws has lost the port, but for use": `
    const fail = (packet) => { if (packet.laneCount === 0) throw new Error("empty"); };
    const port = client.open(2); //! unconsumed-port
    try { client.open(1).send(fail).close(); } catch { log(); }
    try { port.use(fail); port.close(); } catch { log(); }`,
  "an operation that throws has consumed the port": `
    const port = client.open(1), other = client.open(2);
    try { port.send().recv().close(); } catch { port.close(); } //! double-move
    try { other.send(fill).close(); } catch { other.close(); } //! double-move
    try { client.open(3).send(fill).recv(use).close(); } catch { log(); }`,
  "a promise throws where it is awaited, and a close never": `
    async function f() {
      let port: PartialPort<true> | undefined = client.open(1);
      try { port.close(); port = undefined; await work(); } finally { port?.close(); }
    }`,
});
