import { assertEquals, assertThrows } from "@std/assert";
import { jsonCodec, v8Codec } from "./codec.ts";

Deno.test("each codec brings back what it wrote", () => {
  const plain = [null, undefined, 1, "ä€", [1, [2]], { a: { b: [] } }];
  for (const value of plain) {
    assertEquals(jsonCodec.decode(jsonCodec.encode(value)), value);
    assertEquals(v8Codec.decode(v8Codec.encode(value)), value);
  }
  const rich = {
    map: new Map([[1n, new Set([2])]]),
    date: new Date(3),
    bytes: new Uint8Array([4]),
  };
  assertEquals(v8Codec.decode(v8Codec.encode(rich)), rich);
});

Deno.test("each codec refuses what it cannot write, and bytes that are not its own", () => {
  assertThrows(() => jsonCodec.encode(() => {}), TypeError, "function");
  assertThrows(() => jsonCodec.encode(1n), TypeError);
  assertThrows(() => v8Codec.encode(() => {}));
  for (const codec of [jsonCodec, v8Codec]) {
    assertThrows(() => codec.decode(new Uint8Array([0xc3, 0x28, 1])), Error);
  }
});

Deno.test("v8Codec says so where the runtime has no such module", () => {
  const { process } = globalThis as unknown as { process: { getBuiltinModule: unknown } };
  const { getBuiltinModule } = process;
  process.getBuiltinModule = () => undefined;
  try {
    assertThrows(() => v8Codec.encode(1), TypeError, "node:v8");
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
});
