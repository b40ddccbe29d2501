import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { medianInterval } from "./interval.ts";

const anySamples = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
});

Deno.test("medianInterval() ends at samples, on both sides of the median", () => {
  fc.assert(fc.property(anySamples, (samples) => {
    const { center, lo, hi } = medianInterval(samples);
    assert(lo <= center && center <= hi);
    assert(samples.includes(lo) && samples.includes(hi));
    const half = samples.length / 2;
    assert(samples.filter((sample) => sample <= center).length >= half);
    assert(samples.filter((sample) => sample >= center).length >= half);
  }));
});

Deno.test("medianInterval() does not depend on the order, its warnings aside", () => {
  fc.assert(fc.property(anySamples, (samples) => {
    const { warnings: _, ...forward } = medianInterval(samples);
    const { warnings: __, ...backward } = medianInterval(samples.toReversed());
    assertEquals(forward, backward);
  }));
});

Deno.test("medianInterval() grows and shrinks with its samples", () => {
  fc.assert(fc.property(anySamples, fc.integer({ min: 1, max: 9 }), (samples, factor) => {
    const before = medianInterval(samples);
    const after = medianInterval(samples.map((sample) => sample * factor));
    assertAlmostEquals(after.center, before.center * factor, 1);
    assertAlmostEquals(after.lo, before.lo * factor, 1e-3);
    assertAlmostEquals(after.hi, before.hi * factor, 1e-3);
  }));
});

Deno.test("medianInterval() has the confidence of the binomial distribution", () => {
  // 1 - 2 x (sum of binomials up to the rank) / 2^n, by hand for the first and by tables
  const known: Record<number, readonly [rank: number, confidence: number]> = {
    6: [0, 1 - 2 / 64],
    9: [1, 1 - 2 * (1 + 9) / 512],
    20: [5, 0.9586105],
    100: [39, 0.9647998],
  };
  for (const [count, [rank, confidence]] of Object.entries(known)) {
    const samples = Array.from({ length: Number(count) }, (_, index) => index);
    const interval = medianInterval(samples);
    assertEquals([interval.lo, interval.hi], [rank, Number(count) - 1 - rank]);
    assertAlmostEquals(interval.confidence, confidence, 1e-6);
  }
});

Deno.test("medianInterval() holds the true median as often as it says", () => {
  const random = seededRandom(5);
  const trials = 4000;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    // Exponential: far from normal, like latencies; its median is the logarithm of two.
    const { lo, hi } = medianInterval(Array.from({ length: 30 }, () => -Math.log(1 - random())));
    if (lo <= Math.LN2 && Math.LN2 <= hi) held++;
  }
  assertAlmostEquals(held / trials, 0.957, 0.012);
});

Deno.test("medianInterval() of many thousands of samples is narrow and sure", () => {
  const samples = Array.from({ length: 20_001 }, (_, index) => index);
  const { center, lo, hi, confidence } = medianInterval(samples);
  assertEquals(center, 10_000);
  assertAlmostEquals(hi - lo, 2 * 1.96 * Math.sqrt(20_001) / 2, 3);
  assert(confidence >= 0.95 && confidence < 0.951);
});

Deno.test("medianInterval() says when there are too few samples", () => {
  const { lo, hi, confidence, warnings } = medianInterval([3, 1, 2]);
  assertEquals([lo, hi, confidence], [1, 3, 0.75]);
  assertMatch(warnings[0]!, /Too few samples for 95 % confidence: all of them together give 75 %/);
  assertEquals(medianInterval([1]).confidence, 0);
  assertEquals(medianInterval([1, 2, 3, 4, 5, 6]).warnings, []);
});

Deno.test("medianInterval() says when neighbours move together", () => {
  const drift = Array.from({ length: 40 }, (_, index) => index);
  assertMatch(medianInterval(drift).warnings[0]!, /same side of the median in 97.4 % of cases/);
  const random = seededRandom(9);
  assertEquals(medianInterval(drift.map(() => random())).warnings, []);
  assertEquals(medianInterval(drift.map(() => 1)).warnings, []);
});

Deno.test("medianInterval() refuses what has no median", () => {
  assertThrows(() => medianInterval([]), RangeError, "there is none");
  assertThrows(() => medianInterval([1, NaN]), RangeError, "one is NaN");
  assertThrows(() => medianInterval([1, Infinity]), RangeError, "one is Infinity");
});
