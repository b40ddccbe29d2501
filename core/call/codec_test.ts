import { assertEquals, assertThrows } from "@std/assert";
import { cloneCodec, jsonCodec } from "./codec.ts";

Deno.test("each codec brings back what it wrote", () => {
  const plain = [null, undefined, 1, "ä€", [1, [2]], { a: { b: [] } }];
  for (const value of plain) {
    assertEquals(jsonCodec.decode(jsonCodec.encode(value)), value);
    assertEquals(cloneCodec.decode(cloneCodec.encode(value)), value);
  }
  const rich = {
    map: new Map([[1n, new Set([2])]]),
    date: new Date(3),
    bytes: new Uint8Array([4]),
  };
  assertEquals(cloneCodec.decode(cloneCodec.encode(rich)), rich);
});

Deno.test("each codec refuses what it cannot write, and bytes that are not its own", () => {
  assertThrows(() => jsonCodec.encode(() => {}), TypeError, "function");
  assertThrows(() => jsonCodec.encode(1n), TypeError);
  assertThrows(() => cloneCodec.encode(() => {}));
  for (const codec of [cloneCodec, jsonCodec]) {
    assertThrows(() => codec.decode(new Uint8Array([0xc3, 0x28, 1])), Error);
  }
});
