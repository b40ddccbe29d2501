import { assertEquals } from "@std/assert";
import { ts } from "../program/compiler.ts";
import { checkedFile } from "../testdata/marked_source.ts";
import {
  bare,
  baseOf,
  calleeName,
  contextOf,
  isFunction,
  isStatic,
  propertyName,
} from "./syntax.ts";

function parsed(text: string): readonly ts.Node[] {
  const mode = ts.ScriptTarget.ESNext;
  return ts.createSourceFile("a.ts", text, mode, true).statements;
}

/** The expression that a text is. */
function expressionOf(text: string): ts.Node {
  const [statement] = parsed(`_ = ${text};`);
  return ((statement as ts.ExpressionStatement).expression as ts.BinaryExpression).right;
}

Deno.test("bare() takes casts and parentheses off", () => {
  for (const text of ["a", "a!", "a as B", "<B> a", "(a satisfies B)!", "((a))", "a<B>"]) {
    assertEquals(bare(expressionOf(text)).getText(), "a", text);
  }
});

Deno.test("propertyName() names what is written as a name", () => {
  const names = ["a.b", "a?.b", "a.#b", "a[b]", "a['b']", "a[0]", "a[Symbol.dispose]", "a[b.c]"]
    .map((text) => propertyName(expressionOf(text)));
  assertEquals(names, ["b", "b", "#b", "", "b", "0", "Symbol.dispose", ""]);
});

Deno.test("calleeName() is what a program calls a function", () => {
  const names = ["f()", "a.b()", "a.b.c()", "f()()"].map((text) =>
    calleeName(expressionOf(text) as ts.CallExpression)
  );
  assertEquals(names, ["f", "a.b", ".c", ""]);
});

Deno.test("baseOf() and isStatic() read a class", () => {
  const of = (text: string) => expressionOf(text) as ts.ClassExpression;
  assertEquals(baseOf(of("class extends a.B<C> implements D {}"))?.getText(), "a.B");
  assertEquals(baseOf(of("class implements D {}")), undefined);
  const { members } = of(
    "class { static a = 1; b() {} static { c(); } static get d() { return 1; } }",
  );
  assertEquals(members.map(isStatic), [true, false, false, true]);
});

Deno.test("contextOf() is what is wanted where a function is written", () => {
  const { source, checker } = checkedFile(`
    interface Work { begin(count: number): void }
    const a: Work = { begin: (count) => {} }, b: Work = { begin(count) {} }, c = () => 1;
    function d() {}`);
  const wanted: (string | undefined)[] = [];
  const visit = (node: ts.Node): void => {
    const type = isFunction(node) ? contextOf(checker, node) : undefined;
    if (isFunction(node)) wanted.push(type && checker.typeToString(type));
    ts.forEachChild(node, visit);
  };
  visit(source);
  assertEquals(wanted, [
    "(count: number) => void",
    "(count: number) => void",
    undefined,
    undefined,
  ]);
});
