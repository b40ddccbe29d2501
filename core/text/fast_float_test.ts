import { assertEquals } from "@std/assert";
import { addFixed, addGeneral } from "./fast_float.ts";
import { TextWriter } from "./text_writer.ts";

/** What is written of a value; `undefined` where it is left to others. */
function shown(add: typeof addFixed, value: number, precision: number): string | undefined {
  const writer = new TextWriter();
  writer.addAscii("|");
  const isDone = add(writer, value, precision);
  const text = new TextDecoder().decode(writer.written).slice(1);
  assertEquals(isDone || text === "", true, "nothing is left behind");
  return isDone ? text : undefined;
}

Deno.test("addFixed() rounds halves to even, and carries into the whole part", () => {
  const cases = [
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [2.5, 0, "2"],
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
    [Math.fround(0.9999), 3, "1.000"],
    [9.5, 0, "10"],
    [16_777_215, 6, "16777215.000000"],
    [2 ** 40, 1, "1099511627776.0"],
  ] as const;
  for (const [value, precision, wanted] of cases) {
    assertEquals(shown(addFixed, value, precision), wanted);
  }
});

Deno.test("addFixed() leaves to others what is not exact in a double", () => {
  for (const value of [0.1, 2 ** 53, Infinity, NaN]) {
    assertEquals(shown(addFixed, value, 2), undefined);
  }
  assertEquals(shown(addFixed, 0.5, 10), undefined);
});

Deno.test("addGeneral() counts digits from the first, and drops zeros", () => {
  const cases = [
    [0, 6, "0"],
    [100, 6, "100"],
    [0.5, 6, "0.5"],
    [Math.fround(0.001), 6, "0.001"],
    [Math.fround(123.456), 4, "123.5"],
    [2.5, 1, "2"],
    [99_999, 6, "99999"],
  ] as const;
  for (const [value, precision, wanted] of cases) {
    assertEquals(shown(addGeneral, value, precision), wanted);
  }
});

Deno.test("addGeneral() leaves to others what has an exponent, or becomes a power of ten", () => {
  const cases = [[1e9, 6], [1e6, 6], [Math.fround(1e-5), 6], [99.5, 2], [9.5, 1], [
    NaN,
    6,
  ]] as const;
  for (const [value, precision] of cases) {
    assertEquals(shown(addGeneral, value, precision), undefined, `${value}`);
  }
});
