import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { anyStruct, structValue } from "../testdata/any_call.ts";
import {
  encodeStruct,
  readStruct,
  trailingBytes,
  TrailingTexts,
  writeStruct,
} from "./struct_bytes.ts";

const structAndValue = anyStruct.chain((struct) =>
  fc.tuple(fc.constant(struct), structValue(struct))
);

Deno.test("readStruct() gives back what writeStruct() wrote, and touches nothing beside", () => {
  fc.assert(fc.property(structAndValue, fc.nat(9), ([struct, value], offsetByte) => {
    const { sizeBytes } = structLayout(struct);
    const bytes = new Uint8Array(offsetByte + sizeBytes + 8).fill(7);
    const view = new DataView(bytes.buffer);
    const texts = new TrailingTexts();
    assertEquals(writeStruct(view, offsetByte, { struct, value, texts }), undefined);
    const behind = encodeStruct({ struct, value }).slice(sizeBytes) as Uint8Array;
    assertEquals(trailingBytes(view, offsetByte, struct), behind.length);
    const read = readStruct(view, offsetByte, { struct, texts: new TrailingTexts(behind) });
    assertEquals(read, value);
    assert(bytes.subarray(0, offsetByte).every((byte) => byte === 7));
    assert(bytes.subarray(offsetByte + sizeBytes).every((byte) => byte === 7));
  }));
});

Deno.test("readStruct() reads any bytes as values of the fields", () => {
  fc.assert(
    fc.property(anyStruct, fc.uint8Array({ minLength: 160, maxLength: 160 }), (struct, bytes) => {
      const view = new DataView(bytes.buffer);
      const value = readStruct(view, 0, { struct });
      assertEquals(writeStruct(view, 0, { struct, value, hasFailed: true }), undefined);
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

Deno.test("a text in a struct has its words, and what is none is named", () => {
  const struct = kind.struct({ a: kind.string, b: kind.nullable(kind.string) });
  const encode = (value: unknown) => encodeStruct({ struct, value });
  assertEquals([...encode({ a: "é", b: null })].slice(0, 18), [3, ...Array(15).fill(0), 195, 169]);
  assertEquals(encode({ a: null, b: "" }), "its field a must be a string: current value is null");
  assertEquals(encode({ a: "", b: "x\0" }).slice(0, 28), "its field b must hold no NUL");
  assertEquals(encodeStruct({ struct, value: { a: null, b: null }, hasFailed: true }).length, 16);
});

const number = kind.union({ i: kind.i32, f: kind.f32, pair: kind.array(kind.u16, 2) });
const tagged = kind.struct({ tag: kind.u8, u: number, at: kind.union({ s: nested, d: kind.f64 }) });

Deno.test("a union is given by one member, and is all of them where it was read", () => {
  const view = new DataView(new ArrayBuffer(structLayout(tagged).sizeBytes));
  const write = (value: unknown) => writeStruct(view, 0, { struct: tagged, value });
  const at = { s: { a: 1, inner: { b: 2n, c: 0.5 } } };
  assertEquals(write({ tag: 1, u: { f: 1 }, at }), undefined);
  const read = readStruct(view, 0, { struct: tagged }) as {
    tag: number;
    u: Record<"i" | "f" | "pair", unknown>;
    at: { s: { a: number }; d: number };
  };
  assertEquals({ ...read.u }, { i: 0x3f800000, f: 1, pair: [0, 0x3f80] });
  assertEquals({ ...read.at }.s, at.s);
  // What was read may be given again, changed or not: the bytes are the same, NaNs among them.
  read.u.i = 0x7fa00001;
  assertEquals(write(read), undefined);
  assertEquals(view.getUint32(4, true), 0x7fa00001);
  const set = (work: () => void) => assertThrows(work, TypeError);
  assertEquals(
    set(() => read.u.i = 0.5).message,
    "Cannot set a union as its field i is no i32: 0.5",
  );
  for (const work of [() => (read.u.pair as number[])[0] = 5, () => read.at.s.a = 2]) set(work);
  set(() => Object.assign(read.u, { none: 1 }));
  const problem = (u: unknown) => write({ tag: 1, u, at });
  assertEquals(problem({}), "its field u must have one of i, f, pair: current value has 0 of them");
  assertEquals(problem({ i: 1, f: 1 })?.slice(-9), "2 of them");
  assertEquals(problem(null)?.slice(-9), "0 of them");
  assertEquals(problem({ i: 1n }), "its field u is wrong: its field i is no i32: 1");
});
