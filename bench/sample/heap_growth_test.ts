import { assertEquals, assertGreaterOrEqual, assertLess, assertMatch } from "@std/assert";
import { Partner } from "../../scenarios/partner/partner.ts";
import { HEAP_CALLS_MIN, heapDoubts, type HeapGrowth, measureHeapGrowth } from "./heap_growth.ts";
import { measureIsolated } from "../sweep/isolated_point.ts";
import type { Contestant } from "./take_samples.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

/** A trial that does something a call, in time that passes by a call a microsecond. */
function contestantOf(time: SimulatedTime, work: (call: number) => void): Contestant {
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
  const contestant = contestantOf(time, work);
  const options = { partner, callsMax: HEAP_CALLS_MIN, secondsMax, clock: time.clock };
  await measureHeapGrowth(contestant, options); // compiles it
  return await measureHeapGrowth(contestant, options);
}

Deno.test("measureHeapGrowth() finds one small object a call, though none is kept", async () => {
  let last: unknown;
  const growth = await growthOf((call) => last = { call });
  assertGreaterOrEqual(growth!.heapGrowthBytesPerCall, 16);
  assertEquals([growth!.heapCallCount, growth!.partnerHeapGrowthBytesPerCall], [HEAP_CALLS_MIN, 0]);
  assertEquals(typeof last, "object");
});

Deno.test("measureHeapGrowth() finds next to nothing where nothing is allocated", async () => {
  const cells = new Int32Array(1);
  assertLess((await growthOf((call) => cells[0] = call))!.heapGrowthBytesPerCall, 4);
});

Deno.test("measureHeapGrowth() says nothing when there was time for few calls only", async () => {
  assertEquals(await growthOf(() => {}, 0.01), undefined);
});

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
  const measured = await measureIsolated({ scenario: "round_trip", pointId, budget });
  assertGreaterOrEqual(measured.heapCallCount!, HEAP_CALLS_MIN);
  assertLess(measured.heapGrowthBytesPerCall!, 1);
  assertLess(measured.partnerHeapGrowthBytesPerCall!, 1);
});

Deno.test("heapDoubts() names the side that allocates", () => {
  const none = {
    heapGrowthBytesPerCall: 0.3,
    partnerHeapGrowthBytesPerCall: 0.1,
    heapCallCount: 1e6,
  };
  assertEquals(heapDoubts(none), []);
  assertMatch(
    heapDoubts({ ...none, heapGrowthBytesPerCall: 24 })[0]!,
    /measuring side.* 24.0 bytes/,
  );
  assertMatch(
    heapDoubts({ ...none, partnerHeapGrowthBytesPerCall: 16 })[0]!,
    /partner.* 16.0 bytes/,
  );
});
