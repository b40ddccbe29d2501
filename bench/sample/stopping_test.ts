import { assert, assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import fc from "fast-check";
import { seededRandom } from "../sweep/plan_sweep.ts";
import { PrecisionCriterion, relativeErrorOfMedian } from "./stopping.ts";

const limits = { samplesMin: 20, samplesMax: 500, secondsMax: 10, relativeErrorMax: 0.01 };

Deno.test("PrecisionCriterion is precise with the fewest samples when they agree, never with fewer", () => {
  const criterion = new PrecisionCriterion(limits);
  for (let count = 0; count < 20; count++) {
    assertEquals(criterion.reason, undefined);
    criterion.add(1, 0);
  }
  assertEquals(criterion.reason, "precise");
});

Deno.test("PrecisionCriterion takes more samples the more they differ", () => {
  const [calm, noisy] = [0.02, 0.5].map((spread) => {
    const random = seededRandom(1);
    const criterion = new PrecisionCriterion(limits);
    let count = 0;
    for (; criterion.reason === undefined; count++) criterion.add(1 + spread * random(), 0);
    return count;
  });
  assertLess(calm!, noisy!);
});

Deno.test("PrecisionCriterion ends, whatever the samples are", () => {
  const anyNoise = fc.infiniteStream(fc.double({ min: 1e-9, max: 1e9, noNaN: true }));
  fc.assert(fc.property(anyNoise, (noise) => {
    const criterion = new PrecisionCriterion(limits);
    let count = 0;
    for (; criterion.reason === undefined; count++) {
      assert(count < limits.samplesMax);
      criterion.add(noise.next().value, count * 0.001);
    }
  }));
});

Deno.test("PrecisionCriterion ends when the time is over, but not before six samples", () => {
  const random = seededRandom(2);
  const criterion = new PrecisionCriterion(limits);
  for (let count = 0; count < 6; count++) {
    assertEquals(criterion.reason, undefined);
    criterion.add(10 * random(), 100);
  }
  assertEquals(criterion.reason, "time");
});

Deno.test("PrecisionCriterion ends by the rules that it is given, and by no other", () => {
  const reasons = (["precision", "noise", "budget"] as const).map((rule) => {
    const random = seededRandom(4);
    const criterion = new PrecisionCriterion({ ...limits, stopRules: [rule] });
    let count = 0;
    for (; criterion.reason === undefined; count++) criterion.add(1 + random(), count * 0.001);
    return [criterion.reason, count < limits.samplesMax];
  });
  assertEquals(reasons, [["samples", false], ["settled", true], ["samples", false]]);
});

Deno.test("PrecisionCriterion does not take a noise that still grows for settled", () => {
  const random = seededRandom(5);
  const criterion = new PrecisionCriterion({ ...limits, stopRules: ["noise"] });
  let count = 0;
  for (; criterion.reason === undefined; count++) {
    criterion.add(1e9 + count ** 3 * (random() - 0.5), 0);
  }
  assertEquals(criterion.reason, "samples");
});

Deno.test("relativeErrorOfMedian() is the spread of medians of many experiments", () => {
  const random = seededRandom(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const experiments = Array.from(
    { length: 400 },
    () => Array.from({ length: 100 }, () => 10 + normal()),
  );
  const medians = experiments.map((samples) => samples.toSorted((a, b) => a - b)[50]!);
  const mean = medians.reduce((sum, one) => sum + one) / medians.length;
  const deviation = Math.sqrt(medians.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 400);
  const errors = experiments.map(relativeErrorOfMedian).toSorted((a, b) => a - b);
  assertAlmostEquals(errors[200]! / (deviation / mean), 1, 0.2);
});
