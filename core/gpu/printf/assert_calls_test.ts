import { assertEquals } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { assertCalls } from "./assert_calls.ts";

Deno.test("assertCalls() leaves members and other names alone", () => {
  assertEquals(assertCalls(new WgslText("fn f() { const_assert true; a.assert(1); }")).size, 0);
});
