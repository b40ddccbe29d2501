import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { seededRandom } from "../../bench/sweep/shuffle.ts";
import { compareLatencies } from "./compare.ts";

function latencies(seed: number, options: { count: number; factor: number }): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: options.count }, () => options.factor * (1 - Math.log(1 - random())));
}

Deno.test("compareLatencies() finds a factor, and how sure it is", () => {
  const before = latencies(1, { count: 200, factor: 1e-7 });
  const after = latencies(2, { count: 200, factor: 0.5e-7 });
  const { verdict, ratio } = compareLatencies(before, after);
  assertEquals(verdict, "faster");
  assert(ratio.lo <= 0.5 && 0.5 <= ratio.hi);
  assertEquals(compareLatencies(after, before).verdict, "slower");
});

Deno.test("compareLatencies() is wrong about equals one time in twenty, as it says", () => {
  const trials = 1000;
  let wrong = 0;
  for (let seed = 0; seed < trials; seed++) {
    const [one, other] = [2 * seed, 2 * seed + 1].map((it) =>
      latencies(it, { count: 20, factor: 1 })
    );
    if (compareLatencies(one!, other!).verdict !== "no difference detected") wrong++;
  }
  assertAlmostEquals(wrong / trials, 0.05, 0.02);
});

Deno.test("compareLatencies() turned round is the inverse", () => {
  const anyLatencies = fc.array(fc.double({ min: 1e-9, max: 1e-3, noNaN: true }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(fc.property(anyLatencies, anyLatencies, (one, other) => {
    const [forward, backward] = [compareLatencies(one, other), compareLatencies(other, one)];
    assertAlmostEquals(forward.ratio.lo * backward.ratio.hi, 1, 1e-9);
    assert(forward.ratio.lo <= forward.ratio.center && forward.ratio.center <= forward.ratio.hi);
  }));
});

Deno.test("compareLatencies() warns of few samples and refuses none", () => {
  assertMatch(compareLatencies([1, 2], [3, 4]).ratio.warnings[0]!, /Too few samples to compare: 2/);
  assertThrows(() => compareLatencies([], [1]), RangeError, "there is none");
  assertThrows(() => compareLatencies([0], [1]), RangeError, "must be positive");
});
