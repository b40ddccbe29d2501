import { assertAlmostEquals, assertEquals, assertGreaterOrEqual, assertRejects } from "@std/assert";
import fc from "fast-check";
import { callsPerBatch, clockSeconds, timeBatch } from "./batch.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

const sampleSeconds = 0.002;

Deno.test("clockSeconds() never goes back", () => {
  const readings = Array.from({ length: 1000 }, clockSeconds);
  for (const [index, reading] of readings.slice(1).entries()) {
    assertGreaterOrEqual(reading, readings[index]!);
  }
});

Deno.test("timeBatch() times the calls, and neither the waking nor the calls before them", async () => {
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
