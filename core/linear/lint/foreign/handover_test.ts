import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

testMarked("handover", {
  "a function that somebody is given may run, or not": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    elsewhere(a.close.bind(a));
    a.use(fill);
    elsewhere({ done: () => b.close() });
    b.close();
    c.close();
    elsewhere(() => c.use(fill)); //! use-after-move
    elsewhere({ done() { c.close(); } }); //! double-move
    const d = client.open(4); //! unconsumed-port
    let isDone = false;
    elsewhere(() => { isDone = true; });
    if (isDone) d.close();`,
  "events come again, but for the last one": `
    addEventListener("unload", () => early.close());
    const early = client.open(1);
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    button.addEventListener("click", () => a.close()); //! double-move
    button.addEventListener("message", () => b.use(fill));
    button.addEventListener("close", () => b.close());
    button.addEventListener("error", () => b.close());
    button.addEventListener("click", () => c.close(), { once: true });
    socket.on("close", () => d.close()); //! double-move
    emitter.on(() => d.use(fill)); //! use-after-move
    d.close();`,
  "a listener that is told off by a signal, or a flag": `
    const [a, b] = [client.open(1), client.open(2)];
    button.addEventListener("click", () => a.close(), { signal });
    a.close();
    let isOver = false;
    button.addEventListener("end", () => { if (!isOver) b.close(); });
    isOver = true;
    b.close();`,
  "what a callback returns is taken, where somebody may want it": `
    declare const calls: { each(work: () => PartialPort<true>): void; go(work: () => void): void };
    calls.each(() => client.open(1));
    elsewhere(() => client.open(2));
    calls.go(() => client.open(3)); //! unconsumed-port
    socket.on("data", () => client.open(4)); //! unconsumed-port
    button.onclick = () => client.open(1); //! unconsumed-port
    others.forEach((id) => client.open(id)); //! unconsumed-port
    const view = <Button
      onClick={() => client.open(1).send()} //! unconsumed-port
      make={() => client.open(1)}
    />;`,
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
  "what lies in something that is handed over": `
    const [a, b, c, d] = [1, 2, 3, 4].map((opcode) => client.open(opcode)); //! unconsumed-port
    elsewhere([a], { b }, new Map([[1, c]]));
    b.close();
    console.log([d]);`,
  "a server answers when it is told to, with what there is by then": `
    declare const plain: { runAll(): void };
    const state = { isPaused: false };
    server.operatePort(1, (port) => { if (!state.isPaused) port.send().close(); }); //! unconsumed-port
    plain.runAll();
    state.isPaused = true;
    plain.runAll();`,
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
});

Deno.test("lint handover: a handler is one, whichever file gives it to the server", () => {
  const kit = 'import { TypedServer, type PartialPort } from "./linear/mod.ts"; ' +
    "const server = new TypedServer(plain); export const serve = " +
    "(work: (port: PartialPort<true>) => void) => server.operatePort(40_000, work);";
  const main = 'import { serve } from "./serve_kit.ts";\n' +
    "serve((port) => { if (bad) throw new Error('refused'); port.send().close(); });\n" +
    "serve((port) => { const sent = port.send(); setTimeout(() => sent.close()); });";
  const found = findingsAmong({ "serve_kit.ts": kit, "serve_main.ts": main });
  assertEquals(found.map(({ rule, message }) => [rule, message]), [
    ["use-after-move", "Port 'sent' is kept here, and the call is over"],
  ]);
});
