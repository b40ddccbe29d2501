import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { fixedLength, lengthFrom, lengthOf } from "./length.ts";

Deno.test("Length.of() multiplies and adds", () => {
  const numbers = fc.nat(1000);
  fc.assert(fc.property(numbers, numbers, numbers, numbers, (first, second, factor, plus) => {
    const length = lengthOf(0).times(lengthOf(2)).times(factor).plus(plus);
    assertEquals(length.of([first, "other", BigInt(second)]), first * second * factor + plus);
    assertEquals(length.sources, [{ index: 0, path: [] }, { index: 2, path: [] }]);
    assertEquals(lengthOf(0).plus(plus).times(factor).of([first]), (first + plus) * factor);
  }));
  assertEquals(fixedLength(12).of([]), 12);
});

Deno.test("Length.of() is NaN where an argument is negative, or no number", () => {
  const length = lengthOf(0).times(lengthOf(1)).plus(100);
  for (const values of [[-1, -2], [-1n, 2], [1, -2]]) assertEquals(length.of(values), NaN);
  assertEquals([length.problem([1, 2]), length.problem([0, 2n ** 64n])], [undefined, undefined]);
  const must = "must be at least 0, as a length: current value is";
  assertEquals(length.problem([1, -2n]), `argument 1 ${must} -2`);
  for (const value of [undefined, null, "3", true, {}, Symbol("x"), NaN]) {
    assertEquals(length.of([value, 1]), NaN);
    assertEquals(length.problem([value, 1]), `argument 0 ${must} ${String(value)}`);
  }
  assertEquals(length.of([0, 0]), 100);
  const field = lengthOf(1, "at.size").times(lengthOf(0)).times(4);
  assertEquals(field.of([2, { at: { size: 5n } }]), 40);
  for (const [value, text] of [[{ at: {} }, undefined], [{ at: { size: -1n } }, -1], [null]]) {
    assertEquals(field.of([2, value]), NaN);
    assertEquals(field.problem([2, value]), `argument 1.at.size ${must} ${text}`);
  }
});

Deno.test("Length.textOf() has every digit", () => {
  const length = lengthOf(0).times(lengthOf(1, "size")).times(8).plus(1);
  const cases = [[3, 2n, 49], [1, 2n ** 63n, 2n ** 66n + 1n], [2 ** 40, 2n ** 60n + 1n, undefined]];
  for (const [first, size, due = 2n ** 103n + 2n ** 43n + 1n] of cases) {
    assertEquals(length.textOf([first, { size }]), String(due));
  }
  assertEquals(length.textOf([-1, { size: 1n }]), "NaN");
});

Deno.test("Length.toString() is short, and another for another length", () => {
  const [one, fields] = [lengthOf(1), lengthOf(2, "size").times(lengthOf(0, "at.count")).times(3)];
  const lengths = [
    ...[one, one.times(8), one.times(lengthOf(0)), one.plus(1)],
    ...[fixedLength(8), fixedLength(1), fixedLength(0), fields],
  ].map(String);
  assertEquals(lengths.map(lengthFrom).map(String), lengths);
  const texts = ["#1", "#1 * 8", "#1 * #0", "#1 + 1", "8", "1", "0", "#2.size * #0.at.count * 3"];
  assertEquals(lengths, texts);
});

Deno.test("lengths say what they are not made of", () => {
  const wrong = [-1, 0.5, NaN, Infinity, 2 ** 53, undefined, null, "8", 8n, Symbol("x"), {}];
  for (const value of wrong as never[]) {
    for (const make of [lengthOf, fixedLength, lengthOf(0).plus, lengthOf(0).times] as const) {
      const text = `must be integers of at least 0: current value is ${String(value)}`;
      assertThrows(() => make.call(lengthOf(0), value), RangeError, text);
    }
  }
  const rows = [
    [() => lengthOf(0).plus(1).times(lengthOf(1)), "#0 + 1 and #1 as one is a sum"],
    [() => lengthOf(1).times(lengthOf(0).plus(1)), "#1 and #0 + 1"],
    [() => lengthOf(0).plus(lengthOf(1) as never), "lengths #0 and #1 as only"],
    [() => lengthOf(0, 5 as never), "must be a name: current value is 5"],
  ] as const;
  for (const [make, text] of rows) assertThrows(make, TypeError, text);
});
