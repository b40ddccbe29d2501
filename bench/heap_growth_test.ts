import { assertEquals, assertGreaterOrEqual, assertLess, assertMatch } from "@std/assert";
import { Partner } from "../scenarios/partner.ts";
import { HEAP_CALLS_MIN, heapDoubts, measureHeapGrowth } from "./heap_growth.ts";
import { SimulatedTime } from "./testdata/simulated_trial.ts";

async function growthOf(work: (call: number) => void): Promise<number> {
  await using partner = new Partner();
  const trial = {
    ...new SimulatedTime().trial("a", () => 0),
    run(callCount: number) {
      for (let call = 0; call < callCount; call++) work(call);
    },
  };
  await measureHeapGrowth(trial, { partner, callCount: HEAP_CALLS_MIN }); // compiles it
  const growth = await measureHeapGrowth(trial, { partner, callCount: HEAP_CALLS_MIN });
  assertEquals(growth.partnerHeapGrowthBytesPerCall, 0);
  return growth.heapGrowthBytesPerCall;
}

Deno.test("measureHeapGrowth() finds one small object a call, though none is kept", async () => {
  let last: unknown;
  assertGreaterOrEqual(await growthOf((call) => last = { call }), 16);
  assertEquals(typeof last, "object");
});

Deno.test("measureHeapGrowth() finds next to nothing where nothing is allocated", async () => {
  const cells = new Int32Array(1);
  assertLess(await growthOf((call) => cells[0] = call), 4);
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
