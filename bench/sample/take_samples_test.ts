import fc from "fast-check";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreaterOrEqual,
  assertLess,
  assertRejects,
} from "@std/assert";
import { callsPerBatch, clockSeconds, takeSamples, timeBatch, warmUp } from "./take_samples.ts";
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

const SAMPLE_SECONDS = 0.002;

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
    const callCount = await callsPerBatch(trial, {
      sampleSeconds: SAMPLE_SECONDS,
      clock: time.clock,
    });
    assertAlmostEquals(callCount * secondsPerCall / SAMPLE_SECONDS, 1, 0.01);
  }));
});

Deno.test("callsPerBatch() is 1 when a single call takes longer", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => 1);
  assertEquals(await callsPerBatch(trial, { sampleSeconds: SAMPLE_SECONDS, clock: time.clock }), 1);
});

Deno.test("callsPerBatch() does not believe a batch that was interrupted", async () => {
  const time = new SimulatedTime();
  const trial = time.trial("a", (batchIndex) => batchIndex % 4 === 1 ? 0.008 : 1e-7);
  const callCount = await callsPerBatch(trial, {
    sampleSeconds: SAMPLE_SECONDS,
    clock: time.clock,
  });
  assertAlmostEquals(callCount, 20_000, 1);
});

Deno.test("callsPerBatch() ends with a clock that stands still", async () => {
  const trial = new SimulatedTime().trial("a", () => 0);
  const callCount = await callsPerBatch(trial, { sampleSeconds: SAMPLE_SECONDS, clock: () => 0 });
  assertEquals(callCount, 2 ** 26);
});

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
