import { assertEquals } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { namedType } from "../../syntax/value_type.ts";
import { shownText, shownValue } from "./trace_note.ts";

function formatOf(type: string): string | undefined {
  const text = new WgslText(`alias T = ${type}; struct S { a: f32, b: vec2<bool>, c: array<i32, 2> }
const N = 2;`);
  return shownValue(text, namedType(text, text.declarations.aliases.get("T")!), "v")?.format;
}

Deno.test("shownValue() shows every type that has a value", () => {
  assertEquals(formatOf("vec3h"), "(%.4g, %.4g, %.4g)");
  assertEquals(formatOf("mat2x3f"), "[%.7v3g, %.7v3g]");
  assertEquals(formatOf("array<u32, N + 1>"), "[%u, %u, %u]");
  assertEquals(
    shownText(formatOf("S")!.replaceAll("%u", "1")),
    "{a: %.7g, b: (true, true), c: [%d, %d]}",
  );
  for (const type of ["array<u32>", "sampler", "texture_2d<f32>", "array<u32, 99>", "Unknown"]) {
    assertEquals(formatOf(type), undefined, type);
  }
});
