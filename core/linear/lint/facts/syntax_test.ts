import { assertEquals } from "@std/assert";
import { ts } from "../program/compiler.ts";
import * as syntax from "./syntax.ts";

/** The first expression of a program. */
function expressionOf(text: string): ts.Expression {
  const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext, true);
  return (source.statements[0] as ts.ExpressionStatement).expression;
}

/** The first node with a text, in a program. */
function nodeIn(program: string, text: string): ts.Node {
  const visit = (node: ts.Node): ts.Node | undefined =>
    ts.forEachChild(node, visit) ?? (node.getText() === text ? node : undefined);
  return visit(expressionOf(program).getSourceFile())!;
}

Deno.test("what changes only the type of an expression is passed over", () => {
  assertEquals(syntax.bare(expressionOf("((a! as B) satisfies C);")).getText(), "a");
  assertEquals(syntax.parentOf(nodeIn("f((a!));", "a")).getText(), "f((a!))");
});

Deno.test("chains have a first name, and calls a last one", () => {
  const chain = expressionOf("move(port).send().recv();");
  assertEquals([syntax.startOf(chain).getText(), syntax.calledName(chain)], ["port", "recv"]);
  assertEquals(syntax.startOf(expressionOf("(await a.b[0]).c();")).getText(), "a");
  assertEquals(syntax.rootOf(expressionOf("a.b[c].d;")).getText(), "a");
  assertEquals(syntax.rootOf(expressionOf("f().d;")).getText(), "f()");
  assertEquals(syntax.calledName(expressionOf("a;")), "");
});

Deno.test("a value is kept by a list and by the left side of an assignment", () => {
  const keeperIn = (text: string) => syntax.keeperOf(nodeIn(text, "port"))?.getText();
  assertEquals(keeperIn("list.push(port);"), "list.push");
  assertEquals(keeperIn("this.a = (port);"), "this.a");
  assertEquals([keeperIn("f(port);"), keeperIn("port;")], [undefined, undefined]);
});

Deno.test("assignments are told from comparisons, and functions from their types", () => {
  const texts = ["a = b;", "a ??= b;", "a === b;", "a <= b;"];
  assertEquals(texts.map((one) => syntax.isAssignment(expressionOf(one))), [
    ...[true, true, false, false],
  ]);
  assertEquals(syntax.isFn(expressionOf("() => a;")), true);
  assertEquals(syntax.isFn(nodeIn("x as () => A;", "() => A")), false);
});

Deno.test("a node has an owner, and what takes it", () => {
  const name = nodeIn("f({ close: () => port });", "port");
  assertEquals(syntax.ownerOf(name).getText(), "() => port");
  assertEquals(syntax.takerOf(syntax.ownerOf(name)).getText(), "{ close: () => port }");
  assertEquals(syntax.isInside(name, syntax.ownerOf(name)), true);
  assertEquals(syntax.isInside(syntax.ownerOf(name), name), false);
});
