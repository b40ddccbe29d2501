import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseFormat } from "./conversion.ts";
import { formatNumber, numberFormat } from "./format_number.ts";
import { formatWriter, LITTLE, numberWriter } from "./format_writer.ts";
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
