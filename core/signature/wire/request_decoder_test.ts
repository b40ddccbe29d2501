import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import * as kind from "../declare/kind.ts";
import { fixedLength, lengthOf } from "../declare/length.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { anyCall } from "../testdata/any_call.ts";
import { checkHash, decodeRequest, type HostObjects, SignatureError } from "./request_decoder.ts";
import { encodeRequest } from "./request_encoder.ts";

/** Leaves handles and callbacks as the numbers that they are. */
const objects: HostObjects = { resolve: () => {}, limitBytes: 1 << 20 };

function declared(...parameters: kind.Parameter[]): ApiFunction {
  return hostApi("a", { f: fn(parameters, kind.nothing) }).functions.f as ApiFunction;
}

Deno.test("decodeRequest() gives back what encodeRequest() got, of any function", () => {
  fc.assert(
    fc.property(anyCall, ({ target, given, seen }) => {
      assertEquals(decodeRequest(target, encodeRequest(target, given), objects), [...seen]);
    }),
    { numRuns: 300 },
  );
});

Deno.test("decodeRequest() takes or refuses whatever a request is changed into", () => {
  const change = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
  const words = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff8)),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(
      anyCall,
      change,
      words,
      fc.integer({ min: -17, max: 17 }),
      ({ target, given }, bytes, more, longer) => {
        const request = encodeRequest(target, given);
        const changed = new Uint8Array(Math.max(0, request.length + longer));
        changed.set(request.subarray(0, changed.length));
        for (const [place, byte] of bytes) changed[place % changed.length] = byte;
        const view = new DataView(changed.buffer);
        for (const [place, word] of more) {
          const room = Math.floor(changed.length / 4) - 1;
          if (room > 0) view.setUint32(4 * (1 + place % room), word, true);
        }
        decodeOrRefuse(target, changed);
      },
    ),
    { numRuns: 1000 },
  );
});

/** Bytes of arguments never lie beyond the request, and what is asked for is within the limit. */
function decodeOrRefuse(target: ApiFunction, bytes: Uint8Array): void {
  let values: unknown[];
  try {
    values = decodeRequest(target, bytes, objects);
  } catch (error) {
    assert(error instanceof RangeError || error instanceof SignatureError, String(error));
    assert(
      /^Cannot (serve any\.call as|take a text|read the var)/.test(error.message),
      error.message,
    );
    return;
  }
  assertEquals(values.length, target.signature.parameters.length);
  for (const value of values) {
    if (!(value instanceof Uint8Array)) continue;
    assert(value.byteOffset % 8 === 0 && value.length <= objects.limitBytes);
  }
}

Deno.test("decodeRequest() refuses lengths that the other arguments do not say", () => {
  const target = declared(kind.bytes("in", lengthOf(1).times(8)), kind.u32);
  const request = encodeRequest(target, [new Uint8Array(16), 2]);
  const refused = (word: number, value: number) => {
    const changed = request.slice();
    new DataView(changed.buffer).setUint32(4 * word, value, true);
    return assertThrows(() => decodeRequest(target, changed, objects), Error).message;
  };
  const start = "Cannot serve a.f as the call is broken: ";
  assertEquals(refused(4, 3), start + "argument 0 has 16 bytes and the others say 24");
  assertEquals(refused(2, 8), start + "argument 0 has 8 bytes and the others say 16");
  assertEquals(refused(0, target.hash ^ 1), new SignatureError(target).message);
  for (const lengthBytes of [0, 7]) {
    assertThrows(
      () => decodeRequest(target, request.subarray(0, lengthBytes), objects),
      SignatureError,
    );
  }
  assertThrows(
    () => decodeRequest(target, request.subarray(0, 39), objects),
    RangeError,
    "cut off",
  );
  const long = new Uint8Array([...request, ...new Uint8Array(8)]);
  assertThrows(() => decodeRequest(target, long, objects), RangeError, "48 bytes and not 40");
  assertThrows(
    () => decodeRequest(target, request.subarray(0, 16), objects),
    RangeError,
    "16 bytes",
  );
});

Deno.test("decodeRequest() refuses a product of two negative numbers", () => {
  const target = declared(
    kind.bytes("in", lengthOf(1).times(lengthOf(2))),
    kind.i32,
    kind.i64,
  );
  const request = encodeRequest(target, [new Uint8Array(8), 2, 4n]);
  const view = new DataView(request.buffer);
  view.setInt32(16, -2, true);
  view.setBigInt64(24, -4n, true);
  assertThrows(() => decodeRequest(target, request, objects), RangeError, "argument 1 must be at");
});

