import { assertEquals } from "@std/assert";
import {
  bare,
  Binding,
  boundIdentifiers,
  child,
  children,
  flag,
  isFunction,
  literal,
  part,
  propertyName,
  Scope,
  SyntaxNode,
  word,
} from "./syntax.ts";
import { inTree } from "../testdata/marked_source.ts";

/** Looks at the expression that a program consists of. */
function inExpression<T>(text: string, look: (expression: SyntaxNode) => T): T {
  return inTree(`(${text});`, (tree) => {
    const statement = children(tree, "body")[0]!;
    return look(child(statement, "expression")!);
  });
}

Deno.test("bare() takes casts, parentheses and optional chains off", () => {
  for (const text of ["a", "a!", "a as B", "<B> a", "(a satisfies B)!", "((a))"]) {
    assertEquals(inExpression(text, (node) => bare(node).type), "Identifier", text);
  }
  assertEquals(inExpression("a?.b", (node) => bare(node).type), "MemberExpression");
});

Deno.test("propertyName() names what is written as a name", () => {
  assertEquals(inExpression("a.b", propertyName), "b");
  assertEquals(inExpression("a[b]", propertyName), "");
  assertEquals(inExpression("a['b']", propertyName), "b");
  assertEquals(inExpression("a[0]", propertyName), "0");
  assertEquals(inExpression("a[Symbol.dispose]", propertyName), "Symbol.dispose");
  assertEquals(inTree("class C { #b; f() { this.#b; } }", () => "parsed"), "parsed");
});

Deno.test("literal() gives the value of literals only", () => {
  assertEquals(inExpression("true", literal), true);
  assertEquals(inExpression("1", literal), 1);
  assertEquals(inExpression("a", literal), undefined);
});

Deno.test("boundIdentifiers() finds every name of a pattern, from left to right", () => {
  const program = "const { a, b: [c, d = 1], ...e } = x;";
  const names = inTree(program, (tree) => {
    const declarator = children(children(tree, "body")[0]!, "declarations")[0]!;
    return boundIdentifiers(child(declarator, "id")).map((one) => word(one, "name"));
  });
  assertEquals(names, ["a", "c", "d", "e"]);
});

Deno.test("part() gives a node of no type for what is not there", () => {
  assertEquals(inExpression("a.b", (node) => part(node, "object").type), "Identifier");
  const nothing = inExpression("a.b", (node) => part(node, "test"));
  assertEquals([nothing.type, part(nothing, "left").type, bare(nothing).type], ["", "", ""]);
});

Deno.test("children() reads a list, and nothing from other fields", () => {
  assertEquals(inExpression("[a, b]", (node) => children(node, "elements").length), 2);
  assertEquals(inExpression("[a, b]", (node) => children(node, "type").length), 0);
  assertEquals(inExpression("[, b]", (node) => children(node, "elements")[0]!.type), "");
  assertEquals(inExpression("[, b]", (node) => children(node, "range").length), 0);
});

Deno.test("isFunction() knows every form that has a body", () => {
  assertEquals(inExpression("() => 1", isFunction), true);
  assertEquals(inExpression("function () {}", isFunction), true);
  assertEquals(inExpression("f()", isFunction), false);
  assertEquals(inExpression("async () => 1", (node) => flag(node, "async")), true);
});

Deno.test("SyntaxNode reads a field once, and gives the same node again", () => {
  let reads = 0;
  const packed = {
    type: "A",
    range: [0, 1] as const,
    get inner() {
      reads++;
      return { type: "B", range: [0, 1] };
    },
  };
  const node = new SyntaxNode(packed);
  assertEquals([child(node, "inner")?.type, child(node, "inner") === child(node, "inner")], [
    "B",
    true,
  ]);
  assertEquals([reads, node.field("missing"), node.field("missing")], [1, undefined, undefined]);
});

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

Deno.test("Binding.isFixed is true of names that keep their value, whatever is assigned", () => {
  const scope = new Scope();
  const constant = ["const", "let", "using", "await using", "var", "parameter"]
    .filter((declaredAs) => {
      const binding = new Binding(named("a"), { scope, declaredAs });
      binding.isAssigned = true;
      return binding.isFixed;
    });
  assertEquals(constant, ["const", "using", "await using"]);
});

Deno.test("Binding.isFixed is true of names that nobody assigns to", () => {
  const binding = new Binding(named("a"), { scope: new Scope(), declaredAs: "let" });
  assertEquals(binding.isFixed, true);
  binding.isAssigned = true;
  assertEquals(binding.isFixed, false);
});
