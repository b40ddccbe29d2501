import { testMarked } from "./testdata/marked_source.ts";

testMarked("closures", {
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
  "this": `
    function end(this: PartialPort<true>, other: PartialPort<true>) { this.close(); other.close(); }
    const port = client.open(1), other = client.open(2);
    end.call(port, client.open(3));
    port.use(fill); //! use-after-move
    function finish(this: { n: number }, port: PartialPort<true>): void { port.close(); }
    ({ n: 1, finish }).finish(other);
    other.close(); //! double-move`,
  "with several types, or another name": `
    function end(port: OwnedPort<0>): void;
    function end(port: OwnedPort<1>): void;
    function end(port: { close(): void }): void { port.close(); }
    const port = client.open(1), finish = end;
    end(port as OwnedPort<0>);
    finish(port); //! double-move`,
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
  "ordinary code": `
    const file = fs.open("x");
    file.send(1);
    file.send(2);
    for (const x of [1, 2].map((x) => x + 1)) console.log(x, file);`,
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
  "the second call sees what the first has left": `
    const table = new Map<number, string>();
    let last: string | undefined;
    server.operatePort(2, (port) => { if (last === undefined) port.send().close(); last = "a"; }); //! unconsumed-port
    server.operatePort(3, (port) => { if (table.has(0)) return; table.set(0, "b"); port.send().close(); }); //! unconsumed-port`,
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
});
