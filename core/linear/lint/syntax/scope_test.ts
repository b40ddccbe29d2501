import { assertEquals } from "@std/assert";
import { Scope } from "./scope.ts";
import { children } from "./syntax.ts";
import { inTree } from "../testdata/marked_source.ts";

function scopeOf<T>(program: string, look: (scope: Scope) => T): T {
  return inTree(program, (tree) => {
    const scope = new Scope();
    scope.hoist(children(tree, "body"));
    return look(scope);
  });
}

Deno.test("Scope.hoist() declares what a block declares before it runs", () => {
  const program = `
    import { a } from "b";
    const c = 1, { d: [e] } = x;
    using f = g;
    function h() { const inner = 1; }
    export class I {}
    export const j = () => 1;
    { let k; }`;
  const names = scopeOf(program, ({ bindings }) => [...bindings.keys()]);
  assertEquals(names, ["c", "e", "f", "h", "I", "j"]);
});

Deno.test("Scope.hoist() remembers which names are functions", () => {
  const program = "function f() {} const g = () => 1; const h = f; async function* i() {}";
  const functions = scopeOf(program, ({ bindings }) => {
    return [...bindings.values()].filter((one) => one.localFunction).map((one) => one.name);
  });
  assertEquals(functions, ["f", "g", "i"]);
});

Deno.test("Binding.isConstant is true of names that keep their value", () => {
  const constant = scopeOf("const a = 1; let b; using c = x; var d;", ({ bindings }) => {
    return [...bindings.values()].filter((one) => one.isConstant).map((one) => one.name);
  });
  assertEquals(constant, ["a", "c"]);
});

Deno.test("Scope.resolve() looks outwards and finds the nearest", () => {
  const [outer, isSame, missing] = scopeOf("const a = 1; const b = 2;", (scope) => {
    const inner = new Scope(scope, 1);
    return [
      inner.resolve("a")?.name,
      inner.resolve("b") === scope.resolve("b"),
      inner.resolve("c"),
    ];
  });
  assertEquals([outer, isSame, missing], ["a", true, undefined]);
});

Deno.test("Scope.field() finds the fields of the class around", () => {
  const names = inTree("class C { #a = new A(); b: B; c() {} d = () => 1; e; }", (tree) => {
    const scope = new Scope();
    const body = children(tree, "body")[0] as unknown as { readonly body: never };
    scope.hoistFields(body.body);
    return ["#a", "b", "c", "d", "e"].filter((name) => new Scope(scope).field(name));
  });
  assertEquals(names, ["#a", "b"]);
});
