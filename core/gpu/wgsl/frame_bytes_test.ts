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

Deno.test("structBytesMax() follows aliases", () => {
  const source = `
    alias Point = vec3f; alias Points = array<Point, 4>; alias Whole = Frame;
    struct Frame { at: Point, list: Points }`;
  assertEquals(structBytesMax(source, "Frame"), 80);
  assertEquals(structBytesMax(source, "Whole"), 80);
});

Deno.test("structBytesMax() computes constant expressions", () => {
  const bytesOf = (count: string) => {
    const constants = "const N = 2u; const M: u32 = N * (3 + 0x1u) - 4 / 2;"; // 6
    return structBytesMax(`${constants} struct Frame { x: array<u32, ${count}> }`, "Frame");
  };
  const cases: readonly (readonly [count: string, value: number])[] = [
    ["M", 6],
    ["M + 1u", 7],
    ["(1u << 3u) | 1", 9],
    ["0x1fu ^ 0x0fu", 16],
    ["7 % 4", 3],
    ["0x10u", 16],
    ["10 - 2 - 3", 5],
    ["(M + N) / 3", 2],
    ["~0 & 15", 15],
    ["(9 >> 1)", 4],
  ];
  for (const [count, value] of cases) assertEquals(bytesOf(count), value * 16, count);
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
  for (const count of ["N", "f(2)", "2.5", "1 - 1", "(2", "2 3", ""]) {
    const text = `struct Frame { x: array<u32, ${count}> }`;
    assertThrows(() => structBytesMax(text, "Frame"), TypeError, "array", count);
  }
  assertThrows(() => structBytesMax("alias A = B; alias B = A;", "A"), TypeError, "A");
  assertThrows(() => structBytesMax("", "Frame"), TypeError, "Frame");
});
