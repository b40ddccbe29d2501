import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { fixedLength, lengthFrom, lengthOf } from "./length.ts";

Deno.test("Length.of() multiplies and adds", () => {
  const numbers = fc.nat(1000);
  fc.assert(fc.property(numbers, numbers, numbers, numbers, (first, second, factor, plus) => {
    const length = lengthOf(0).times(lengthOf(2)).times(factor).plus(plus);
    assertEquals(length.of([first, "other", BigInt(second)]), first * second * factor + plus);
    assertEquals(length.indexes, [0, 2]);
    assertEquals(lengthOf(0).plus(plus).times(factor).of([first]), (first + plus) * factor);
  }));
  assertEquals(fixedLength(12).of([]), 12);
});

Deno.test("Length.of() is NaN where an argument is negative", () => {
  const length = lengthOf(0).times(lengthOf(1)).plus(100);
  for (const values of [[-1, -2], [-1n, 2], [1, -2]]) assertEquals(length.of(values), NaN);
  assertEquals(length.of([0, 0]), 100);
});

Deno.test("Length.toString() is short, and another for another length", () => {
  const lengths = [
    lengthOf(1),
    lengthOf(1).times(8),
    lengthOf(1).times(lengthOf(0)),
    lengthOf(1).plus(1),
    fixedLength(8),
    fixedLength(1),
    fixedLength(0),
  ];
  assertEquals(lengths.map(String).map(lengthFrom).map(String), lengths.map(String));
  assertEquals(lengths.map(String), ["#1", "#1 * 8", "#1 * #0", "#1 + 1", "8", "1", "0"]);
});

Deno.test("lengths refuse numbers that count nothing, and products of sums", () => {
  for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    for (const make of [lengthOf, fixedLength, lengthOf(0).plus, lengthOf(0).times] as const) {
      assertThrows(() => make.call(lengthOf(0), value), RangeError, `current value is ${value}`);
    }
  }
  assertThrows(
    () => lengthOf(0).plus(1).times(lengthOf(1)),
    TypeError,
    "#0 + 1 and #1 as one is a sum",
  );
  assertThrows(() => lengthOf(1).times(lengthOf(0).plus(1)), TypeError, "#1 and #0 + 1");
});
