import { testMarked } from "../testdata/marked_source.ts";

testMarked("closures", {
  "a timer hands on what it is given": `
    const port = client.open(1);
    setTimeout((one: PartialPort<true>) => one.close(), 10, port);
    port.close(); //! double-move`,
  "what a callback gets is its own where its type gives one back": `
    declare function lend(work: (port: PartialPort<true>, count: number) => void): void;
    declare function step(work: (port: PartialPort<true>) => SentPort<0>): void;
    lend((port, count = 1) => { if (count === 1) port.close(); });
    lend((...ports) => ports[0]?.close());
    lend(function (this: unknown, port) { port.close(); port.use(fill); }); //! use-after-move
    step((port) => port.send());
    step((port) => client.open(1).send()); //! unconsumed-port`,
  "a handler by name, or a method": `
    function serve(port: PartialPort<true>) { if (bad) throw new RangeError("bad"); port.close(); }
    function keep(port: PartialPort<true>) { port.use(work); } //! unconsumed-port
    server.operatePort(1, serve);
    server.operatePort(2, keep);
    class Service {
      attach(rpc: TypedServer) {
        rpc.operatePort(1, this.#echo);
        rpc.operatePort(2, this.#keep.bind(this));
      }
      #echo(port: PartialPort<true>) { if (bad) throw new RangeError("bad"); port.send(work).close(); }
      #keep(port: PartialPort<true>) { port.use(work); } //! unconsumed-port
    }`,
  "what a type does not show is not touched": `
    type Job = { readonly id: number; readonly port: OwnedPort<0> };
    export function f(isGood: (job: Pick<Job, "id">) => boolean, run: (job: Job) => void) {
      const job: Job = { id: 1, port: client.open(1) };
      if (isGood(job)) job.port.close();
      job.port.close(); //! double-move
      const other: Job = { id: 1, port: client.open(1) };
      run(other);
      other.port.close();
    }`,
  "what the program rejects is thrown where it waits": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port unconsumed-port unconsumed-port
    try { await new Promise(() => { throw new Error("no"); }); a.close(); } catch { log(); }
    const { promise, reject } = Promise.withResolvers<void>();
    reject(new Error("no"));
    try { await promise.finally(() => {}); b.close(); } catch { log(); }
    try { await Promise.any([Promise.reject(new Error("no"))]); c.close(); } catch { log(); }`,
  "the first of several": `
    const port = await Promise.race([client.openAsync(1), client.openAsync(2)]); //! unconsumed-port
    port.close();
    const late = client.openAsync(3);
    await Promise.race([late, timeout(10)]);
    (await late).close();
    (await Promise.any([Promise.reject(new Error("no")), client.openAsync(4)])).close();`,
  "a promise that the program makes": `
    const { promise, resolve } = Promise.withResolvers<PartialPort<true>>();
    setTimeout(() => resolve(client.open(1)));
    (await promise).close();
    (await promise).close(); //! double-move
    const port = client.open(3);
    await new Promise<void>((done) => { port.close(); done(); });
    port.close(); //! double-move
    const kept = Promise.resolve(client.open(4)); //! unconsumed-port
    (await Promise.try(() => client.open(5))).close();`,
  "the program itself closes": `
    const port = client.open(1);
    const writer = new WritableStream({
      write() { port.use(fill); },
      close() { port.close(); },
    }).getWriter();
    await writer.write(1);
    await writer.close();`,
  "a name for what holds a port has it": `
    const pending = client.openAsync(1).then((port) => port);
    const look = (await pending).send().query();
    look.value.close(); //! unchecked-maybe`,
  "an async function that returns a port": `
    async function begin(): Promise<PartialPort<true>> { return await client.openAsync(1); }
    const pending = begin();
    (await pending).close();
    const lost = await begin(); //! unconsumed-port`,
  "functions that end the program, and one by such a name": `
    const [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    if (bad) Deno.exit(1);
    if (worse) process.exit(1);
    a.close();
    if (worst) exit(1); else b.close();`,
  "a listener that is called off gives its port back": `
    const port = client.open(1), end = () => port.close();
    signal.addEventListener("abort", end, { once: true });
    await work();
    signal.removeEventListener("abort", end);
    if (!signal.aborted) port.close();`,
  "what a closure was to use later, it does not when it is called off": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)], over = new AbortController();
    const timer = setTimeout(() => a.use(fill), 10), look = () => c.use(fill);
    addEventListener("offline", () => b.use(fill), { signal: over.signal });
    addEventListener("online", look);
    await work();
    clearTimeout(timer);
    a.close();
    over.abort();
    b.close();
    removeEventListener("online", look);
    c.close();`,
  "a timer that is called off, under whatever name": `
    const port = client.open(1);
    let timer: number | undefined;
    timer = setTimeout(() => port.close(), 10);
    clearTimeout(timer);
    port.close();`,
  "a closure for later lets its port be used until then": `
    const port = client.open(1);
    globalThis.addEventListener("unload", () => port.close());
    port.use(fill);
    port.close(); //! double-move`,
  "a closure that is called, or kept, when its port is over": `
    const port = client.open(1), look = () => port.use(fill);
    port.close();
    look(); //! use-after-move
    export function later() { using port = client.open(2); queueMicrotask(() => port.close()); } //! use-after-move`,
  "what a timer returns, nobody takes": `
    setTimeout(() => client.open(1), 10); //! unconsumed-port
    setTimeout(() => { client.open(2).close(); }, 10);`,
  "a promise that goes on without its port": `
    client.openAsync(1).then(() => work()); //! unconsumed-port
    client.openAsync(1).then((port) => port.close());`,
  "one of several, or a time that is over": `
    const sent = client.open(1).send(), pending = client.open(2).send().recvAsync();
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, 5));
    (await Promise.race([sent.recvAsync(), late]))?.close(); //! unconsumed-port
    const first = await Promise.race([pending, late]);
    if (first) first.close();
    else pending.then((port) => port.close());`,
  "a port of a handler, under whatever name": `
    const kept: PartialPort<false>[] = [];
    server.operatePort(1, (port) => { kept.push(port.send()); }); //! use-after-move
    server.operatePort(2, (port) => {
      const sent = port.send();
      setTimeout(() => sent.close()); //! use-after-move
    });
    server.operatePort(3, (port) => { const sent = port.send(); sent.close(); });`,
});
