import { assertEquals, assertThrows } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { lengthOf } from "../declare/length.ts";
import { declared } from "../testdata/served.ts";
import { HEAD_SLOTS, NULL_LENGTH } from "./argument_kinds.ts";
import { encodeRequest, joinParts, refuseArgument } from "./request_encoder.ts";

const { bytes, callback, handle, i32, nullable, pointer, string, u8 } = kind;
const point = kind.struct({ x: kind.f64, count: i32 });

Deno.test("encodeRequest() writes hash, slots and payloads, each from a multiple of 8 on", () => {
  const parameters = [kind.u16, kind.constant(i32, 3), bytes("in"), nullable(string), string];
  const target = declared(parameters);
  const request = encodeRequest(target, [258, 3, Uint8Array.of(9, 8, 7), null, "€"]);
  const head = [target.hash, 0];
  const slots = [258, 0, 3, 0, NULL_LENGTH, 0, 3, 0];
  assertEquals([...new Uint32Array(request.buffer)], [...head, ...slots, 0x070809, 0, 0xac82e2, 0]);
  assertEquals(head.length, 2 * HEAD_SLOTS);
});

const REFUSALS: readonly (readonly [kind.Parameter, unknown, string])[] = [
  [i32, 1.5, "must be an integer from -2147483648"],
  [i32, NaN, "current value is NaN"],
  [u8, 256, "from 0 to 255: current value is 256"],
  [u8, "1", "current value is 1"],
  [kind.i64, 1, "a bigint"],
  [kind.u64, 2n ** 64n, "a bigint from 0"],
  [kind.bool, 1, "a boolean"],
  [kind.f64, Object.create(null), "must be a number: current value is [object Object]"],
  [kind.f64, Symbol("s"), "current value is Symbol(s)"],
  [handle("File"), -1, "a handle"],
  [handle("File"), 2 ** 52, "a handle"],
  [handle("File"), null, "a handle"],
  [string, 5, "must be a string"],
  [string, "a\0b", "no NUL"],
  [string, "a\ud800b", "half of a surrogate pair"],
  [nullable(string), undefined, "must be a string"],
  [bytes("in"), [1], "must be a Uint8Array: current value is [object Array]"],
  [bytes("out"), new Uint16Array(1), "must be a Uint8Array"],
  [bytes("out"), null, "must be a Uint8Array: current value is null"],
  [point, { x: 1 }, "is wrong: its field count is no i32: undefined"],
  [pointer("in", point), null, "its field x is no f64"],
  [pointer("out", point), 5, "must be an object to be filled"],
  [nullable(pointer("inout", point)), { x: 1, count: 2.5 }, "count is no i32: 2.5"],
  [callback([], kind.nothing), Symbol("s"), "the name of a callback: current value is Symbol"],
  [kind.variadic, [Symbol("s")], "argument 0 is no f64: Symbol(s)"],
];

Deno.test("encodeRequest() names the argument that is wrong, and what it must be", () => {
  for (const [parameter, value, text] of REFUSALS) {
    const encode = () => encodeRequest(declared([kind.bool, parameter]), [true, value]);
    assertThrows(encode, TypeError, "Cannot call a.f as argument 1 ");
    assertThrows(encode, TypeError, text);
  }
  const refuse = () => refuseArgument(declared([]), 3, "is odd");
  assertThrows(refuse, TypeError, "a.f as argument 3 is odd");
});

Deno.test("encodeRequest() checks lengths before anything is sent", () => {
  const counted = declared([bytes("out", lengthOf(1).plus(2)), i32]);
  const size = pointer("inout", kind.struct({ value: kind.u64 }));
  const pointed = declared([bytes("out", lengthOf(1, "value")), size]);
  const array = new Uint8Array(7);
  encodeRequest(counted, [array, 5]);
  encodeRequest(pointed, [array, { value: 7n }]);
  const wrong = [
    [counted, 4, "argument 0 has 7 bytes: the others say 6"],
    [counted, -1, "argument 1 must be at least 0, as a length: current"],
    [pointed, { value: 8n }, "argument 0 has 7 bytes: the others say 8"],
    [
      pointed,
      { value: 2n ** 63n + 1n },
      `argument 0 has 7 bytes: the others say ${2n ** 63n + 1n}`,
    ],
    [pointed, {}, "argument 1.value must be at least 0"],
    [pointed, null, "argument 1.value must be at least 0"],
  ] as const;
  for (const [target, said, text] of wrong) {
    assertThrows(() => encodeRequest(target, [array, said]), RangeError, text);
  }
});

Deno.test("encodeRequest() takes arrays as they are when it begins", () => {
  const target = declared([bytes("in"), point, bytes("in")]);
  const buffer = new ArrayBuffer(8, { maxByteLength: 64 });
  const array = new Uint8Array(buffer);
  for (const size of [64, 3]) {
    const resizing = { x: 1, count: 1 };
    Object.defineProperty(resizing, "x", { get: () => (buffer.resize(size), 1) });
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
  const encode = () => encodeRequest(declared([nullable(bytes("out"))]), [array]);
  assertThrows(encode, TypeError, "which are too many");
});

Deno.test("joinParts() puts words, structs behind their flags, and payloads filled up to slots", () => {
  const pair = kind.struct({ x: u8, y: u8 });
  const maybe = kind.nullable(pointer("in", pair));
  const target = declared([maybe, kind.constant(i32, 1), string, bytes("out"), kind.i64]);
  const parts = [
    { low: 1, struct: Uint8Array.of(5, 6) },
    {},
    { counted: Uint8Array.of(7, 8, 9), payload: Uint8Array.of(7, 8, 9) },
    { counted: new Uint8Array(300) },
    { low: 3, high: 4 },
  ];
  const words = new Uint32Array(joinParts(target, 11, parts).buffer);
  assertEquals([...words], [11, 0, 1, 0, 0x0605, 0, 3, 0, 300, 0, 3, 4, 0x090807, 0]);
});
