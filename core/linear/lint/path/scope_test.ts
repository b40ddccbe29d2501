import { assertEquals } from "@std/assert";
import { testMarked } from "../testdata/marked_source.ts";
import { Scope } from "./scope.ts";

Deno.test("Scope.find() looks from the inside to the outside", () => {
  const frame = {} as Scope["frame"];
  const outer = new Scope(undefined, frame);
  const inner = new Scope(outer);
  outer.variables.set("port", { value: 1, node: undefined });
  outer.variables.set("other", { value: 2, node: undefined });
  inner.variables.set("port", { value: 3, node: undefined });
  const values = ["port", "other", "none"].map((name) => inner.find(name)?.value);
  assertEquals(values, [3, 2, undefined]);
  assertEquals(inner.outermost === outer, true);
});

testMarked("scope", {
  "a name of a block hides one from outside": `
    const port = client.open(1);
    { const port = client.open(2); port.use(fill); } //! unconsumed-port
    try { work(); } catch (port) { port.close(); }
    port.close();`,
  "var belongs to the function": `
    function f() {
      if (ready) { var port = client.open(1); }
      port?.close();
      var port = client.open(2); //! unconsumed-port
    }`,
  "a function sees the names that are around it, not around its call": `
    const port = client.open(1);
    function end() { port.close(); }
    function f() { const port = client.open(2); end(); } //! unconsumed-port
    f();
    port.use(fill); //! use-after-move`,
});
