import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import * as items from "./item.ts";
import { CODECS } from "./item.ts";

Deno.test("values lie in memory as the machine has them", () => {
  const found = [
    CODECS.Integer8.bytesOf(-2),
    CODECS.Integer16.bytesOf(-2),
    CODECS.Integer32.bytesOf(258),
    CODECS.Integer64.bytesOf(-1n),
    items.integerBytes(-1n << 64n | 1n, 16),
    CODECS.Real32.bytesOf(1),
    CODECS.Complex32.bytesOf(0, 1),
    CODECS.Logical.bytesOf(true),
  ];
  const [zeros, ones] = [Array(7).fill(0), Array(8).fill(255)];
  assertEquals(found.map((bytes) => [...bytes]), [
    [254],
    [254, 255],
    [2, 1, 0, 0],
    ones,
    [1, ...zeros, ...ones],
    [0, 0, 128, 63],
    [0, 0, 0, 0, 0, 0, 128, 63],
    [1, 0, 0, 0],
  ]);
});

Deno.test("values come back from memory", () => {
  for (const countBytes of [1, 2, 4, 8]) {
    for (const value of [-128n, -1n, 0n, 127n]) {
      const bytes = items.integerBytes(value, countBytes);
      assertEquals(items.integerOf({ type: "integer", bytes }), value);
    }
    assertEquals(items.checkIntegerBytes(countBytes), countBytes);
  }
  for (const { type, sizeBytes, bytesOf } of [CODECS.Complex32, CODECS.Complex64]) {
    const item = { type, bytes: bytesOf(1.5, -2.5) };
    assertEquals([item.bytes.length, items.realOf(item, 0), items.realOf(item, 1)], [
      sizeBytes,
      1.5,
      -2.5,
    ]);
  }
  for (const { type, bytesOf } of [CODECS.Real32, CODECS.Real64]) {
    assertEquals(items.realOf({ type, bytes: bytesOf(1.5) }, 0), 1.5);
  }
  for (const wrong of [0, 3, 16, -1, NaN]) {
    assertThrows(() => items.checkIntegerBytes(wrong), RangeError, `current value is ${wrong}`);
  }
});

Deno.test("unsetBytes() are another time others, and none where each may be read", () => {
  assertEquals(items.unsetBytes("integer", 2), undefined);
  assertEquals(items.unsetBytes("character", 8)!.every((byte) => byte > 127), true);
  assertNotEquals(items.unsetBytes("integer", 8), items.unsetBytes("integer", 8));
  const unset = { type: "real", bytes: items.unsetBytes("real", 8)! } as const;
  assertEquals(items.realOf(unset, 0), NaN);
});
