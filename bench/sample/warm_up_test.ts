import { assert, assertAlmostEquals, assertEquals, assertLess, assertRejects } from "@std/assert";
import { SimulatedTime } from "./testdata/simulated_trial.ts";
import { warmUp } from "./warm_up.ts";

const sampleSeconds = 0.002;

Deno.test("warmUp() goes on until the calls get no faster", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", (batchIndex) => batchIndex < 60 ? 1e-5 * 0.95 ** batchIndex : 4e-7);
  const report = await warmUp(trial, {
    name: "a",
    sampleSeconds,
    secondsMax: 10,
    clock: time.clock,
  });
  assert(report.isSettled);
  assertAlmostEquals(report.callsPerSample * 4e-7, sampleSeconds, 1e-4);
  assertLess(time.seconds, 1);
});

Deno.test("warmUp() gives up when the time is over, and says so", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", (batchIndex) => 1e-4 * 0.97 ** batchIndex);
  const report = await warmUp(trial, {
    name: "a",
    sampleSeconds,
    secondsMax: 0.05,
    clock: time.clock,
  });
  assertEquals(report.isSettled, false);
  assertLess(time.seconds, 0.1);
});

Deno.test("warmUp() takes one batch even when there is no time", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 1e-6);
  const report = await warmUp(trial, {
    name: "a",
    sampleSeconds,
    secondsMax: 0,
    clock: time.clock,
  });
  assertEquals(report, { callsPerSample: 2000, batchCount: 1, isSettled: false });
});

Deno.test("warmUp() uses short batches for samples that are long", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 1e-6);
  const report = await warmUp(trial, {
    name: "a",
    sampleSeconds: 1,
    secondsMax: 0.5,
    clock: time.clock,
  });
  assertEquals([report.callsPerSample, report.isSettled], [1_000_000, true]);
  assertLess(time.seconds, 0.1);
});

Deno.test("warmUp() refuses a trial that does not make its calls", async () => {
  for (const secondsPerBatch of [0, 1e-7]) {
    const time = new SimulatedTime();
    const idle = time.trial("a", () => 0);
    const trial = { ...idle, run: () => void (time.seconds += secondsPerBatch) };
    await assertRejects(
      () => warmUp(trial, { name: "idle", sampleSeconds, secondsMax: 1, clock: time.clock }),
      RangeError,
      "Cannot measure idle as its run() must make as many calls as it is told: 67108864 took ",
    );
  }
});
