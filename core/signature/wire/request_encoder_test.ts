import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { encodeRequest, refuseArgument } from "./request_encoder.ts";
import { HEAD_SLOTS, NULL_LENGTH } from "./request_parts.ts";

function declared(...parameters: kind.Parameter[]): ApiFunction {
  return hostApi("a", { f: fn(parameters, kind.nothing) }).functions.f as ApiFunction;
}

Deno.test("encodeRequest() writes hash, slots and payloads, each from a multiple of 8 on", () => {
  const target = declared(
    kind.u16,
    kind.constant(kind.i32, 3),
    kind.bytes("in"),
    kind.nullable(kind.string),
    kind.string,
  );
  const bytes = encodeRequest(target, [258, 3, Uint8Array.of(9, 8, 7), null, "€"]);
  const words = new Uint32Array(bytes.buffer);
  const head = [target.hash, 0];
  const slots = [258, 0, 3, 0, NULL_LENGTH, 0, 3, 0];
  assertEquals([...words], [...head, ...slots, 0x070809, 0, 0xac82e2, 0]);
  assertEquals(head.length, 2 * HEAD_SLOTS);
});

const point = kind.struct({ x: kind.f64, count: kind.i32 });
const refusals: readonly (readonly [kind.Parameter, unknown, string])[] = [
  [kind.i32, 1.5, "must be an integer from -2147483648"],
  [kind.i32, NaN, "current value is NaN"],
  [kind.u8, 256, "from 0 to 255: current value is 256"],
  [kind.u8, "1", "current value is 1"],
  [kind.i64, 1, "a bigint"],
  [kind.u64, 2n ** 64n, "a bigint from 0"],
  [kind.bool, 1, "a boolean"],
  [kind.f64, Object.create(null), "must be a number: current value is [object Object]"],
  [kind.f64, Symbol("s"), "current value is Symbol(s)"],
  [kind.handle("File"), -1, "a handle"],
  [kind.handle("File"), 2 ** 52, "a handle"],
  [kind.handle("File"), null, "a handle"],
  [kind.string, 5, "must be a string"],
  [kind.string, "a\0b", "no NUL"],
  [kind.string, "a\ud800b", "half of a surrogate pair"],
  [kind.nullable(kind.string), undefined, "must be a string"],
  [kind.bytes("in"), [1], "must be a Uint8Array: current value is [object Array]"],
  [kind.bytes("out"), new Uint16Array(1), "must be a Uint8Array"],
  [kind.bytes("out"), null, "must be a Uint8Array: current value is null"],
  [point, { x: 1 }, "is wrong: its field count is no i32: undefined"],
  [kind.pointer("in", point), null, "its field x is no f64"],
  [kind.pointer("out", point), 5, "must be an object to be filled"],
  [kind.nullable(kind.pointer("inout", point)), { x: 1, count: 2.5 }, "count is no i32: 2.5"],
  [kind.callback([], kind.nothing), Symbol("s"), "the name of a callback: current value is Symbol"],
  [kind.variadic, [Symbol("s")], "argument 0 is no f64: Symbol(s)"],
];

Deno.test("encodeRequest() names the argument that is wrong, and what it must be", () => {
  for (const [parameter, value, text] of refusals) {
    const encode = () => encodeRequest(declared(kind.bool, parameter), [true, value]);
    assertThrows(encode, TypeError, "Cannot call a.f as argument 1 ");
    assertThrows(encode, TypeError, text);
  }
});

Deno.test("encodeRequest() checks lengths before anything is sent", () => {
  const target = declared(kind.bytes("out", lengthOf(1).plus(2)), kind.i32);
  encodeRequest(target, [new Uint8Array(7), 5]);
  const encode = (count: number) => () => encodeRequest(target, [new Uint8Array(7), count]);
  assertThrows(encode(4), RangeError, "argument 0 has 7 bytes: the others say 6");
  assertThrows(encode(-1), RangeError, "argument 1 must be at least 0, as a length: current");
  const size = kind.pointer("inout", kind.struct({ value: kind.u64 }));
  const pointed = declared(kind.bytes("out", lengthOf(1, "value")), size);
  encodeRequest(pointed, [new Uint8Array(7), { value: 7n }]);
  const said = (value: unknown) => () => encodeRequest(pointed, [new Uint8Array(7), value]);
  assertThrows(said({ value: 8n }), RangeError, "argument 0 has 7 bytes: the others say 8");
  assertThrows(said({}), RangeError, "argument 1.value must be at least 0");
  assertThrows(said(null), RangeError, "argument 1.value must be at least 0");
});

Deno.test("encodeRequest() takes arrays as they are when it begins", () => {
  const target = declared(kind.bytes("in"), point, kind.bytes("in"));
  const buffer = new ArrayBuffer(8, { maxByteLength: 64 });
  const array = new Uint8Array(buffer);
  for (const size of [64, 3]) {
    const resizing = {
      get x() {
        buffer.resize(size);
        return 1;
      },
      count: 1,
    };
    assertEquals(encodeRequest(target, [array, resizing, Uint8Array.of(1)]).length % 8, 0);
  }
});

Deno.test("encodeRequest() refuses an array whose length is no length", () => {
  let array: Uint8Array;
  try {
    array = new Uint8Array(NULL_LENGTH); // nothing touches it, so that it costs no memory
  } catch {
    return; // where there is no room for addresses
  }
  const target = declared(kind.nullable(kind.bytes("out")));
  assertThrows(() => encodeRequest(target, [array]), TypeError, "which are too many");
});

Deno.test("refuseArgument() says which", () => {
  assertThrows(
    () => refuseArgument(declared(), 3, "is odd"),
    TypeError,
    "a.f as argument 3 is odd",
  );
});
