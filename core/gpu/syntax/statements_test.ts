import { assertEquals, assertThrows } from "@std/assert";
import { expressionsIn, readBlock, type Statement, statementsIn } from "./statements.ts";
import { TokenReader, tokensOf } from "./tokens.ts";

function refuse(index: number, reason: string): never {
  throw new SyntaxError(`${index}: ${reason}`);
}

function read(text: string): readonly Statement[] {
  return readBlock(new TokenReader(tokensOf(`{${text}}`), 0, refuse)).statements;
}

function only<K extends Statement["kind"]>(text: string, kind: K): Statement & { kind: K } {
  const [statement, ...others] = read(text);
  assertEquals([statement?.kind, others.length], [kind, 0], text);
  return statement as Statement & { kind: K };
}

Deno.test("readBlock() reads each kind of statement", () => {
  const text = `var a = 1u; let b: vec2<f32> = vec2f(); const c = 2; a = 3u; a >>= 1u; _ = f();
    a++; b[1].x--; f(a); return; ; { a = 2u; } const_assert c > 1; break; continue; discard;`;
  const kinds = read(text).map(({ kind }) => kind).join(" ");
  const declares = "declare declare declare";
  const wanted = `${declares} assign assign assign increment increment call return block`;
  assertEquals(kinds, `${wanted} other break continue other`);
});

Deno.test("readBlock() keeps the parts of declarations and assignments", () => {
  const { keyword, name, type, value } = only("var<function> a: array<u32, 2> = b;", "declare");
  const tokens = tokensOf("{var<function> a: array<u32, 2> = b;}");
  const typeText = tokens.slice(type.start, type.end).map(({ text }) => text).join("");
  assertEquals([keyword, tokens[name]!.text, typeText, value?.text], [
    "var",
    "a",
    "array<u32,2>",
    "b",
  ]);
  assertEquals(only("let a = 1;", "declare").type, { start: 0, end: 0 });
  assertEquals(only("a.b >>= 2u;", "assign").operator, ">>=");
  assertEquals(only("_ = a;", "assign").target, undefined);
});

Deno.test("readBlock() reads chains of if, with and without parentheses", () => {
  const first = only("if (a & b) == 0u { x = 1; } else if c { } else { y = 2; }", "if");
  assertEquals([first.condition.text, first.then.statements.length], ["==", 1]);
  const second = first.otherwise!;
  assertEquals([second.kind, second.kind === "if" && second.otherwise?.kind], ["if", "block"]);
});

Deno.test("readBlock() reads the clauses of a switch", () => {
  const { clauses } = only(
    "switch a { case 1, 2u: { } case default { } case N, default, { } }",
    "switch",
  );
  assertEquals(clauses.map(({ isDefault }) => isDefault), [false, true, true]);
  assertEquals(only("switch (a) { default: { b(); } }", "switch").clauses.length, 1);
});

Deno.test("readBlock() reads the parts of loops", () => {
  const forLoop = only("for (var i = 0u; i < 3u; i++) { f(i); }", "loop");
  assertEquals([forLoop.init?.kind, forLoop.condition?.text, forLoop.continuing[0]?.kind], [
    "declare",
    "<",
    "increment",
  ]);
  const bare = only("for (;;) { }", "loop");
  assertEquals([bare.init, bare.condition, bare.continuing.length], [undefined, undefined, 0]);
  const loop = only("loop { a(); continuing { b(); ; c(); break if d; } }", "loop");
  assertEquals([loop.body.statements.length, loop.continuing.length, loop.breakIf?.text], [
    1,
    2,
    "d",
  ]);
  assertEquals(only("while a { }", "loop").condition?.text, "a");
});

Deno.test("readBlock() passes over attributes", () => {
  only("@diagnostic(off, derivative_uniformity) if a { }", "if");
  only("if a @diagnostic(off, x) { }", "if");
});

Deno.test("readBlock() refuses what is no statement", () => {
  assertThrows(() => read("a + 1;"), SyntaxError, "= is expected and not ;");
  assertThrows(() => read("a = 1"), SyntaxError, "; is expected and not }");
  assertThrows(() => read("if a b"), SyntaxError, "{ is expected and not b");
  assertThrows(() => read("switch a { b: {} }"), SyntaxError, "default is expected and not b");
  assertThrows(() => read("let = 1;"), SyntaxError, "a name is expected and not =");
});

Deno.test("expressionsIn() and statementsIn() give what a statement is made of", () => {
  const texts = (text: string) => expressionsIn(read(text)[0]!).map((one) => one.text);
  assertEquals(texts("a[b] = c;"), ["[]", "c"]);
  assertEquals(texts("for (a = 1; b; c++) { d(); }"), ["b"]);
  assertEquals(texts("loop { continuing { break if a; } }"), ["a"]);
  assertEquals(
    ["return a;", "if a {}", "switch a { default {} }", "a++;", "f();"].map(texts).flat(),
    [
      "a",
      "a",
      "a",
      "a",
      "f",
    ],
  );
  const inner = (text: string) => statementsIn(read(text)[0]!).map(({ kind }) => kind);
  assertEquals(inner("for (a = 1; b; c++) { d(); }"), ["assign", "block", "increment"]);
  assertEquals(inner("if a {} else if b {}"), ["block", "if"]);
  assertEquals(inner("switch a { case 1 {} default {} }"), ["block", "block"]);
  assertEquals(inner("{ a(); return; }"), ["call", "return"]);
  assertEquals(inner("a();"), []);
});
