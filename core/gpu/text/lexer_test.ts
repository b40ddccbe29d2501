import { assertEquals } from "@std/assert";
import { plainLines, stringOf, tokensOf } from "./lexer.ts";

function texts(source: string): string[] {
  return tokensOf(source).map(({ text }) => text);
}

/** The text with template lists in other brackets. */
function marked(source: string): string {
  return tokensOf(source).map(({ kind, text }) =>
    kind === "template" ? (text === "<" ? "⟨" : "⟩") : text
  ).join(" ");
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
  for (const { text, start } of tokensOf(source)) {
    assertEquals(source.slice(start, start + text.length), text);
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

Deno.test("stringOf() is what a literal stands for, if it is one of JSON", () => {
  assertEquals(['"a\\n\u2028"', '"\\q"', '"open'].map(stringOf), [
    "a\n\u2028",
    undefined,
    undefined,
  ]);
});

Deno.test("plainLines() ends lines by line feeds, but in strings", () => {
  for (const end of ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
    assertEquals(plainLines(`a // b"${end}/* " ${end} */${end}c`), 'a // b"\n/* " \n */\nc');
  }
  assertEquals(plainLines('\ufeffput("a\u2028b");\r\nc'), 'put("a\u2028b");\nc');
});
