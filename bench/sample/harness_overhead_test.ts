import { assert, assertEquals, assertLess } from "@std/assert";
import { harnessRatios } from "./harness_overhead.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

/** Dearer than any clock that was seen, by some times. */
const CLOCK_SECONDS = 500e-9;

Deno.test("harnessRatios() of a call of 200 ns stay under 2 %, though each look at the clock costs", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 200e-9);
  const byHand = (callCount: number) => void (time.seconds += callCount * 200e-9);
  const clock = () => time.seconds += CLOCK_SECONDS;
  const ratios = await harnessRatios({ trial, byHand }, { rounds: 5, clock });
  assertEquals(ratios.length, 5);
  for (const ratio of ratios) assertLess(Math.abs(ratio - 1), 0.02);
  const slow = { ...trial, run: (callCount: number) => void (time.seconds += callCount * 210e-9) };
  const seen = await harnessRatios({ trial: slow, byHand }, { rounds: 5, clock });
  assert(seen.every((ratio) => ratio > 1.02), "a harness that adds 10 ns a call is seen");
});