Deno.test("decodeRequest() refuses a length behind a pointer that is not the array's", () => {
  const { bytes, i64, pointer, struct, u8, usize } = kind;
  const sizes = pointer("inout", struct({ flag: u8, at: struct({ size: usize, count: i64 }) }));
  const length = lengthOf(1, "at.size").times(lengthOf(1, "at.count")).plus(1);
  const target = declared(bytes("out", length), sizes);
  const at = { size: 2n, count: 3n };
  const request = encodeRequest(target, [new Uint8Array(7), { flag: 0, at }]);
  const [array, struct0] = decodeRequest(target, request, objects);
  assertEquals([array, struct0], [new Uint8Array(7), { flag: 0, at }]);
  const wrong: readonly (readonly [size: bigint, count: bigint])[] = [
    [2n, 4n],
    [2n, 2n],
    [2n ** 64n - 1n, 3n],
    [2n ** 32n + 2n, 3n],
    [2n ** 63n, 2n],
    [2n, -3n],
    [2n, -(2n ** 63n)],
    [0n, 0n],
  ];
  for (const [size, count] of wrong) {
    const forged = new DataView(request.slice().buffer);
    forged.setBigUint64(24, size, true);
    forged.setBigInt64(32, count, true);
    assertThrows(
      () => decodeRequest(target, new Uint8Array(forged.buffer), objects),
      RangeError,
      "as the call is broken: argument",
    );
  }
  // The array itself, said to be longer than it can be.
  for (const words of [8, 2 ** 31, 2 ** 32 - 1]) {
    const forged = new DataView(request.slice().buffer);
    forged.setUint32(8, words, true);
    assertThrows(
      () => decodeRequest(target, new Uint8Array(forged.buffer), objects),
      RangeError,
      `has ${words} bytes and the others say 7`,
    );
  }
});

Deno.test("decodeRequest() counts what goes there and back against one limit", () => {
  const target = declared(kind.bytes("out"), kind.bytes("inout"), kind.string, kind.variadic);
  const limited = { ...objects, limitBytes: 32 };
  const call = (back: number, there: number, text: string, ...more: number[]) => () =>
    decodeRequest(
      target,
      encodeRequest(target, [new Uint8Array(back), new Uint8Array(there), text, more]),
      limited,
    );
  assertEquals(call(10, 2, "abcd", 1)().length, 4);
  assertThrows(call(33, 0, ""), RangeError, "argument 0 goes beyond the limit of 32 bytes");
  assertThrows(call(30, 3, ""), RangeError, "argument 1 goes beyond");
  assertThrows(call(10, 20, "abc"), RangeError, "argument 2 goes beyond");
  assertThrows(call(10, 2, "abcde", 1), RangeError, "argument 3 goes beyond");
  const request = encodeRequest(target, [new Uint8Array(), new Uint8Array(), "", []]);
  new DataView(request.buffer).setUint32(8, 0xffffffff, true);
  assertThrows(() => decodeRequest(target, request, limited), RangeError, "goes beyond the limit");
});

Deno.test("decodeRequest() refuses texts that are none", () => {
  const target = declared(kind.string);
  const request = encodeRequest(target, ["abcd"]);
  for (const [byte, text] of [[0, "holds a NUL"], [0xff, "is not UTF-8"], [0xc0, "is not UTF-8"]]) {
    const changed = request.slice();
    changed[17] = byte as number;
    assertThrows(() => decodeRequest(target, changed, objects), RangeError, text as string);
  }
});

Deno.test("decodeRequest() resolves handles last, when all else is well", () => {
  const target = declared(kind.ends("File"), kind.string, kind.nullable(kind.handle("File")));
  const resolved: unknown[][] = [];
  const counting: HostObjects = {
    ...objects,
    resolve: (_parameters, values) => void resolved.push([...values]),
  };
  const request = encodeRequest(target, [5, "ab", null]);
  decodeRequest(target, request, counting);
  request[request.length - 8] = 0;
  assertThrows(() => decodeRequest(target, request, counting), RangeError, "NUL");
  assertEquals(resolved, [[5, "ab", null]]);
});

Deno.test("decodeRequest() gives arrays as they lie for wider elements, and constants of its own", () => {
  const target = declared(
    kind.bytes("in", fixedLength(3)),
    kind.constant(kind.i32, -7),
    kind.bytes("in"),
  );
  const doubles = new Float64Array([1.5, -2.5]);
  const given = [new Uint8Array(3), 99, new Uint8Array(doubles.buffer)];
  const [, constant, array] = decodeRequest(target, encodeRequest(target, given), objects);
  assertEquals(constant, -7);
  const { buffer, byteOffset } = array as Uint8Array;
  assertEquals(new Float64Array(buffer, byteOffset, 2), doubles);
});

Deno.test("checkHash() tells the server's signature", () => {
  const target = declared(kind.f64);
  checkHash(target, target.hash);
  const error = assertThrows(
    () => checkHash(target, 1),
    SignatureError,
    "here it is a.f(f64) -> void",
  );
  assertEquals(error.name, "SignatureError");
});
