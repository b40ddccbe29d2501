import { assertEquals } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { DebugRewrite, headed, readRecord } from "./debug_rewrite.ts";

Deno.test("readRecord() reads the head that headed() writes, and nothing else", () => {
  const format = JSON.parse(headed("x is 5", 7)) as string;
  const record = readRecord(format.replace("%u", "12"));
  assertEquals(record, { site: 7, way: 12, text: "x is 5" });
  for (const text of ["", "x is 5", "\ue0011 7 2\ue002", "\ue0017\ue002", " \ue0017 2\ue002"]) {
    assertEquals(readRecord(text), undefined, text);
  }
});

Deno.test("DebugRewrite takes names that the text does not use", () => {
  const rewrite = new DebugRewrite(new WgslText("fn debug_0() { let debug_way = 1; }"));
  const name = rewrite.helper("a", (name) => `fn ${name}() { }`);
  assertEquals(name, "debug_x_0");
  assertEquals(rewrite.helper("a", () => "never"), name);
  assertEquals(rewrite.generated, "fn debug_x_0() { }");
});

Deno.test("writtenOf() leaves comments and line breaks out", () => {
  const text = new WgslText("fn f() { a[ // why\n  i /* so */ + 1] = 2; }");
  const { body } = text.declarations.functions[0]!;
  assertEquals(new DebugRewrite(text).writtenOf(body), "a[ i + 1] = 2;");
});
