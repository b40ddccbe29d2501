import { assertEquals } from "@std/assert";
import { durationText, sentenceOf, threeDigits, unitText } from "./record.ts";

Deno.test("durationText() chooses the unit that shows three digits before or around the point", () => {
  const texts = {
    [251.4e-9]: "251 ns",
    [0.5e-9]: "0.500 ns",
    [1.2e-3]: "1.20 ms",
    [54.56e-6]: "54.6 µs",
    [999.7e-9]: "1.00 µs",
    2: "2.00 s",
    0: "0.00 ns",
  };
  for (const [seconds, text] of Object.entries(texts)) {
    assertEquals(durationText(Number(seconds)), text);
  }
});

Deno.test("threeDigits() writes large numbers out", () => {
  assertEquals(threeDigits(4_103_567), "4100000");
  assertEquals(threeDigits(12.345), "12.3");
  assertEquals(threeDigits(0.012345), "0.0123");
});

Deno.test("threeDigits() keeps the size of numbers that are written with an exponent otherwise", () => {
  assertEquals([999.6, 0.000000984, -0.5].map(threeDigits), ["1000", "0.000000984", "-0.500"]);
});

Deno.test("unitText() chooses the prefix", () => {
  const texts = [0.5, 999, 999.9, 1000, 2.5e6, 3e12].map((value) => unitText(value, "B/s"));
  assertEquals(texts, [
    ...["0.500 B/s", "999 B/s", "1.00 kB/s", "1.00 kB/s", "2.50 MB/s", "3000 GB/s"],
  ]);
});

Deno.test("sentenceOf() begins and ends a sentence, and makes none of nothing", () => {
  assertEquals([sentenceOf("a call"), sentenceOf("")], ["A call.", ""]);
});
