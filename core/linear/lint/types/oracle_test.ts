import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

testMarked("oracle", {
  "what a name is said to be hides no port": `
    const port: Disposable = client.open(1); //! unconsumed-port
    const other: { close(): void } = client.open(2); //! unconsumed-port`,
  "nothing is no port, whatever it is said to be": `
    let port = undefined as PartialPort<true> | undefined;
    if (ready) port = client.open(1);
    port?.close();`,
  "a function may be written below its call, and under another name": `
    const end = finish;
    const port = client.open(1);
    end(port);
    port.close(); //! double-move
    function finish(port: PartialPort<true>) { port.close(); }`,
  "cases that are all there are": `
    enum State { ready, busy }
    declare const state: State;
    const [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    switch (state) {
      case State.ready: a.close(); break;
      case State.busy: a.close();
    }
    switch (state) {
      case State.ready: b.close();
    }`,
});

Deno.test("ports are followed from wherever they come", () => {
  const kit = 'import { TypedClient } from "./linear/mod.ts"; export { move as give } ' +
    'from "./linear/mod.ts"; declare const client: TypedClient; export default client; ' +
    "export const begin = () => client.open(1); export class Desk { rpc = client; }";
  const main = 'import rpc, { begin, Desk, give } from "./kit.ts";\n' +
    "const a = begin(); a.close(); a.close();\n" +
    "rpc.open(1);\n" +
    "const b = new Desk().rpc.open(2);\n" +
    "const c = begin(); export const kept = give(c); c.close();";
  const found = findingsAmong({ "kit.ts": kit, "main.ts": main }).map(({ rule }) => rule);
  assertEquals(found, ["double-move", "unconsumed-port", "unconsumed-port", "double-move"]);
});
