import { assertEquals } from "@std/assert";
import { Binding, Scope } from "./scope.ts";
import { SyntaxNode } from "./syntax.ts";

function named(name: string): SyntaxNode {
  const packed = { type: "Identifier", range: [0, 1], name } as const;
  return new SyntaxNode(packed);
}

Deno.test("Scope.resolve() looks outwards and finds the nearest", () => {
  const outer = new Scope();
  const inner = new Scope(outer);
  const shadowed = outer.declare(named("a"), { declaredAs: "const" });
  const near = inner.declare(named("a"), { declaredAs: "const" });
  const far = outer.declare(named("b"), { declaredAs: "const" });
  assertEquals(inner.resolve("a") === near, true);
  assertEquals(outer.resolve("a") === shadowed, true);
  assertEquals(inner.resolve("b") === far, true);
  assertEquals(inner.resolve("c"), undefined);
});

Deno.test("Scope.declare() puts a var where its function is, once", () => {
  const body = new Scope(new Scope(), true);
  const block = new Scope(new Scope(body));
  const first = block.declare(named("a"), { declaredAs: "var" });
  const again = body.declare(named("a"), { declaredAs: "var" });
  assertEquals([first === again, body.bindings.size, block.bindings.size], [true, 1, 0]);
});

Deno.test("Scope.resolveType() finds a type with the scope it stands in", () => {
  const outer = new Scope();
  const node = named("T");
  outer.declareType("T", node);
  const found = new Scope(outer).resolveType("T");
  assertEquals([found?.node === node, found?.scope === outer], [true, true]);
  assertEquals([outer.ownType("T") === node, new Scope(outer).ownType("T")], [true, undefined]);
  assertEquals(outer.resolveType("U"), undefined);
});

Deno.test("Scope.thisType is that of the nearest class or object", () => {
  const outer = new Scope();
  const inner = new Scope(new Scope(outer));
  assertEquals(inner.thisType, undefined);
  outer.self = () => ({ kind: "client" });
  assertEquals(inner.thisType, { kind: "client" });
});

Deno.test("Binding.isConstant is true of names that keep their value", () => {
  const scope = new Scope();
  const constant = ["const", "let", "using", "await using", "var", "parameter"]
    .filter((declaredAs) => new Binding(named("a"), { scope, declaredAs }).isConstant);
  assertEquals(constant, ["const", "using", "await using"]);
});

Deno.test("Binding.isFixed is true of names that nobody assigns to", () => {
  const binding = new Binding(named("a"), { scope: new Scope(), declaredAs: "let" });
  assertEquals(binding.isFixed, true);
  binding.isAssigned = true;
  assertEquals(binding.isFixed, false);
});

Deno.test("Binding.functionNode is the function that the name always stands for", () => {
  const scope = new Scope();
  const arrow = new SyntaxNode({ type: "ArrowFunctionExpression", range: [0, 1] });
  const nodeOf = (declaredAs: string, init: SyntaxNode) =>
    new Binding(named("a"), { scope, declaredAs, init }).functionNode;
  assertEquals(nodeOf("const", arrow) === arrow, true);
  assertEquals(nodeOf("function", arrow) === arrow, true);
  assertEquals(nodeOf("let", arrow), undefined);
  assertEquals(nodeOf("const", named("b")), undefined);
});
