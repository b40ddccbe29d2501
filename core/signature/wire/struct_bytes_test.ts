import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { anyStruct, structValue } from "../testdata/any_call.ts";
import { readStruct, writeStruct } from "./struct_bytes.ts";

const structAndValue = anyStruct.chain((struct) =>
  fc.tuple(fc.constant(struct), structValue(struct))
);

Deno.test("readStruct() gives back what writeStruct() wrote, and touches nothing beside", () => {
  fc.assert(fc.property(structAndValue, fc.nat(9), ([struct, value], offsetByte) => {
    const { sizeBytes } = structLayout(struct);
    const bytes = new Uint8Array(offsetByte + sizeBytes + 8).fill(7);
    const view = new DataView(bytes.buffer);
    assertEquals(writeStruct(view, offsetByte, { struct, value }), undefined);
    assertEquals(readStruct(view, offsetByte, { struct }), value);
    assert(bytes.subarray(0, offsetByte).every((byte) => byte === 7));
    assert(bytes.subarray(offsetByte + sizeBytes).every((byte) => byte === 7));
  }));
});

Deno.test("readStruct() reads any bytes as values of the fields", () => {
  fc.assert(
    fc.property(anyStruct, fc.uint8Array({ minLength: 160, maxLength: 160 }), (struct, bytes) => {
      const view = new DataView(bytes.buffer);
      const value = readStruct(view, 0, { struct });
      assertEquals(writeStruct(view, 0, { struct, value }), undefined);
    }),
  );
});

const nested = kind.struct({ a: kind.u8, inner: kind.struct({ b: kind.i64, c: kind.f32 }) });

Deno.test("writeStruct() names the field that is wrong", () => {
  const view = new DataView(new ArrayBuffer(24));
  const write = (value: unknown) => writeStruct(view, 0, { struct: nested, value });
  assertEquals(write({ a: 1, inner: { b: 2n, c: 0.5 } }), undefined);
  assertEquals(write({ a: 1, inner: { b: 2, c: 0.5 } }), "its field inner.b is no i64: 2");
  assertEquals(write({ a: NaN }), "its field a is no u8: NaN");
  assertEquals(write({ a: 1, inner: null }), "its field inner.b is no i64: undefined");
  assertEquals(write({ a: Object.create(null) }), "its field a is no u8: [object Object]");
  for (const value of [null, undefined, 5]) {
    assertEquals(write(value), "its field a is no u8: undefined");
  }
});

Deno.test("readStruct() fills an object, and what it holds", () => {
  const view = new DataView(new ArrayBuffer(24));
  writeStruct(view, 0, { struct: nested, value: { a: 1, inner: { b: 2n, c: 0.5 } } });
  const inner = { b: 0n, d: "kept" };
  const target = { a: 0, inner };
  assertEquals(readStruct(view, 0, { struct: nested, target }) === target, true);
  assertEquals([target.a, inner], [1, { b: 2n, c: 0.5, d: "kept" } as typeof inner]);
  for (const odd of [5, null, "text"]) {
    assertEquals(readStruct(view, 0, { struct: nested, target: { inner: odd } }), {
      a: 1,
      inner: { b: 2n, c: 0.5 },
    });
  }
});

Deno.test("readStruct() changes no object that all share", () => {
  const struct = kind.struct({
    constructor: kind.struct({ polluted: kind.u8 }),
    toString: kind.u8,
  });
  const first = readStruct(new DataView(new ArrayBuffer(8)), 0, { struct });
  assertEquals(first, { constructor: { polluted: 0 }, toString: 0 } as unknown as object);
  assert(!("polluted" in Object) && typeof Object.prototype.toString === "function");
});
