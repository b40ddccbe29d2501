import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { compareRounds, type RoundFigures, verdictOf } from "./compare.ts";
import { LAWS, verdictCounts } from "./testdata/simulated_runs.ts";

const COMPARISONS = 60;
/** Three times the chance that is in so few comparisons, of 2 % and of 88 %. */
const SLACK = 3 * Math.sqrt(COMPARISONS * 0.02);
const POWER_SLACK = 3 * Math.sqrt(COMPARISONS * 0.88 * 0.12);

for (const [name, law] of Object.entries(LAWS)) {
  Deno.test(`compareRounds() has hardly an alarm of equals: ${name}`, () => {
    for (const roundCount of [3, 5, 10]) {
      const { alarm } = verdictCounts(law, { roundCount, factor: 1, comparisons: COMPARISONS });
      assert(alarm <= 0.02 * COMPARISONS + SLACK, `${alarm} of ${COMPARISONS}`);
    }
  });
}

Deno.test("compareRounds() finds 5 % in ten rounds, and what a bad round hid before", () => {
  const foundOf = (name: string, factor: number) => {
    const options = { roundCount: 10, factor, comparisons: COMPARISONS };
    return verdictCounts(LAWS[name]!, options).slower;
  };
  const least = 0.88 * COMPARISONS - POWER_SLACK;
  for (const name of ["rounds 2 % apart", "a bad round", "drift of 5 %"]) {
    const found = foundOf(name, 1.05);
    assert(found >= least, `${name}: ${found} of ${COMPARISONS}`);
  }
  assertEquals(foundOf("a bad round of the call alone", 1.2), COMPARISONS);
});

/** Rounds of a call of ten floors that lie a tenth of a percent apart. */
function roundsOf(count: number, factor: number, floorFactor = 1): RoundFigures[] {
  return Array.from({ length: count }, (_, at) => {
    const seconds = 1e-6 * factor * (1 + at / 1000);
    return { seconds, floorSeconds: 1e-7 * floorFactor, floors: seconds / (1e-7 * floorFactor) };
  });
}

Deno.test("compareRounds() says the same only as far as it is told", () => {
  const [before, after] = [roundsOf(8, 1), roundsOf(8, 1.03)];
  assertEquals(compareRounds(before, after, { sameWithin: 0.05 }).verdict, "same");
  assertEquals(compareRounds(before, after).verdict, "slower");
  assertEquals(compareRounds(after, before).verdict, "faster");
});

Deno.test("compareRounds() says which change it would have found", () => {
  const { smallestChange, ratio } = compareRounds(roundsOf(10, 1), roundsOf(10, 1));
  assert(smallestChange > ratio.hi - 1 && smallestChange < 0.02, `${smallestChange}`);
  assertEquals(compareRounds(roundsOf(1, 1), roundsOf(9, 1)).smallestChange, Infinity);
});

Deno.test("compareRounds() has no opinion on single rounds, little on three, and refuses none", () => {
  const { verdict, ratio, reason } = compareRounds(roundsOf(1, 1), roundsOf(2, 2));
  assertEquals([verdict, ratio.lo, ratio.hi, ratio.confidence], ["undecided", 0, Infinity, 0]);
  assertMatch(ratio.warnings[0]!, /Too few rounds to compare: 1/);
  assertEquals(reason, "too few rounds");
  assertEquals(compareRounds(roundsOf(3, 1), roundsOf(3, 1.2)).reason, "too few rounds: 3");
  assertEquals(compareRounds(roundsOf(3, 1), roundsOf(3, 1.6)).verdict, "slower");
  assertThrows(() => compareRounds([], roundsOf(1, 1)), RangeError, "there is none");
  const wrong = [{ seconds: 0 }];
  assertThrows(() => compareRounds(wrong, roundsOf(1, 1)), RangeError, "one median is 0");
});

Deno.test("compareRounds() leaves bad rounds out, and says how many, where they are few", () => {
  const badAt = (places: readonly number[]) =>
    roundsOf(5, 1.2).map((one, at) =>
      places.includes(at) ? { ...one, seconds: 3 * one.seconds, floors: 3 * one.floors! } : one
    );
  const one = compareRounds(roundsOf(5, 1), badAt([2]));
  assertEquals([one.verdict, one.badCount], ["slower", 1]);
  const many = compareRounds(roundsOf(5, 1), badAt([0, 1, 2]));
  assertEquals([many.verdict, many.badCount], ["slower", undefined]);
});

Deno.test("compareRounds() does not compare a crowded machine with one that is not", () => {
  const left = (processorsLeft: number, factor: number) =>
    roundsOf(5, factor).map((round) => ({ ...round, processorsLeft }));
  const { verdict, reason } = compareRounds(left(1.9, 1), left(0.5, 4));
  assertEquals(verdict, "undecided");
  assertMatch(reason!, /other programs left less than a processor/);
  assertEquals(compareRounds(left(0.5, 1), left(0.6, 1.2)).verdict, "slower");
});

/** The same code twice on a busy machine: a loop that is compiled well in most processes of the first run. */
const LOOP_FLOORS = [[34.2, 34.1, 31.8, 33.5, 82.4], [82.1, 82.7, 82.1, 82.9, 81.7]] as const;

Deno.test("compareRounds() does not take a change of kinds for one of the code, unless rounds are many", () => {
  const [before, after] = LOOP_FLOORS.map((some) =>
    some.map((floors) => ({ seconds: floors * 1e-6, floorSeconds: 1e-6, floors }))
  );
  const { verdict, reason } = compareRounds(before!, after!);
  assertEquals(verdict, "undecided");
  assertMatch(reason!, /^processes are of two kinds/);
  const usual = before!.slice(0, 4);
  const ten = compareRounds([...usual, ...usual, ...before!.slice(3)], [...after!, ...after!]);
  assertEquals([ten.verdict, ten.badCount], ["slower", 1]);
});

Deno.test("compareRounds() believes neither seconds nor floors alone", () => {
  const machine = compareRounds(roundsOf(9, 1), roundsOf(9, 1.1, 1.1));
  assertMatch(
    machine.reason!,
    /^the machine changed: what differs in seconds is not sure in floors/,
  );
  assertAlmostEquals(machine.floorRatio!.center, 1.1);
  const against = compareRounds(roundsOf(9, 1), roundsOf(9, 1.1, 1.3));
  assertMatch(against.reason!, /^the machine changed: seconds and floors moved to different sides/);
  const apart = compareRounds(roundsOf(9, 1), roundsOf(9, 4, 4));
  assertMatch(
    apart.reason!,
    /^the machine changed: no round of one has the floor of a round of the/,
  );
});

Deno.test("verdictOf() is the same of an interval and of its inverse", () => {
  const turned = {
    same: "same",
    undecided: "undecided",
    faster: "slower",
    slower: "faster",
  } as const;
  for (const sameWithin of [0.01, 0.05, 0.2]) {
    for (const lo of [0.8, 0.834, 0.951, 0.9525, 0.9905, 1, 1.001]) {
      for (const hi of [1, 1.002, 1.0099, 1.049, 1.051, 1.19, 1.3]) {
        const one = verdictOf({ lo, hi }, sameWithin);
        const other = verdictOf({ lo: 1 / hi, hi: 1 / lo }, sameWithin);
        assertEquals(other, turned[one], `${lo} to ${hi} within ${sameWithin}`);
      }
    }
  }
});
