import { assertEquals } from "@std/assert";
import { ts } from "../program/compiler.ts";
import {
  bare,
  boundIdentifiers,
  calleeName,
  constantOf,
  isFunction,
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

Deno.test("constantOf() gives the value of constants only", () => {
  const values = ["true", "1", "'a'", "null", "void 0", "undefined", "a", "f()"].map((text) =>
    constantOf(expressionOf(text))
  );
  const expected = [
    "true",
    "1",
    "string a",
    "null",
    "undefined",
    "undefined",
    undefined,
    undefined,
  ];
  assertEquals(values, expected);
});

Deno.test("boundIdentifiers() finds every name of a pattern, from left to right", () => {
  const [declared, assigned] = parsed(
    "const { a, b: [c, d = 1], ...e } = x; ({ a, b: [, d = 1], ...e } = x);",
  );
  const pattern = (declared as ts.VariableStatement).declarationList.declarations[0]!.name;
  const target = bare((assigned as ts.ExpressionStatement).expression) as ts.BinaryExpression;
  const namesIn = (node: ts.Node) => boundIdentifiers(node).map(({ text }) => text);
  assertEquals(namesIn(pattern), ["a", "c", "d", "e"]);
  assertEquals(namesIn(target.left), ["a", "d", "e"]);
});

Deno.test("isFunction() knows every form that has a body", () => {
  const forms = ["() => 1", "function () {}", "f()", "class { a() {} }"].map((text) =>
    isFunction(expressionOf(text))
  );
  assertEquals(forms, [true, true, false, false]);
});
