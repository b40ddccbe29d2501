import { assertEquals, assertThrows } from "@std/assert";
import {
  closingOf,
  freeName,
  freePrefix,
  listParts,
  plainText,
  stringOf,
  TokenReader,
  tokensOf,
} from "./tokens.ts";

function texts(source: string): string[] {
  return tokensOf(source).map(({ text }) => text);
}

Deno.test("tokensOf() skips comments, and block comments that nest", () => {
  assertEquals(texts("a // b\nc /* d /* e */ f */ g"), ["a", "c", "g"]);
  assertEquals(texts("a /* /* b */ c\nd"), ["a", "/* /* b */ c\nd"]);
  for (const end of ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
    assertEquals(texts(`a // b${end}c`), ["a", "c"], JSON.stringify(end));
  }
});

Deno.test("tokensOf() says where each token begins", () => {
  const source = 'f("é😀", x) /* 😀 */ y';
  for (const { text, index } of tokensOf(source)) {
    assertEquals(source.slice(index, index + text.length), text);
  }
});

Deno.test("tokensOf() reads each kind of number as one token", () => {
  const numbers = ["0", "12u", "1i", "0x1Fu", "1.5", ".5f", "1.", "1e-3", "2E+4h", "0x1.8p-2f"];
  assertEquals(tokensOf(numbers.join(" ")).map(({ text }) => text), numbers);
  assertEquals(new Set(tokensOf(numbers.join(" ")).map(({ kind }) => kind)), new Set(["number"]));
  assertEquals(texts("v.x 1-2"), ["v", ".", "x", "1", "-", "2"]);
});

Deno.test("tokensOf() takes nothing in a string for a comment, and ends it with its line", () => {
  assertEquals(texts('p("a // /* \\" b", c)'), ["p", "(", '"a // /* \\" b"', ",", "c", ")"]);
  assertEquals(texts('"a\nb'), ['"a', "b"]);
});

Deno.test("tokensOf() reads names of other scripts, and keeps what is no WGSL", () => {
  assertEquals(tokensOf("Δέλτα §").map(({ kind, text }) => [kind, text]), [
    ["name", "Δέλτα"],
    ["mark", "§"],
  ]);
});

Deno.test("closingOf() finds the bracket that closes, or the end", () => {
  const tokens = tokensOf("f(a[(1)], vec2<f32>(b)) g");
  assertEquals(closingOf(tokens, 1), tokens.length - 2);
  assertEquals(closingOf(tokensOf("f(a"), 1), 3);
});

Deno.test("listParts() divides at the commas of the list alone", () => {
  const tokens = tokensOf("(a, f(b, c), array<u32, 2>(d, e), g < h, i > j,)");
  const parts = listParts(tokens, { start: 1, end: tokens.length - 1 });
  assertEquals(
    parts.map(({ start, end }) => tokens.slice(start, end).map(({ text }) => text).join("")),
    ["a", "f(b,c)", "array<u32,2>(d,e)", "g<h,i>j"],
  );
  assertEquals(listParts(tokens, { start: 1, end: 1 }), []);
});

Deno.test("TokenReader reads what it is told to, and refuses the rest", () => {
  const refused: string[] = [];
  const refuse = (index: number, reason: string): never => {
    refused.push(`${index}: ${reason}`);
    throw new SyntaxError(reason);
  };
  const reader = new TokenReader(tokensOf('a "a" b'), 0, refuse);
  assertEquals([reader.take("b"), reader.take("a"), reader.at], [false, true, 1]);
  assertEquals([reader.text, reader.take('"a"')], ['"a"', false]);
  assertThrows(() => reader.expectName(), SyntaxError);
  reader.at = 2;
  assertEquals([reader.expectName(), reader.text], [2, ""]);
  assertThrows(() => reader.expect(";"), SyntaxError);
  assertEquals(refused, ['2: a name is expected and not "a"', "6: ; is expected and not the end"]);
});

Deno.test("freePrefix() goes on until nothing begins with it", () => {
  const tokens = tokensOf("step_x_1 step_2 other");
  assertEquals([freePrefix(tokens, "step_"), freePrefix(tokens, "go_")], ["step_x_x_", "go_"]);
});

/** The text with template lists in other brackets. */
function marked(source: string): string {
  return tokensOf(source).map(({ kind, text }) =>
    kind === "template" ? (text === "<" ? "⟨" : "⟩") : text
  ).join(" ");
}

Deno.test("template lists are told from comparisons and shifts", () => {
  const cases = [
    ["vec2<f32>(a)", "vec2 ⟨ f32 ⟩ ( a )"],
    ["array<vec2<f32>>()", "array ⟨ vec2 ⟨ f32 ⟩ ⟩ ( )"],
    ["let x: vec2<u32>=y;", "let x : vec2 ⟨ u32 ⟩ = y ;"],
    ["array<u32, (n > 1)>", "array ⟨ u32 , ( n > 1 ) ⟩"],
    ["var<storage, read_write> a", "var ⟨ storage , read_write ⟩ a"],
    ["if a < b { c = d > e; }", "if a < b { c = d > e ; }"],
    ["a < b && c > d", "a < b && c > d"],
    ["a < b || c > d", "a < b || c > d"],
    ["f(a < b), c > d", "f ( a < b ) , c > d"],
    ["f(a < b) + g(c > d)", "f ( a < b ) + g ( c > d )"],
    ["a[b < c] > d", "a [ b < c ] > d"],
    ["a << b >> c", "a << b > > c"],
    ["a <= b >= c", "a <= b > = c"],
    ["1 < a > b", "1 < a > b"],
    ["fn f() -> vec3<f32> {}", "fn f ( ) -> vec3 ⟨ f32 ⟩ { }"],
  ] as const;
  for (const [source, wanted] of cases) {
    assertEquals(marked(source), wanted, source);
  }
});

Deno.test("two comparisons of a list look like a template list, as the specification says", () => {
  assertEquals(marked("f(a < b, c > (d))"), "f ( a ⟨ b , c ⟩ ( d ) )");
});

Deno.test("freeName() puts a number behind a name that is taken, and takes it", () => {
  const taken = new Set(["a", "a_2"]);
  assertEquals(["a", "a", "b"].map((name) => freeName(name, taken)), ["a_3", "a_4", "b"]);
});

Deno.test("plainText() says tokens in one way, and leaves operators whole", () => {
  const shown = (source: string) => {
    const tokens = tokensOf(source);
    return plainText(tokens, { start: 0, end: tokens.length });
  };
  assertEquals(["N*2", "N  * /**/ 2"].map(shown), ["N * 2", "N * 2"]);
  assertEquals(["9>>1u", "a > > b", "a>=b"].map(shown), ["9 >> 1u", "a > > b", "a >= b"]);
});

Deno.test("stringOf() is what a literal stands for, if it is one of JSON", () => {
  assertEquals(['"a\\n\u2028"', '"\\q"', '"open'].map(stringOf), [
    "a\n\u2028",
    undefined,
    undefined,
  ]);
});
