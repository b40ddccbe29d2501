import { assertEquals } from "@std/assert";
import { tokensOf } from "./tokens.ts";

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
