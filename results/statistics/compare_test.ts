import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import fc from "fast-check";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { compareRounds, verdictOf } from "./compare.ts";

const TRIAL_COUNT = 1000;

interface Law {
  /** How far the medians of rounds lie apart, as a share. */
  readonly roundShare: number;
  /** How often a round finds its two threads on cores that are three times as far apart. */
  readonly farShare?: number;
}

/** Rounds of 20 samples that scatter by a tenth, on top of what the round has. */
function roundsOf(seed: number, factor: number, law: Law & { readonly count: number }): number[][] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: law.count }, () => {
    const far = random() < (law.farShare ?? 0) ? 3 : 1;
    const round = factor * far * Math.exp(law.roundShare * normal());
    return Array.from({ length: 20 }, () => round * Math.exp(0.1 * normal()));
  });
}

/** How often two sets of rounds that differ by a factor get a verdict. */
function shareOf(
  verdicts: readonly string[],
  factor: number,
  law: Law & { count: number },
): number {
  let count = 0;
  for (let seed = 0; seed < TRIAL_COUNT; seed++) {
    const [before, after] = [roundsOf(2 * seed, 1, law), roundsOf(2 * seed + 1, factor, law)];
    if (verdicts.includes(compareRounds(before, after).verdict)) count++;
  }
  return count / TRIAL_COUNT;
}

const DIFFERENT = ["faster", "slower"];

for (const count of [3, 5, 10]) {
  Deno.test(`compareRounds() is wrong about equals one time in twenty at most, with ${count} rounds`, () => {
    assert(shareOf(DIFFERENT, 1, { count, roundShare: 0.05 }) <= 0.065);
    assert(shareOf(DIFFERENT, 1, { count, roundShare: 0 }) <= 0.065);
    assert(shareOf(DIFFERENT, 1, { count, roundShare: 0.05, farShare: 0.3 }) <= 0.065);
  });
}

Deno.test("compareRounds() finds what it can find, and says the same of equals", () => {
  const quiet = { count: 5, roundShare: 0.02 };
  assert(shareOf(["slower"], 1.2, quiet) > 0.99);
  assert(shareOf(["faster"], 1 / 1.2, quiet) > 0.99);
  assert(shareOf(["same"], 1, { ...quiet, count: 20 }) > 0.9);
  assert(shareOf(["slower"], 1.2, { count: 5, roundShare: 0.1 }) > 0.5);
});

Deno.test("compareRounds() takes no notice of how many samples a round has, which no process scatters", () => {
  const law = { count: 4, roundShare: 0.2 };
  const [before, after] = [roundsOf(1, 1, law), roundsOf(2, 1.1, law)];
  const many = (rounds: number[][]) => rounds.map((round) => Array(50).fill(round).flat());
  const [few, all] = [compareRounds(before, after), compareRounds(many(before), many(after))];
  assertAlmostEquals(few.ratio.lo, all.ratio.lo, 1e-12);
  assertEquals(few.verdict, "undecided");
});

Deno.test("compareRounds() turned round is the inverse", () => {
  const anyRounds = fc.array(
    fc.array(fc.double({ min: 1e-9, max: 1e-3, noNaN: true }), { minLength: 1, maxLength: 5 }),
    { minLength: 2, maxLength: 6 },
  );
  fc.assert(fc.property(anyRounds, anyRounds, (one, other) => {
    const [forward, backward] = [compareRounds(one, other), compareRounds(other, one)];
    assertAlmostEquals(Math.log(forward.ratio.lo) + Math.log(backward.ratio.hi), 0, 1e-6);
    assert(forward.ratio.lo <= forward.ratio.center && forward.ratio.center <= forward.ratio.hi);
  }));
});

Deno.test("compareRounds() says the same only as far as it is told", () => {
  const before = [[100], [101], [100], [101]];
  const after = before.map(([one]) => [one! * 1.02]);
  assertEquals(compareRounds(before, after).verdict, "same");
  assertEquals(compareRounds(before, after, { sameWithin: 0.01 }).verdict, "slower");
});

Deno.test("compareRounds() has no opinion on single rounds, and refuses none", () => {
  const { verdict, ratio } = compareRounds([[1, 2]], [[3, 4], [3, 4]]);
  assertEquals([verdict, ratio.lo, ratio.hi, ratio.confidence], ["undecided", 0, Infinity, 0]);
  assertMatch(ratio.warnings[0]!, /Too few rounds to compare: 1/);
  assertThrows(() => compareRounds([], [[1]]), RangeError, "there is none");
  assertThrows(() => compareRounds([[0]], [[1]]), RangeError, "one median is 0");
  assertThrows(() => compareRounds([[]], [[1]]), RangeError, "one median is NaN");
});

Deno.test("verdictOf() is the same of an interval and of its inverse", () => {
  const turned = {
    same: "same",
    undecided: "undecided",
    faster: "slower",
    slower: "faster",
  } as const;
  const rest = { center: 1, confidence: 0.95, warnings: [] };
  for (const sameWithin of [0.01, 0.05, 0.2]) {
    for (const lo of [0.8, 0.834, 0.951, 0.9525, 0.9905, 1, 1.001]) {
      for (const hi of [1, 1.002, 1.0099, 1.049, 1.051, 1.19, 1.3]) {
        const one = verdictOf({ lo, hi, ...rest }, sameWithin);
        const other = verdictOf({ lo: 1 / hi, hi: 1 / lo, ...rest }, sameWithin);
        assertEquals(other, turned[one], `${lo} to ${hi} within ${sameWithin}`);
      }
    }
  }
});
