import { assertEquals, assertThrows } from "@std/assert";
import { type Expression, operatorAt, partsOf, readExpression, tokenCount } from "./expression.ts";
import { TokenReader, tokensOf } from "./tokens.ts";

function refuse(index: number, reason: string): never {
  throw new SyntaxError(`${index}: ${reason}`);
}

function read(text: string): Expression {
  return readExpression(new TokenReader(tokensOf(text), 0, refuse));
}

/** With parentheses around everything that has operands. */
function shown({ kind, text, operands }: Expression): string {
  const parts = operands.map(shown);
  if (kind === "binary") return `(${parts[0]} ${text} ${parts[1]})`;
  if (kind === "unary") return `(${text}${parts[0]})`;
  if (kind === "member") return `${parts[0]}.${text}`;
  if (kind === "index") return `${parts[0]}[${parts[1]}]`;
  if (kind === "call") return `${text}(${parts.join(", ")})`;
  return kind === "group" ? parts[0]! : text;
}

Deno.test("readExpression() binds operators as WGSL does", () => {
  const cases = [
    ["a + b * c - d", "((a + (b * c)) - d)"],
    ["a || b && c == d", "(a || (b && (c == d)))"],
    ["a << 1u >> 2u", "((a << 1u) >> 2u)"],
    ["a >= b", "(a >= b)"],
    ["a > b", "(a > b)"],
    ["a & b == c | d ^ e", "((a & (b == c)) | (d ^ e))"],
    ["-a * !b", "((-a) * (!b))"],
    ["-a.b[c]", "(-a.b[c])"],
    ["~(a + b) % 2", "((~(a + b)) % 2)"],
    ["(a & b) == 0u", "((a & b) == 0u)"],
  ] as const;
  for (const [text, wanted] of cases) assertEquals(shown(read(text)), wanted);
  assertEquals(shown(read("*p + a[1]")), "((*p) + a[1])");
});

Deno.test("readExpression() reads calls, and template lists of what is called", () => {
  assertEquals(shown(read("f(a, g(), vec2<f32>(1.0, b < c),)")), "f(a, g(), vec2(1.0, (b < c)))");
  const { start, open, end } = read("array<vec2<u32>, 2>(a, b)[1]").operands[0]!;
  const tokens = tokensOf("array<vec2<u32>, 2>(a, b)[1]");
  assertEquals([start, tokens[open!]!.text, tokens[end]!.text], [0, "(", "["]);
});

Deno.test("readExpression() ends where the expression ends", () => {
  for (const text of ["a += 1", "a >>= 1", "a; b", "a { b }", "a, b"]) {
    const reader = new TokenReader(tokensOf(text), 0, refuse);
    assertEquals([readExpression(reader).end, reader.at], [1, 1], text);
  }
});

Deno.test("readExpression() refuses what is none", () => {
  assertThrows(() => read("a + ;"), SyntaxError, "4: a value is expected and not ;");
  assertThrows(() => read("f(a b)"), SyntaxError, "4: , is expected and not b");
  assertThrows(() => read("(a"), SyntaxError, ") is expected and not the end");
  assertThrows(() => read("a[1"), SyntaxError, "] is expected");
});

Deno.test("operatorAt() puts > and = together where nothing is between them", () => {
  const at = (text: string) => operatorAt(new TokenReader(tokensOf(text), 0, refuse));
  const texts = [">= a", "> = a", ">> a", "> > a", ">>= a", "+= a", "<< a", "name"];
  assertEquals(texts.map(at), [">=", ">", ">>", ">", ">>=", "+=", "<<", ""]);
  assertEquals([">>=", "<<="].map(tokenCount), [3, 1]);
});

Deno.test("partsOf() gives an expression and everything in it", () => {
  const texts = [...partsOf(read("f(a, b.c) + 1"))].map(({ text }) => text);
  assertEquals(texts, ["+", "f", "a", "c", "b", "1"]);
});
