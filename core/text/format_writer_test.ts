import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { parseFormat } from "./conversion.ts";
import { formatNumber, numberFormat } from "./format_number.ts";
import { addFixed, addGeneral, formatWriter, LITTLE, numberWriter } from "./format_writer.ts";
import { TextWriter } from "./text_writer.ts";

const decoder = new TextDecoder();

function print(format: string, ...words: readonly number[]): string {
  const writer = new TextWriter();
  const values = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, at) => values.setUint32(at * 4, word, LITTLE));
  assertEquals(formatWriter(parseFormat(format))(writer, values, 0), values.byteLength);
  return decoder.decode(writer.written);
}

function bits(value: number): number {
  return new Uint32Array(new Float32Array([value]).buffer)[0]!;
}

Deno.test("formatWriter() writes texts, numbers and vectors", () => {
  assertEquals(print("a%% é\n"), "a% é\n");
  assertEquals(print("%d|%u|%x|%o", -1 >>> 0, 0xffffffff, 255, 8), "-1|4294967295|ff|10");
  assertEquals(print("%f %.1f %g", bits(1.5), bits(-2.25), bits(100)), "1.500000 -2.2 100");
  assertEquals(print("%v2u!%.1v3f", 1, 2, bits(1), bits(2), bits(-3)), "(1, 2)!(1.0, 2.0, -3.0)");
});

Deno.test("formatWriter() takes widths and precisions that are arguments", () => {
  assertEquals(print("[%*d]", -5 >>> 0, 42), "[42   ]");
  assertEquals(print("[%*.*v2f]", 5, 1, bits(1), bits(2)), "[(  1.0,   2.0)]");
});

Deno.test("formatWriter() throws where the memory ends before the format", () => {
  assertThrows(() => print("%u %*u", 1), RangeError);
});

const f32 = fc.oneof(
  fc.float(),
  fc.integer({ min: -4000, max: 4000 }).map((eighths) => eighths / 8),
  fc.integer({ min: -999_999, max: 999_999 }).map((digits) => Math.fround(digits / 1000)),
  fc.integer({ min: -9, max: 12 }).map((power) => Math.fround(10 ** power)),
  fc.integer({ min: -6, max: 9 }).map((power) => Math.fround(10 ** power * (1 - 2 ** -24))),
);
const some = fc.record({
  flags: fc.uniqueArray(fc.constantFrom("-", "+", " ", "0", "#")).map((all) => all.join("")),
  width: fc.nat(16),
  precision: fc.option(fc.nat(11), { nil: undefined }),
});
const numbers = fc.oneof(
  fc.tuple(fc.constantFrom(..."fgFGe"), f32),
  fc.tuple(fc.constantFrom("d", "i"), fc.integer()),
  fc.tuple(fc.constantFrom(..."uxXo"), fc.integer({ min: 0, max: 0xffffffff })),
);

Deno.test("numberWriter() writes what formatNumber() gives, whichever way it takes", () => {
  fc.assert(
    fc.property(some, numbers, (format, [letter, value]) => {
      const writer = new TextWriter();
      const whole = numberFormat({ ...format, letter }, () => 0);
      numberWriter(whole)(writer, value);
      const wanted = formatNumber(value, whole);
      assertEquals(decoder.decode(writer.written), wanted, JSON.stringify([whole, value]));
    }),
    { numRuns: Number(Deno.env.get("PRINTF_CASES") ?? 20_000) },
  );
});

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
