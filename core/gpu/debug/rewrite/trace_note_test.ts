import { assertEquals, assertStringIncludes } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { namedType } from "../../syntax/value_type.ts";
import { DebugRewrite } from "./debug_rewrite.ts";
import { traceNote } from "./trace_note.ts";

Deno.test("traceNote() hands over every value that can be shown, and no other", () => {
  const shown = ["vec3h", "mat2x3f", "array<u32, N + 1>", "S", "array<u32, 99>"];
  const others = ["array<u32>", "sampler", "texture_2d<f32>", "array<S, 99>", "Unknown"];
  for (const written of [...shown, ...others]) {
    const text = new WgslText(`alias T = ${written};
struct S { a: f32, b: vec2<bool>, c: array<i32, 2> } const N = 2;`);
    const rewrite = new DebugRewrite(text);
    const type = namedType(text, text.declarations.aliases.get("T")!);
    const note = traceNote(rewrite, 3, { text: "x", type });
    const isShown = shown.includes(written);
    assertEquals(note.endsWith(", x);"), isShown, written);
    assertStringIncludes(rewrite.generated, isShown ? "%.7v" : "?", written);
  }
});
