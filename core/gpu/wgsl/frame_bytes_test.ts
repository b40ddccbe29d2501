import { assertEquals, assertThrows } from "@std/assert";
import { structBytesMax } from "./frame_bytes.ts";

Deno.test("structBytesMax() is never below the exact size", () => {
  const cases: readonly (readonly [fields: string, exactBytes: number])[] = [
    ["sum: u32", 4],
    ["sum: u32, at: vec3f", 32],
    ["a: vec4<f32>, b: i32,", 32],
    ["m: mat4x3f", 64],
    ["list: array<u32, 10>", 40],
    ["list: array<vec3f, 4u>", 64],
    ["list: array<array<u32, 2>, 3>", 24],
  ];
  for (const [fields, exactBytes] of cases) {
    const bytes = structBytesMax(`struct Frame { ${fields} }`, "Frame");
    assertEquals(bytes >= exactBytes, true, `${fields}: ${bytes} of ${exactBytes}`);
  }
});

Deno.test("structBytesMax() follows structs and constants of the same text", () => {
  const source =
    "const COUNT = 5u; struct Part { x: f32 } struct Frame { parts: array<Part, COUNT> }";
  assertEquals(structBytesMax(source, "Frame"), 80);
});

Deno.test("structBytesMax() refuses what it cannot size", () => {
  assertThrows(
    () => structBytesMax("struct Frame { x: atomic<u32> }", "Frame"),
    TypeError,
    "atomic<u32>",
  );
  assertThrows(
    () => structBytesMax("struct Frame { x: array<u32, N> }", "Frame"),
    TypeError,
    "array of N",
  );
  assertThrows(() => structBytesMax("", "Frame"), TypeError, "Frame");
});
