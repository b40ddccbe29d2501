import { assertEquals } from "@std/assert";
import { StatementCuts } from "./statement_cuts.ts";

Deno.test("StatementCuts leaves out statements from the last one on, and closes what is open", () => {
  const cuts = new StatementCuts(
    "fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } return vec2f(); } fn g() { h(); }",
  );
  const texts = Array.from({ length: cuts.parts.length + 1 }, (_, count) => cuts.first(count));
  const zero = "return vec2f();";
  assertEquals(texts, [
    `fn f(a: u32) -> vec2f { ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { default: {} } ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: {} default: {} } ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g();} default: {} } ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {}} ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {}} ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } return vec2f(); ${zero}} fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } return vec2f(); } fn g() {}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } return vec2f(); } fn g() { h();}`,
    `fn f(a: u32) -> vec2f { switch a { case 1u: { g(); } default: {} } return vec2f(); } fn g() { h(); }`,
  ]);
});

Deno.test("StatementCuts takes the head of a for as one part", () => {
  const cuts = new StatementCuts("fn f() { for (var i = 0; i < 2; i++) { g(i); } }");
  assertEquals(cuts.parts.length, 4);
  assertEquals(cuts.first(1), "fn f() { for (var i = 0; i < 2; i++) {}}");
});
