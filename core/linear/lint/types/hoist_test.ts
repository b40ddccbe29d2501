import { assertEquals } from "@std/assert";
import { inTree } from "../testdata/marked_source.ts";
import { Scope } from "../syntax/syntax.ts";
import { children } from "../syntax/syntax.ts";
import { hoist } from "./hoist.ts";

Deno.test("hoist() declares what statements declare, and how", () => {
  const program = "const a = 1, { b, c: [d, ...e] } = x; function f() {} class C {} enum E {}" +
    "using u = x; export let g = 2; namespace N {} type T = 1; { const hidden = 1; }";
  const found = inTree(program, (tree) => {
    const scope = new Scope();
    hoist(scope, children(tree, "body"));
    return [...scope.bindings.values()].map(({ name, declaredAs }) => `${declaredAs} ${name}`);
  });
  assertEquals(found, [
    "const a",
    "const b",
    "const d",
    "const e",
    "function f",
    "class C",
    "enum E",
    "using u",
    "let g",
    "namespace N",
  ]);
});
