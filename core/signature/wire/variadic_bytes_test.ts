import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { anyText, anyVariadic } from "../testdata/any_call.ts";
import type { HostVariadic, VariadicValue } from "../declare/value.ts";
import { decodeText, encodeText, heapVariadic } from "./variadic_bytes.ts";
import { readVariadic, VARIADIC_MAX, writeVariadic } from "./variadic_bytes.ts";
import { ArrayHeap, placeList } from "../testdata/array_heap.ts";

function bytesOf(values: readonly unknown[]): Uint8Array {
  const bytes = writeVariadic(values as VariadicValue[]);
  if (typeof bytes === "string") throw new TypeError(bytes);
  return bytes;
}

Deno.test("readVariadic() gives back what writeVariadic() got", () => {
  fc.assert(fc.property(anyVariadic, ({ given, seen }) => {
    assertEquals(readVariadic(bytesOf(given)), [...seen]);
  }));
  assertEquals(readVariadic(bytesOf([true, false])).map(({ value }) => value), [1, 0]);
  for (const value of [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
    const type = value < 2n ** 63n ? "i64" : "u64";
    assertEquals(readVariadic(bytesOf([value])), [{ type, value }]);
  }
});

Deno.test("readVariadic() takes or refuses any bytes", () => {
  const words = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constantFrom(2 ** 32 - 1, 2 ** 31)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(words, fc.nat(3), (some, more) => {
      const words = new Uint8Array(Uint32Array.from(some).buffer);
      const bytes = new Uint8Array([...words, ...new Uint8Array(more)]);
      try {
        for (const { type, value } of readVariadic(bytes)) {
          assert(type === "string" ? value === "" || !value.includes("\0") : value !== undefined);
        }
      } catch (error) {
        assert(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("readVariadic() refuses more arguments than C promises, tags and lengths that are none", () => {
  const many = Array(VARIADIC_MAX).fill(1);
  assertEquals(readVariadic(bytesOf(many)).length, VARIADIC_MAX);
  assertEquals(writeVariadic([...many, 1]), "there are 128, and 127 at most");
  assertThrows(() => readVariadic(new Uint8Array([...bytesOf(many), ...bytesOf([1])])), RangeError);
  for (const words of [[6, 0, 0, 0], [5, 1], [5, 2 ** 32 - 1, 0, 0], [0, 0], [4]]) {
    const bytes = new Uint8Array(Uint32Array.from(words).buffer);
    assertThrows(() => readVariadic(bytes), RangeError, "none of this format");
  }
});

Deno.test("writeVariadic() says which argument is wrong", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [null, "argument 1 is no f64: null"],
    [undefined, "argument 1 is no f64: undefined"],
    [{ type: "i32", value: 1.5 }, "argument 1 is no i32: 1.5"],
    [{ type: "i64", value: 1 }, "argument 1 is no i64: 1"],
    [{ type: "u32", value: -1 }, "argument 1 is no u32: -1"],
    [{ type: "constructor", value: 1 }, "argument 1 is no f64: [object Object]"],
    [{ type: "string", value: 1 }, "argument 1 must be a string: current value is 1"],
    [2n ** 64n, `argument 1 is no u64: ${2n ** 64n}`],
    [-(2n ** 63n) - 1n, `argument 1 is no i64: ${-(2n ** 63n) - 1n}`],
    ["a\0", 'argument 1 must hold no NUL: current value is "a\\u0000"'],
    ["\ud83d", "argument 1 must hold no half of a surrogate pair"],
  ];
  for (const [value, text] of cases) {
    const problem = writeVariadic([0, value as VariadicValue]);
    assert(typeof problem === "string" && problem.startsWith(text), String(problem));
  }
});

Deno.test("decodeText() gives back what encodeText() got, marks of byte order as well, and refuses what is no text of C", () => {
  fc.assert(fc.property(anyText, (text) => {
    assertEquals(decodeText(encodeText(text) as Uint8Array), text);
  }));
  assertThrows(() => decodeText(Uint8Array.of(97, 0)), RangeError, "NUL");
  const none = [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]];
  for (const bytes of none) {
    assertThrows(() => decodeText(Uint8Array.from(bytes)), RangeError, "not UTF-8");
  }
});

Deno.test("heapVariadic() makes of a list what any other caller sends", () => {
  fc.assert(fc.property(anyVariadic, ({ given, seen }) => {
    const heap = new ArrayHeap(1 << 11);
    const list = placeList(heap, seen);
    assertEquals(heapVariadic(heap, list, seen.length), writeVariadic(given as VariadicValue[]));
  }));
});

Deno.test("heapVariadic() refuses a list that is too long, or lies elsewhere", () => {
  const heap = new ArrayHeap(1 << 12);
  const none = heapVariadic(heap, 0, 0);
  assertEquals(none.length, 0);
  assertEquals(heapVariadic(heap, 16, VARIADIC_MAX).length, 16 * VARIADIC_MAX);
  const long = () => heapVariadic(heap, 16, VARIADIC_MAX + 1);
  assertThrows(long, RangeError, "there are 127 at most: current value is 128");
  assertThrows(() => heapVariadic(heap, 4080, 2), RangeError, "32 bytes at address 4080");
});

Deno.test("heapVariadic() leaves a tag that is none to who reads it", () => {
  const values: HostVariadic[] = [{ type: "i32", value: -1 }, { type: "string", value: "two" }];
  const heap = new ArrayHeap(256);
  const list = placeList(heap, values);
  assertEquals(readVariadic(heapVariadic(heap, list, 2)), values);
  heap.write(list, Uint8Array.of(77));
  assertThrows(() => readVariadic(heapVariadic(heap, list, 2)), RangeError, "none of this format");
});
