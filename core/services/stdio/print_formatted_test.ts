import { assert, assertEquals, assertThrows } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import type { HostVariadic } from "../../signature/declaration_types.ts";
import { openPrintf } from "../../testing/fixtures/c_printf.ts";
import { printFormatted } from "./print_formatted.ts";

function text(format: string, ...values: HostVariadic[]): string {
  return new TextDecoder().decode(printFormatted(format, values));
}

function lengthOf({ length }: string): number {
  return length;
}

const flags = fc.uniqueArray(fc.constantFrom("-", "+", " ", "0", "#")).map((some) => some.join(""));
const extent = fc.oneof(fc.constant(""), fc.integer({ min: 0, max: 40 }).map(String));
const precision = fc.oneof(fc.constant(""), extent.map((digits) => `.${digits}`));
const integer: fc.Arbitrary<HostVariadic> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 2n ** 63n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -300n, max: 300n }),
).map((value) => ({ type: value < 2n ** 63n ? "i64" : "u64", value }));
const float: fc.Arbitrary<HostVariadic> = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8),
  fc.integer({ min: -40, max: 40 }).map((power) => 10 ** power),
).map((value) => ({ type: "f64", value }));
const string: fc.Arbitrary<HostVariadic> = fc.string({ unit: "grapheme", maxLength: 12 })
  .map((value) => ({ type: "string", value: value.replaceAll("\0", "") }));
const length = fc.constantFrom("hh", "h", "", "l", "ll", "j", "z", "t");

/** A conversion with what C leaves open taken out, and its arguments. */
function withArguments(
  conversion: fc.Arbitrary<string>,
  value: fc.Arbitrary<HostVariadic>,
): fc.Arbitrary<readonly [string, readonly HostVariadic[]]> {
  return fc.tuple(conversion, value).map(([one, only]) => [one, [only]] as const);
}

const plainFlags = flags.map((some) => some.replace("#", ""));
const leftFlag = fc.constantFrom("", "-");

function join(...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((all) => `%${all.join("")}`);
}

const conversions = fc.oneof(
  withArguments(
    join(plainFlags, extent, precision, length, fc.constantFrom("d", "i", "u")),
    integer,
  ),
  withArguments(join(flags, extent, precision, length, fc.constantFrom("x", "X", "o")), integer),
  withArguments(join(flags, extent, precision, fc.constantFrom(..."fFeEgGaA")), float),
  withArguments(join(leftFlag, extent, precision, fc.constant("s")), string),
  withArguments(
    join(leftFlag, extent, fc.constant("c")),
    fc.integer({ min: 1, max: 255 }).map((value) => ({ type: "i32", value }) as const),
  ),
  withArguments(join(flags, extent, precision, fc.constant("p")), integer),
);

/**
 * Where rounding makes a power of ten, glibc drops the zeros that `#` of `%g` keeps. With `%#g` it is
 * not asked.
 */
function isKnownDefect(format: string): boolean {
  return /%[-+ 0]*#[^%]*[gG]/.test(format);
}

const CASES = Number(Deno.env.get("PRINTF_CASES") ?? 10_000);

Deno.test({
  name: "printFormatted() writes what glibc writes, byte for byte",
  ignore: openPrintf() === undefined,
  fn() {
    using library = openPrintf()!;
    const parts = fc.array(fc.tuple(conversions, fc.constantFrom("", "%%", "ä|", " ")), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(parts, (some) => {
        const format = some.map(([[conversion], gap]) => conversion + gap).join("");
        if (isKnownDefect(format)) return;
        const values = some.flatMap(([[, given]]) => given);
        assertEquals(printFormatted(format, values), library.print(format, values), format);
      }),
      { numRuns: CASES },
    );
  },
});

Deno.test("widths and precisions of * are arguments, negative ones as C has them", () => {
  const i32 = (value: number) => ({ type: "i32", value }) as const;
  assertEquals(text("[%*d]", i32(5), i32(42)), "[   42]");
  assertEquals(text("[%*d]", i32(-5), i32(42)), "[42   ]");
  assertEquals(text("[%.*f]", i32(1), { type: "f64", value: 2.25 }), "[2.2]");
  assertEquals(text("[%.*f]", i32(-1), { type: "f64", value: 2.25 }), "[2.250000]");
  assertEquals(text("%.*d", i32(-(2 ** 31)), i32(42)), "42");
  const long = { type: "string", value: "x".repeat(6000) } as const;
  assertEquals([text("%.*s", i32(5000), long), text("%.5000s", long)].map(lengthOf), [5000, 5000]);
});

Deno.test("numbers of TypeScript fit conversions of integers and of floats", () => {
  const f64 = (value: number) => ({ type: "f64", value }) as const;
  assertEquals(
    text("%d %lld %u %f", f64(3.9), f64(-(2 ** 40)), f64(-1), { type: "i64", value: 2n }),
    "3 -1099511627776 4294967295 2.000000",
  );
  assertEquals(text("%a %A %10a|", f64(1.5), f64(-0), f64(NaN)), "0x1.8p+0 -0X0P+0        nan|");
});

Deno.test("long formats fill no memory", () => {
  const collect = collector();
  collect();
  const before = Deno.memoryUsage().heapUsed;
  for (let count = 0; count < 20; count++) {
    assertEquals(text(`${count}${"%%".repeat(10_000)}`).length, 10_000 + `${count}`.length);
  }
  collect();
  assert(Deno.memoryUsage().heapUsed - before < 2_000_000);
});

/** V8's own, which collects all that nobody holds. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

Deno.test("a format that cannot be shown is refused, with its conversion", () => {
  const one: HostVariadic = { type: "i32", value: 1 };
  const name: HostVariadic = { type: "string", value: "x" };
  const refusals: [string, HostVariadic[], string][] = [
    ["%n", [one], "writes to memory"],
    ["%d %d", [one], "no argument"],
    ["%s", [one], "takes a string"],
    ["%d", [name], "takes an integer"],
    ["%f", [name], "takes a number"],
    ["%d", [{ type: "f64", value: NaN }], "takes an integer"],
    ["%k", [one], "no conversion"],
    ["%", [], "no conversion"],
    ["%5%", [], "no conversion"],
    ["%99999d", [one], "at most 4095: current value is 99999"],
    ["%*d", [{ type: "i32", value: -(2 ** 31) }, one], "at most 4095: current value is 2147483648"],
    ["%.*d", [{ type: "i32", value: 5000 }, one], "at most 4095"],
    ["%.5000d", [one], "at most 4095"],
  ];
  for (const [format, values, reason] of refusals) {
    assertThrows(() => printFormatted(format, values), TypeError, reason);
  }
});

Deno.test("printFormatted() writes a wide character as UTF-8", () => {
  const print = (value: bigint) => text("[%3lc]", { type: "i64", value });
  assertEquals([65n, 8364n, 0x1f600n].map(print), ["[  A]", "[€]", "[😀]"]);
  for (const value of [0xd800n, 0x110000n, -1n]) {
    assertThrows(() => print(value), TypeError, `current value is ${value}`);
  }
});
