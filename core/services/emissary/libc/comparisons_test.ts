import { assertEquals, assertThrows } from "@std/assert";
import { checkComparison, type Comparison, libcCallbacks } from "./comparisons.ts";

function sign(name: string, array: ArrayBufferView<ArrayBuffer>): number {
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(array));
  return libcCallbacks[name]!(address, address + BigInt(array.byteLength / 2));
}

Deno.test("libcCallbacks compare two numbers of each type", () => {
  const pairs: readonly (readonly [string, ArrayBufferView<ArrayBuffer>])[] = [
    ["i8", new Int8Array([-1, 1])],
    ["u8", new Uint8Array([1, 255])],
    ["i16", new Int16Array([-1, 1])],
    ["u16", new Uint16Array([1, 65535])],
    ["i32", new Int32Array([-1, 1])],
    ["u32", new Uint32Array([1, 2 ** 32 - 1])],
    ["i64", new BigInt64Array([-1n, 2n ** 62n])],
    ["u64", new BigUint64Array([1n, 2n ** 63n])],
    ["f32", new Float32Array([-0.5, 0.5])],
    ["f64", new Float64Array([-0.5, 0.5])],
  ];
  assertEquals(pairs.map(([name]) => name), Object.keys(libcCallbacks));
  for (const [name, array] of pairs) {
    checkComparison(libcCallbacks[name]!, BigInt(array.byteLength / 2));
    assertEquals(sign(name, array), -1);
    (array as Uint8Array<ArrayBuffer>).reverse();
    assertEquals(sign(name, array), 1);
    (array as Uint8Array<ArrayBuffer>).copyWithin(0, 1);
    assertEquals(sign(name, array), 0);
  }
  const nans = [[NaN, 1, 1], [1, NaN, -1], [NaN, NaN, 0]] as const;
  for (const [left, right, wanted] of nans) {
    assertEquals(sign("f64", new Float64Array([left, right])), wanted);
  }
});

Deno.test("checkComparison() takes elements of the right size, and its own comparisons only", () => {
  checkComparison(libcCallbacks.f64!, 8n);
  assertThrows(() => checkComparison(libcCallbacks.f64!, 4n), RangeError, "must be for 4 bytes");
  const other: Comparison = () => 0;
  assertThrows(() => checkComparison(other, 4n), RangeError, "must be one of libcCallbacks");
});
