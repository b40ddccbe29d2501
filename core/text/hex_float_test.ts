import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatHexFloat } from "./hex_float.ts";

function hexFloat(value: number, precision?: number, flags = ""): string {
  return formatHexFloat(value, { flags, width: 0, precision, letter: "a" });
}

Deno.test("formatHexFloat() writes hexadecimal floats as C does, rounding halves to even", () => {
  const cases: [number, number | undefined, string, string][] = [
    [0, undefined, "", "0x0p+0"],
    [3, undefined, "", "0x1.8p+1"],
    [3, 0, "", "0x2p+1"],
    [2.5, 0, "", "0x1p+1"],
    [3, 0, "#", "0x2.p+1"],
    [0.1, 3, "", "0x1.99ap-4"],
    [5e-324, undefined, "", "0x0.0000000000001p-1022"],
    [1, 15, "", "0x1.000000000000000p+0"],
  ];
  for (const [value, precision, flags, wanted] of cases) {
    assertEquals(hexFloat(value, precision, flags), wanted);
  }
});

Deno.test("formatHexFloat() of a hexadecimal float without a precision keeps every bit", () => {
  fc.assert(fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
    const [, lead, fraction = "", exponent] = /^0x(\d)\.?(\w*?)p(.*)$/.exec(
      hexFloat(value),
    )!;
    const digits = BigInt(`0x${lead}${fraction}`);
    // In two steps, as a power of two may be below the smallest double.
    const power = Number(exponent) - 4 * fraction.length;
    const half = Math.trunc(power / 2);
    assertEquals(Number(digits) * 2 ** half * 2 ** (power - half), value);
  }));
});
