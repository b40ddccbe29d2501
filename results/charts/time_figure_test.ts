import { assertEquals } from "@std/assert";
import { spansRatios, timeFigure } from "./time_figure.ts";

Deno.test("spansRatios() of values far apart, none of them 0", () => {
  assertEquals(spansRatios([1, 64, 4096]), true);
  assertEquals(spansRatios([1, 2, 4]), false);
  assertEquals(spansRatios([0, 64]), false);
  assertEquals(spansRatios([]), false);
});

Deno.test("timeFigure() begins at 0 where times are alike", () => {
  assertEquals(timeFigure([1e-7, 2e-7]).scale, { zero: true });
  assertEquals(timeFigure().scale, { zero: true });
});

Deno.test("timeFigure() has few round ticks where times span ratios", () => {
  const valuesOf = (seconds: number[]) => (timeFigure(seconds).axis as { values: number[] }).values;
  assertEquals(valuesOf([90e-9, 1.1e-6]), [
    1e-8,
    2e-8,
    5e-8,
    1e-7,
    2e-7,
    5e-7,
    1e-6,
    2e-6,
    5e-6,
    1e-5,
    2e-5,
    5e-5,
  ]);
  assertEquals(valuesOf([2e-8, 3e-3]), [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]);
});
