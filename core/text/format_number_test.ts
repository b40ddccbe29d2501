import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFormat } from "./conversion.ts";
import type { HostVariadic } from "../signature/declaration_types.ts";
import { openPrintf } from "../testing/fixtures/c_printf.ts";
import { formatNumber, formatText, numberFormat } from "./format_number.ts";

/** Formats as the host does. */
function format(conversion: string, value: number, extents: readonly number[] = []): string {
  const [piece] = parseFormat(conversion);
  if (piece === undefined || typeof piece === "string") throw new TypeError(conversion);
  const left = [...extents];
  return formatNumber(value, numberFormat(piece, () => left.shift()!));
}

const flags = fc.uniqueArray(fc.constantFrom("-", "+", " ", "0", "#")).map((some) => some.join(""));
/** C leaves `#` undefined for decimal numbers. */
const plainFlags = flags.map((some) => some.replace("#", ""));
const width = fc.option(fc.integer({ min: 1, max: 40 }), { nil: "" }).map(String);
const precision = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined })
  .map((digits) => digits === undefined ? "" : `.${digits}`);

function conversion(some: fc.Arbitrary<string>, letters: readonly string[]) {
  return fc.tuple(some, width, precision, fc.constantFrom(...letters))
    .map((parts) => `%${parts.join("")}`);
}

/** An f32, and values where rounding is a matter of the last digit. */
const f32 = fc.oneof(
  fc.float({ noNaN: true }),
  fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8),
  fc.integer({ min: -40, max: 38 }).map((power) => Math.fround(10 ** power)),
);

/**
 * Where rounding makes a power of ten, glibc drops the zeros that `#` of `%g` keeps: it writes
 * `1.e+02` for `%#.2g` of 99.5, and C says `1.0e+02`.
 */
function isKnownDefect(conversion: string, written: string): boolean {
  return /#.*g$/i.test(conversion) && /1\.0*e/i.test(written);
}

using library = openPrintf();

/** What the C library writes. */
function byC(conversion: string, argument: HostVariadic): string {
  return new TextDecoder().decode(library!.print(conversion, [argument]));
}

const suffix = library ? "" : " (skipped: no C library that can be asked)";
const runs = { numRuns: 5000 };

Deno.test({
  name: `formatNumber() writes floats as the C library does${suffix}`,
  ignore: !library,
  fn() {
    const formats = conversion(flags, ["f", "F", "e", "E", "g", "G"]);
    fc.assert(
      fc.property(formats, f32, (text, value) => {
        const written = format(text, value);
        fc.pre(!isKnownDefect(text, written));
        assertEquals(written, byC(text, { type: "f64", value }), `${text} of ${value}`);
      }),
      runs,
    );
  },
});

Deno.test({
  name: `formatNumber() writes doubles of any size as the C library does${suffix}`,
  ignore: !library,
  fn() {
    const formats = conversion(flags, ["f", "e", "g"]);
    const doubles = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer({ min: -307, max: 308 }).map((power) => Number(`1e${power}`)),
    );
    fc.assert(
      fc.property(formats, doubles, (text, value) => {
        const written = format(text, value);
        fc.pre(!isKnownDefect(text, written));
        assertEquals(written, byC(text, { type: "f64", value }), `${text} of ${value}`);
      }),
      runs,
    );
  },
});

Deno.test({
  name: `formatNumber() writes integers as the C library does${suffix}`,
  ignore: !library,
  fn() {
    const signed = fc.tuple(conversion(plainFlags, ["d", "i"]), fc.integer());
    const unsigned = fc.tuple(
      fc.oneof(conversion(flags, ["x", "X", "o"]), conversion(plainFlags, ["u"])),
      fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(20)),
    );
    fc.assert(
      fc.property(fc.oneof(signed, unsigned), ([text, value]) => {
        assertEquals(
          format(text, value),
          byC(text, { type: "i64", value: BigInt(value) }),
          `${text} of ${value}`,
        );
      }),
      runs,
    );
  },
});

Deno.test("formatNumber() writes what C says, where there is no library to ask", () => {
  const cases = [
    ["%f", 1 / 3, "0.333333"],
    ["%.0f", 0.5, "0"],
    ["%.0f", 1.5, "2"],
    ["%.0f", 2.5, "2"],
    ["%.1f", 0.25, "0.2"],
    ["%.20f", Math.fround(0.1), "0.10000000149011611938"],
    ["%e", 0, "0.000000e+00"],
    ["%.2e", 9.999e9, "1.00e+10"],
    ["%g", 100000, "100000"],
    ["%g", 1e6, "1e+06"],
    ["%g", 0.0001, "0.0001"],
    ["%g", 0.00001, "1e-05"],
    ["%#g", 1, "1.00000"],
    ["%#.2g", 99.5, "1.0e+02"],
    ["%08.2f", -1.5, "-0001.50"],
    ["%08f", Infinity, "     inf"],
    ["%F", -Infinity, "-INF"],
    ["%f", NaN, "nan"],
    ["%f", -0, "-0.000000"],
    ["%5d|", -3, "   -3"],
    ["%-5d", -3, "-3   "],
    ["%+d", 3, "+3"],
    ["%#x", 255, "0xff"],
    ["%#X", 255, "0XFF"],
    ["%08.3d", 5, "     005"],
    ["%.0d", 0, ""],
    ["%#o", 8, "010"],
    ["%u", 0xffffffff, "4294967295"],
  ] as const;
  for (const [text, value, wanted] of cases) {
    assertEquals(format(text.replace("|", ""), value), wanted, `${text} of ${value}`);
  }
});

Deno.test("a significant digit is right beside a power of ten", () => {
  // The shortest text of this value is 1e+23, and the value is smaller.
  assertEquals(format("%.16e", 1e23), "9.9999999999999992e+22");
  assertEquals(format("%.2e", 1e23), "1.00e+23");
});

Deno.test("numberFormat() puts arguments of * in their places, as C does", () => {
  assertEquals(format("%*d", 7, [4]), "   7");
  assertEquals(format("%*d", 7, [-4]), "7   ");
  assertEquals(format("%.*f", 1.25, [1]), "1.2");
  assertEquals(format("%.*f", 1.25, [-1]), "1.250000");
  assertEquals(format("%*.*f", 1.25, [6, 1]), "   1.2");
});

Deno.test("numberFormat() cuts arguments of * from the device", () => {
  assertEquals(format("%*d", 7, [0x7fffffff]).length, 4095);
  assertEquals(format("%*d", 7, [-0x80000000]).length, 4095);
  assertEquals(format("%.*f", 1, [0x7fffffff]).length, 4097);
});

Deno.test("formatText() pads and cuts", () => {
  const field = { flags: "", width: 5, precision: 2, letter: "s" };
  assertEquals(formatText("a😀c", field), "   a😀");
  assertEquals(formatText("abc", { ...field, flags: "-", precision: undefined }), "abc  ");
});
