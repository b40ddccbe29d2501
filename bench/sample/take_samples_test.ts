import { assertAlmostEquals, assertEquals } from "@std/assert";
import { takeSamples } from "./take_samples.ts";
import { PrecisionCriterion } from "./stopping.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

function afterRounds(roundCount: number): PrecisionCriterion {
  const limits = { samplesMin: roundCount, samplesMax: roundCount, secondsMax: 1e9 };
  return new PrecisionCriterion({ ...limits, relativeErrorMax: 0 });
}

Deno.test("takeSamples() takes turns, every second round in the opposite order, one awake at a time", async () => {
  const time = new SimulatedTime();
  const trials = ["a", "b", "c"].map((name) => ({
    trial: time.trial(name, () => 1),
    callsPerSample: 1,
  }));
  await takeSamples(trials, { criterion: afterRounds(2), clock: time.clock });
  const order = time.log.filter((entry) => !entry.includes("run")).join(", ");
  const turn = (name: string) => `${name} wake, ${name} rest`;
  assertEquals(order, ["a", "b", "c", "c", "b", "a"].map(turn).join(", "));
});

Deno.test("takeSamples() gives seconds a call, whose pairs were taken under the same conditions", async () => {
  const time = new SimulatedTime();
  const slowdown = (round: number) => 1 + Math.floor(round / 4);
  const trials = [
    { trial: time.trial("a", (batch) => 2e-7 * slowdown(batch)), callsPerSample: 100 },
    { trial: time.trial("b", (batch) => 1e-7 * slowdown(batch)), callsPerSample: 300 },
  ];
  const [latency, floor] = await takeSamples(trials, {
    criterion: afterRounds(10),
    clock: time.clock,
  });
  assertEquals(latency!.length, 10);
  for (const [index, seconds] of latency!.entries()) {
    assertAlmostEquals(seconds / floor![index]!, 2);
  }
});
