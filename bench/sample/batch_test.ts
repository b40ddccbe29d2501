import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { callsPerBatch } from "./batch.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

const sampleSeconds = 0.002;

Deno.test("callsPerBatch() makes a batch as long as wanted, whatever a call takes", async () => {
  const anySecondsPerCall = fc.double({ min: 1e-9, max: 1e-5, noNaN: true });
  await fc.assert(fc.asyncProperty(anySecondsPerCall, async (secondsPerCall) => {
    const time = new SimulatedTime();
    const trial = time.trial("a", () => secondsPerCall);
    const callCount = await callsPerBatch(trial, { sampleSeconds, clock: time.clock });
    assertAlmostEquals(callCount * secondsPerCall / sampleSeconds, 1, 0.01);
  }));
});

Deno.test("callsPerBatch() is 1 when a single call takes longer", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 1);
  assertEquals(await callsPerBatch(trial, { sampleSeconds, clock: time.clock }), 1);
});

Deno.test("callsPerBatch() does not believe a batch that was interrupted", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", (batchIndex) => batchIndex % 4 === 1 ? 0.008 : 1e-7);
  const callCount = await callsPerBatch(trial, { sampleSeconds, clock: time.clock });
  assertAlmostEquals(callCount, 20_000, 1);
});

Deno.test("callsPerBatch() ends with a clock that stands still", async () => {
  const trial = new SimulatedTime().trial("a", () => 0);
  const callCount = await callsPerBatch(trial, { sampleSeconds, clock: () => 0 });
  assertEquals(callCount, 2 ** 26);
});
