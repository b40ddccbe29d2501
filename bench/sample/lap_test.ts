import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { timeBatch } from "./lap.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

Deno.test("timeBatch() times the calls, and neither the waking nor the lead-in", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 0.5);
  assertAlmostEquals(await timeBatch(trial, { callCount: 16, clock: time.clock }), 8);
  assertEquals(time.log, ["a wake", "a run 2", "a run 16", "a rest"]);
});

Deno.test("timeBatch() waits for calls that are under way", async () => {
  const time = new SimulatedTime();
  const trial = {
    ...time.trial("a", () => 0),
    async run() {
      await Promise.resolve();
      time.seconds += 3;
    },
  };
  assertAlmostEquals(await timeBatch(trial, { callCount: 1, clock: time.clock }), 3);
});

Deno.test("timeBatch() sends the other side to sleep when a call throws", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => {
    throw new Error("no port");
  });
  await assertRejects(
    () => timeBatch(trial, { callCount: 1, clock: time.clock }),
    Error,
    "no port",
  );
  assertEquals(time.log.at(-1), "a rest");
});
