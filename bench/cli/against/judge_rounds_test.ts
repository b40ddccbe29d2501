import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { judgeRounds, roundsLeast } from "./judge_rounds.ts";
import { armsOf } from "./testdata/arms.ts";

const OPTIONS = { confidence: 0.98, pointCount: 1, sameWithin: 0.02, putInShare: 0.05 };

Deno.test("judgeRounds() finds a change, and that there is none", () => {
  const slower = judgeRounds(armsOf({ seed: 1, count: 12, now: 1.1 }), OPTIONS);
  assertEquals([slower.verdict, slower.doubt], ["slower", undefined]);
  assert(slower.ratio.lo < 1.1 && 1.1 < slower.ratio.hi);
  assertEquals(judgeRounds(armsOf({ seed: 2, count: 12, now: 0.9 }), OPTIONS).verdict, "faster");
  const same = judgeRounds(armsOf({ seed: 3, count: 20, share: 0.004 }), OPTIONS);
  assertEquals(same.verdict, "same");
  assertAlmostEquals(same.lowRatio, 1, 0.02);
});

Deno.test("judgeRounds() does not judge where it fails on what it knows", () => {
  const doubts = [
    [{ again: 1.1 }, "the code before differs from itself"],
    [{ slowed: 1 }, "5 % of work put in were not found"],
    [{ slowed: 1.3 }, "5 % of work put in were taken for more than twice as much"],
  ] as const;
  for (const [law, doubt] of doubts) {
    const judged = judgeRounds(armsOf({ seed: 4, count: 15, now: 1.3, ...law }), OPTIONS);
    assertEquals(judged.verdict, "undecided");
    assertMatch(judged.reason!, new RegExp(`^not judged, as ${doubt}`));
  }
});

Deno.test("judgeRounds() says nothing before the least of rounds", () => {
  const least = roundsLeast(OPTIONS);
  assertEquals([least, roundsLeast({ ...OPTIONS, pointCount: 12 })], [9, 14]);
  const rounds = armsOf({ seed: 5, count: least, now: 1.5, slowed: 1.09, share: 0.001 });
  assertEquals(judgeRounds(rounds.slice(1), OPTIONS).verdict, "undecided");
  assertEquals(judgeRounds(rounds, OPTIONS).verdict, "slower");
});

Deno.test("judgeRounds() leaves out rounds in which the processors moved", () => {
  const floor = (round: number, arm: number) => round % 3 === 0 && arm === 1 ? 4 : 1;
  const judged = judgeRounds(armsOf({ seed: 6, count: 21, now: 1.1, floor }), OPTIONS);
  assertEquals([judged.movedCount, judged.verdict], [7, "slower"]);
});

Deno.test("judgeRounds() takes floors where they take noise away, and only there", () => {
  const noisy = judgeRounds(armsOf({ seed: 7, count: 14, now: 1.06, shared: 0.05 }), OPTIONS);
  assertEquals([noisy.unit, noisy.verdict], ["floors", "slower"]);
  assertEquals(judgeRounds(armsOf({ seed: 8, count: 14 }), OPTIONS).unit, "seconds");
  const other = armsOf({ seed: 7, count: 14, shared: 0.01 }).map((round) => ({
    ...round,
    now: { ...round.now, controlSeconds: round.now.controlSeconds.map((one) => one * 1.2) },
  }));
  assertEquals(judgeRounds(other, OPTIONS).unit, "seconds");
});

Deno.test("judgeRounds() takes the lowest samples where others are disturbed, but for no sameness", () => {
  const law = { count: 16, share: 0.002, tail: 3 };
  const slower = judgeRounds(armsOf({ ...law, seed: 9, now: 1.1, slowed: 1.08 }), OPTIONS);
  assertEquals([slower.unit, slower.verdict], ["low", "slower"]);
  const same = judgeRounds(armsOf({ ...law, seed: 10, count: 40, slowed: 1.08 }), {
    ...OPTIONS,
    sameWithin: 0.2,
  });
  assertEquals([same.unit, same.reason], ["low", "only the lowest samples are the same"]);
});

Deno.test("judgeRounds() hardly ever has an alarm of equals, looked at after each round", () => {
  let alarms = 0;
  for (let seed = 0; seed < 150; seed++) {
    const rounds = armsOf({
      seed,
      count: 25,
      share: 0.02,
      shared: seed % 2 * 0.04,
      tail: seed % 3,
    });
    const looks = rounds.map((_, at) => judgeRounds(rounds.slice(0, at + 1), OPTIONS).verdict);
    alarms += Number(looks.some((verdict) => verdict === "slower" || verdict === "faster"));
  }
  assert(alarms <= 150 * 0.02 + 3 * Math.sqrt(150 * 0.02), `${alarms} of 150`);
});
