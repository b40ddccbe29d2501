import { assertEquals, assertThrows } from "@std/assert";
import { Types } from "./inference.ts";
import { layoutOf, structLayout } from "./layout.ts";
import { Module } from "./module.ts";
import { plain } from "./value_type.ts";

/** The bytes of a struct, or of an alias of one. */
function structBytes(source: string, name: string): number {
  const module = new Module(source);
  const types = new Types(module);
  const declared = module.byName.get(name);
  const type = declared?.kind === "alias" ? types.named(declared.type) : plain(name);
  return layoutOf(types, type).sizeBytes;
}

Deno.test("layoutOf() is what WGSL's rules say", () => {
  const cases: readonly (readonly [fields: string, bytes: number])[] = [
    ["sum: u32", 4],
    ["sum: u32, at: vec3f", 32],
    ["at: vec3f, sum: u32", 16],
    ["a: u32, b: vec2<f32>, c: u32", 24],
    ["a: f16, b: vec3h, c: f16", 16],
    ["a: vec4<f32>, b: i32,", 32],
    ["m: mat4x3f", 64],
    ["m: mat3x2<f32>", 24],
    ["list: array<u32, 10>", 40],
    ["list: array<vec3f, 4u>", 64],
    ["list: array<array<u32, 2>, 3>", 24],
    ["@size(20) a: u32, @align(16) b: u32", 48],
  ];
  for (const [fields, bytes] of cases) {
    assertEquals(structBytes(`struct Frame { ${fields} }`, "Frame"), bytes, fields);
  }
});

Deno.test("layoutOf() follows structs and constants of the same text", () => {
  const source =
    "const COUNT = 5u; struct Part { x: f32 } struct Frame { parts: array<Part, COUNT> }";
  assertEquals(structBytes(source, "Frame"), 20);
});

Deno.test("layoutOf() takes names in any script", () => {
  const source =
    "const LÄNGE = 2; struct Pünkt { ä: u32 } struct Frame { a: array<Pünkt, LÄNGE + 1> }";
  assertEquals(structBytes(source, "Frame"), 12);
});

Deno.test("layoutOf() follows aliases", () => {
  const source = `
    alias Point = vec3f; alias Points = array<Point, 4>; alias Whole = Frame;
    struct Frame { at: Point, list: Points }`;
  assertEquals(structBytes(source, "Frame"), 80);
  assertEquals(structBytes(source, "Whole"), 80);
});

Deno.test("layoutOf() computes constant expressions", () => {
  const bytesOf = (count: string) => {
    const constants = "const N = 2u; const M: u32 = N * (3 + 0x1u) - 4 / 2;"; // 6
    return structBytes(`${constants} struct Frame { x: array<u32, ${count}> }`, "Frame");
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
    ["(0x80000000u >> 30u)", 2],
    ["~0u / 0x40000000u", 3],
    ["(0xf0000000u | 1u) / 0x10000000u", 15],
    ["(-7 >> 1) + 6", 2],
    ["max(N, 3) + min(M, 2u) * abs(-2)", 7],
    ["clamp(M, 1u, 5u)", 5],
  ];
  for (const [count, value] of cases) assertEquals(bytesOf(count), value * 4, count);
});

Deno.test("layoutOf() refuses what it cannot size", () => {
  assertThrows(
    () => structBytes("struct Frame { x: sampler }", "Frame"),
    TypeError,
    "current value is sampler",
  );
  assertThrows(
    () => structBytes("struct Frame { x: array<u32, N> }", "Frame"),
    TypeError,
    "array of N",
  );
  for (const count of ["N", "f(2)", "f(2) | 1", "f(2) << 1u", "2.5", "1 - 1"]) {
    const text = `struct Frame { x: array<u32, ${count}> }`;
    assertThrows(() => structBytes(text, "Frame"), TypeError, "array", count);
  }
  assertThrows(() => structBytes("alias A = B; alias B = A;", "A"), TypeError, "is B");
  assertThrows(() => structBytes("", "Frame"), TypeError, "Frame");
  assertThrows(() => structBytes("", "toString"), TypeError, "toString");
});

Deno.test("layoutOf() has atomics, and bools as words", () => {
  const source =
    "struct Frame { x: atomic<u32>, y: array<atomic<i32>, 3>, z: vec2<bool>, w: bool }";
  assertEquals(structBytes(source, "Frame"), 32);
});

Deno.test("structLayout() puts values one behind the other", () => {
  const word = { sizeBytes: 4, alignBytes: 4 };
  const wide = { sizeBytes: 12, alignBytes: 16 };
  assertEquals(structLayout([]), { sizeBytes: 0, alignBytes: 1 });
  assertEquals(structLayout([word, wide, word]), { sizeBytes: 32, alignBytes: 16 });
});
