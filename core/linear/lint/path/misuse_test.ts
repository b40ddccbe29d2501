import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

testMarked("misuse", {
  "what is wrong with a port in one way is said once on a path": `
    const port = client.open(1);
    port.close();
    port.use(fill); //! use-after-move
    port.use(fill);
    port.close(); //! double-move
    port.close();`,
  "each name of a port is the port": `
    const port = client.open(1), other = port;
    other.close();
    port.close(); //! double-move
    const maybe = client.tryOpen(1), same = maybe;
    if (same.present) same.value.close();
    if (maybe.present) maybe.value.use(fill); //! use-after-move
    const third = client.tryOpen(1);
    if (!third.present) Deno.exit(1);
    third.value.send().close();
    (third!.value as OwnedPort<0>)?.close(); //! double-move`,
  "the call came too late, not what it does": `
    function end(port) { port.close(); }
    function look(port) { port.use(fill); }
    function tidy(port) { port[Symbol.dispose](); }
    function outer(port) { look(port); end(port); }
    const port = client.open(1);
    port.close();
    tidy(port);
    outer(port); //! double-move use-after-move`,
  "what a closure does stands in it": `
    const port = client.open(1);
    port.close();
    const finish = () => port.close(); //! double-move
    finish();`,
  "a function that wants a port is given one that is over": `
    declare function borrow(port: Lent<PartialPort<true>>): void;
    function take(one: PartialPort<true>) {}
    function see(one: Lent<PartialPort<true>>) {}
    const port = client.open(1), other = client.open(1);
    port.close();
    take(port); //! double-move
    see(port); //! use-after-move
    other.close();
    borrow(other); //! use-after-move`,
  "what using closes is told where it is kept": `
    const kept = new Set<PartialPort<true>>();
    export const holder: { port?: PartialPort<true> } = {};
    export function f() {
      using a = client.open(1), b = client.open(2), c = client.open(3), d = client.open(4);
      const own = new Set([d]);
      kept.add(a); //! use-after-move
      holder.port = b; //! use-after-move
      setTimeout(() => c.use(work), 1); //! use-after-move
      return move(d);
    }
    let last: PartialPort<true>;
    { using port = client.open(1); last = port; }
    last.use(fill); //! use-after-move`,
});

Deno.test("lint misuse: what another file does is told at its call", () => {
  const head = `import { TypedClient, type PartialPort } from "./linear/mod.ts";`;
  const findings = findingsAmong({
    "end.ts":
      `${head} export function end(port: PartialPort<true>) { port.close(); port.close(); }`,
    "user.ts": `${head} import { end } from "./end.ts"; declare const client: TypedClient;
      const port = client.open(1); end(port);`,
  });
  const texts = findings.map(({ node, rule }) => `${node.getText()} ${rule}`);
  assertEquals(texts, ["end(port) double-move"]);
});
