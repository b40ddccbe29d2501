import { assertEquals, assertThrows } from "@std/assert";
import { ByteSlots } from "./byte_slots.ts";

Deno.test("ByteSlots are little-endian, wherever the bytes begin", () => {
  const bytes = new Uint8Array(new ArrayBuffer(35), 3, 24);
  const slots = new ByteSlots(bytes);
  slots.setUint32(1, 0x01020304);
  slots.setFloat64(1, -2.5);
  slots.setBigUint64(2, 2n ** 64n - 2n);
  assertEquals([...bytes.subarray(4, 8)], [4, 3, 2, 1]);
  assertEquals([slots.getUint32(1), slots.getFloat64(1), slots.getBigUint64(2)], [
    0x01020304,
    -2.5,
    2n ** 64n - 2n,
  ]);
  assertEquals([slots.bytes === bytes, slots.view.getUint8(4)], [true, 4]);
});

Deno.test("ByteSlots end where the bytes do", () => {
  const slots = new ByteSlots(new Uint8Array(new ArrayBuffer(32), 8, 8));
  for (const index of [1, -1]) {
    assertThrows(() => slots.getFloat64(index), RangeError);
    assertThrows(() => slots.setBigUint64(index, 1n), RangeError);
  }
  assertThrows(() => slots.getUint32(2), RangeError);
});
