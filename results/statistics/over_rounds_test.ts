import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { overRounds, ROUNDS_MIN } from "./over_rounds.ts";
import { pairedRatios } from "./ratio.ts";

const TRIAL_COUNT = 400;
const SAMPLE_COUNT = 30;
const NEAR_SECONDS = 1e-7;
const TRUE_RATIO = 2;

interface Law {
  readonly roundCount: number;
  /** In how many of the samples the two cores are five times as far apart. */
  readonly farShare: number;
  /** How often the cores stay where they are from one sample to the next, 0 to 1. */
  readonly stayShare: number;
  /** How far a sample lies from the median of its round, as a share. */
  readonly noiseShare: number;
  /** How far a round lies from the others, as a share. */
  readonly roundShare: number;
}

const QUIET: Law = {
  roundCount: 5,
  farShare: 0,
  stayShare: 0.9,
  noiseShare: 0.05,
  roundShare: 0.03,
};

/** Rounds of ratios to a floor whose two cores move apart and back, between any two samples. */
function ratiosOf(seed: number, law: Law): number[][] {
  const random = seededRandom(seed);
  const spread = (share: number) =>
    Math.exp(share * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  return Array.from({ length: law.roundCount }, () => {
    const round = spread(law.roundShare);
    let distance = 1;
    const sample = () => {
      if (random() >= law.stayShare) distance = random() < law.farShare ? 5 : 1;
      return NEAR_SECONDS * distance * spread(law.noiseShare);
    };
    const floors = Array.from({ length: SAMPLE_COUNT }, sample);
    const calls = Array.from({ length: SAMPLE_COUNT }, () => 0);
    for (const index of calls.keys()) {
      floors[index] = sample();
      calls[index] = TRUE_RATIO * round * sample();
    }
    return pairedRatios(calls, floors);
  });
}

/** How often the interval holds the true ratio, and how far the centres are off, as a share. */
function judge(law: Law): { heldShare: number; bias: number; confidence: number } {
  let [heldCount, offset, confidence] = [0, 0, 1];
  for (let seed = 1; seed <= TRIAL_COUNT; seed++) {
    const interval = overRounds(ratiosOf(seed, law));
    if (interval.lo <= TRUE_RATIO && TRUE_RATIO <= interval.hi) heldCount++;
    offset += Math.log(interval.center / TRUE_RATIO);
    confidence = interval.confidence;
  }
  return { heldShare: heldCount / TRIAL_COUNT, bias: offset / TRIAL_COUNT, confidence };
}

/** Three times the chance that is in the count of trials. */
const SLACK = 3 * Math.sqrt(0.06 * 0.94 / TRIAL_COUNT);

const LAWS: Readonly<Record<string, Partial<Law>>> = {
  "rounds that lie apart": { roundShare: 0.2 },
  "a floor that is noisy itself": { noiseShare: 0.3 },
  "a floor that is far now and then": { farShare: 0.15 },
  "a floor that jumps within pairs": { farShare: 0.5, stayShare: 0.5, noiseShare: 0.1 },
};

for (const [name, law] of Object.entries(LAWS)) {
  Deno.test(`overRounds() is right as often as it says, and to no side, with ${name}`, () => {
    for (const roundCount of [5, 8, 12]) {
      const { heldShare, bias, confidence } = judge({ ...QUIET, ...law, roundCount });
      assert(heldShare >= confidence - SLACK, `${heldShare} of ${confidence}`);
      assertAlmostEquals(bias, 0, 0.02);
    }
  });
}

Deno.test("overRounds() of few rounds claims no more than these warrant", () => {
  for (const roundCount of [2, 3, 4]) {
    const { heldShare, confidence } = judge({ ...QUIET, roundCount, roundShare: 0.3 });
    assertEquals(confidence, 1 - 2 ** (1 - roundCount));
    assert(heldShare >= confidence - SLACK, `${heldShare} of ${confidence}`);
  }
});

Deno.test("overRounds() takes no notice of how many samples a round has", () => {
  const rounds = [1, 1.1, 1.2, 1.3, 1.4].map((center) => [center * 0.9, center, center * 1.1]);
  const uneven = rounds.map((samples, index) => Array(1 + 20 * index).fill(samples).flat());
  assertEquals(overRounds(uneven), overRounds(rounds));
  assertEquals(overRounds(uneven).center, 1.2);
});

Deno.test("overRounds() is narrower with more rounds, and not with more samples", () => {
  const widthOf = (roundCount: number, samples: readonly number[]) => {
    const rounds = Array.from(
      { length: roundCount },
      (_, at) => samples.map((one) => one * (1 + at % 7 / 10)),
    );
    const { lo, hi } = overRounds(rounds);
    return hi - lo;
  };
  assert(widthOf(35, [1]) < widthOf(7, [1]));
  assertEquals(widthOf(7, [1, 1, 1]), widthOf(7, [1]));
});

Deno.test("overRounds() of few rounds holds all of their own intervals, and says how few they are", () => {
  const calm = (center: number) => Array.from({ length: 50 }, (_, at) => center + at * 1e-6);
  const { lo, hi, warnings, confidence } = overRounds([calm(1), calm(1.1)]);
  assert(lo <= 1.00002 && hi >= 1.10002);
  assertEquals(confidence, 0.5);
  assertMatch(
    warnings.join("; "),
    /rounds for an interval: 2, where 5 .*; The medians of 2 .* 1.10/,
  );
  assertEquals(overRounds([calm(1)]).confidence, 0);
  assertEquals(overRounds(Array.from({ length: ROUNDS_MIN }, () => calm(1))).warnings, []);
});

Deno.test("overRounds() refuses a round without samples", () => {
  assertThrows(() => overRounds([[1], []]), RangeError, "there must be a sample");
});
