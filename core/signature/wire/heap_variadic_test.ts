import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { HostVariadic, VariadicValue } from "../declare/value.ts";
import { anyVariadic } from "../testdata/any_call.ts";
import { ArrayHeap, placeList } from "../testdata/array_heap.ts";
import { heapVariadic } from "./heap_variadic.ts";
import { readVariadic, VARIADIC_MAX, writeVariadic } from "./variadic_bytes.ts";

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
