import { assertEquals } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { assertCalls, rewriteAssert } from "./assert_calls.ts";
import { DebugRewrite } from "./debug_rewrite.ts";

function rewritten(body: string): string {
  const text = new WgslText(`fn f(x: u32) { ${body} }`);
  const rewrite = new DebugRewrite(text);
  for (const call of assertCalls(text).values()) {
    rewriteAssert(rewrite, call, { site: 3, stop: "return;" });
  }
  return text.edited(rewrite.edits).slice(15, -2);
}

Deno.test("rewriteAssert() makes an if of each form", () => {
  const head = `"\ue0013 %u\ue002`;
  assertEquals(
    rewritten("assert(x < 2);"),
    `if !(x < 2) { printf(${head}", debug_way); return; };`,
  );
  assertEquals(
    rewritten("assert(x < 2,);"),
    `if !(x < 2 ) { printf(${head}", debug_way); return; };`,
  );
  assertEquals(
    rewritten('assert(x < 2, "x %u", x);'),
    `if !(x < 2) { printf( ${head}x %u", debug_way, x); return; };`,
  );
});

Deno.test("assertCalls() leaves members and other names alone", () => {
  assertEquals(assertCalls(new WgslText("fn f() { const_assert true; a.assert(1); }")).size, 0);
});
