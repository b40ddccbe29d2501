import {
  assert,
  assertEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLess,
  assertMatch,
} from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import {
  cpuSeconds,
  type HeapGrowth,
  heapWarnings,
  measureCpuTime,
  measureHeapGrowth,
} from "./heap_growth.ts";
import { measureIsolated } from "../sweep/isolated_point.ts";
import type { WarmTrial } from "./take_samples.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

/** So many that a step of the engine's count is less than a byte for each call of a window. */
const CALL_COUNT = 500_000;

/** A trial that does some work in each call, and whose calls take a simulated microsecond. */
function warmTrialOf(time: SimulatedTime, work: (call: number) => void): WarmTrial {
  const run = (callCount: number) => {
    for (let call = 0; call < callCount; call++) work(call);
    time.seconds += callCount * 1e-6;
  };
  return { trial: { ...time.trial("a", () => 0), run }, callsPerSample: 5000 };
}

async function growthOf(
  work: (call: number) => void,
  secondsMax = 10,
): Promise<HeapGrowth | undefined> {
  await using partner = new Partner();
  const time = new SimulatedTime();
  const warmTrial = warmTrialOf(time, work);
  const options = { partner, callsMax: CALL_COUNT, secondsMax, clock: time.clock };
  await measureHeapGrowth(warmTrial, options); // compiles the code, which allocates
  return await measureHeapGrowth(warmTrial, options);
}

Deno.test("measureHeapGrowth() finds one small object a call, though none is kept", async () => {
  let last: unknown;
  const growth = await growthOf((call) => last = { call });
  assertGreaterOrEqual(growth!.heapGrowthBytesPerCall, 12); // an object of 16 bytes or more
  assertEquals([growth!.heapCallCount, growth!.partnerHeapGrowthBytesPerCall], [CALL_COUNT, 0]);
  assertEquals(typeof last, "object");
});

Deno.test("measureHeapGrowth() finds next to nothing where nothing is allocated", async () => {
  const cells = new Int32Array(1);
  assertLess((await growthOf((call) => cells[0] = call))!.heapGrowthBytesPerCall, 4);
});

Deno.test("measureHeapGrowth() does not charge calls with what each batch allocates", async () => {
  const kept: number[][] = [];
  const time = new SimulatedTime();
  const run = (callCount: number) => {
    kept.push(Array.from({ length: 1000 }, () => kept.length));
    time.seconds += callCount * 1e-6;
  };
  const warmTrial = { trial: { ...time.trial("a", () => 0), run }, callsPerSample: 10 };
  await using partner = new Partner();
  const options = { partner, callsMax: CALL_COUNT, secondsMax: 10, clock: time.clock };
  assertLess((await measureHeapGrowth(warmTrial, options))!.heapGrowthBytesPerCall, 8);
});

Deno.test("measureHeapGrowth() says nothing when there was time for few calls only", async () => {
  assertEquals(await growthOf(() => {}, 0.01), undefined);
});

/** On a busy machine the optimised code may come late, and until then the engine allocates numbers. */
const TRIES = 3;

Deno.test("a round trip allocates nothing on either side, over a million calls", async () => {
  const budget = {
    seconds: 30,
    sampleSeconds: 0.002,
    samplesMin: 6,
    samplesMax: 6,
    relativeErrorMax: 1,
    heapCallsMax: 1_000_000,
  };
  const pointId = "portCount=64;laneCount=64;waiting=spin+spin";
  const grown: number[] = [];
  while (grown.length < TRIES && !grown.some((bytes) => bytes < 1)) {
    const measured = await measureIsolated({ scenario: "round_trip", pointId, budget });
    const { heapGrowthBytesPerCall, partnerHeapGrowthBytesPerCall } = measured;
    // Absent, and so not a number, when there was no time for enough calls.
    grown.push(Math.max(heapGrowthBytesPerCall ?? NaN, partnerHeapGrowthBytesPerCall ?? NaN));
  }
  assert(grown.some((bytes) => bytes < 1), `bytes a call: ${grown.join(", ")}`);
});

Deno.test("heapWarnings() names the side that allocates", () => {
  const none = {
    heapGrowthBytesPerCall: 0.3,
    partnerHeapGrowthBytesPerCall: 0.1,
    heapCallCount: 1e6,
  };
  assertEquals(heapWarnings(none), []);
  assertMatch(
    heapWarnings({ ...none, heapGrowthBytesPerCall: 24 })[0]!,
    /measuring side.* 24.0 bytes/,
  );
  assertMatch(
    heapWarnings({ ...none, partnerHeapGrowthBytesPerCall: 16 })[0]!,
    /partner.* 16.0 bytes/,
  );
});

function warmTrial(callsPerSample: number, run: (callCount: number) => void) {
  const trial = { run, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { trial, callsPerSample };
}

Deno.test("measureCpuTime() shares the processor time of a batch out over its calls", async () => {
  let used = 0;
  const trial = warmTrial(10, (callCount) => void (used += callCount * 3));
  const options = { secondsMax: 1, clock: () => 0, cpuClock: () => used };
  assertEquals(await measureCpuTime(trial, options), Array(20).fill(3));
});

Deno.test("measureCpuTime() ends with its time, after one batch at least", async () => {
  let now = 0;
  const trial = warmTrial(10, () => {});
  const options = { secondsMax: 2.5, clock: () => now++, cpuClock: () => 0 };
  assertEquals((await measureCpuTime(trial, options)).length, 3);
  const none = { ...options, secondsMax: 0 };
  assertEquals((await measureCpuTime(trial, none)).length, 1);
});

Deno.test("cpuSeconds() grows with work", () => {
  const before = cpuSeconds();
  let now = before;
  for (let look = 0; look < 1e7 && now === before; look++) now = cpuSeconds();
  assertGreater(now, before);
});
