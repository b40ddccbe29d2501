import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { medianInterval } from "./interval.ts";
import { medianSequence, surestCount } from "./sequence.ts";

/** How many sequences are taken for those of another median than 0. */
function alarmsOf(
  law: (random: () => number, before: number) => number,
  isAlarm: (values: readonly number[]) => boolean,
): number {
  const random = seededRandom(11);
  let alarms = 0;
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    const values: number[] = [];
    while (values.length < LOOKS) values.push(law(random, values.at(-1) ?? 0));
    alarms += Number(isAlarm(values));
  }
  return alarms / SEQUENCES;
}

const SEQUENCES = 400;
const LOOKS = 40;
const LAWS: Readonly<Record<string, (random: () => number, before: number) => number>> = {
  "even": (random) => random() - 0.5,
  "tails without a mean": (random) => Math.tan(Math.PI * (random() - 0.5)),
  "scatter that follows what was before": (random, before) =>
    (random() - 0.5) * (1 + Math.abs(before)),
};

for (const [name, law] of Object.entries(LAWS)) {
  Deno.test(`medianSequence() is hardly wrong at any of many looks: ${name}`, () => {
    const wrong = alarmsOf(law, (values) => {
      const { lo, hi } = medianSequence(values, 0.01);
      return lo > 0 || hi < 0;
    });
    assert(wrong <= 0.02 + 3 * Math.sqrt(0.02 / SEQUENCES), `${wrong}`);
  });
}

Deno.test("an interval for one look is wrong when it is looked at again and again", () => {
  const isAlarm = (values: readonly number[]) => {
    const { lo, hi, confidence } = medianInterval(values, { confidence: 0.98 });
    return confidence >= 0.98 && (lo > 0 || hi < 0);
  };
  const wrong = alarmsOf(
    LAWS["even"]!,
    (values) => values.some((_, at) => isAlarm(values.slice(0, at + 1))),
  );
  assert(wrong > 0.05, `${wrong}`);
});

Deno.test("medianSequence() finds what is there, and narrows", () => {
  const random = seededRandom(4);
  const values = Array.from({ length: 60 }, () => 0.05 + 0.03 * (random() + random() - 1));
  const [few, many] = [values.slice(0, 12), values].map((some) => medianSequence(some, 0.01));
  assert(few!.lo > 0 && many!.lo >= few!.lo && many!.hi <= few!.hi);
  assert(many!.lo < 0.05 && 0.05 < many!.hi);
});

Deno.test("surestCount() is the least that decides", () => {
  assertEquals([surestCount(0.01), surestCount(0.001)], [9, 13]);
  for (const tail of [0.01, 0.001]) {
    const values = Array.from({ length: surestCount(tail) }, () => 1);
    assertEquals(medianSequence(values, tail).lo, 1);
    assertEquals(medianSequence(values.slice(1), tail).lo, -Infinity);
  }
});

Deno.test("medianSequence() turned round is the other way", () => {
  const values = [5, -2, 8, 1, 9, 4, 4, 7, 3, 6, -1, 2];
  const [there, back] = [values, values.map((one) => -one)].map((some) =>
    medianSequence(some, 0.02)
  );
  assertAlmostEquals(there!.lo, -back!.hi);
  assertAlmostEquals(there!.hi, -back!.lo);
});
