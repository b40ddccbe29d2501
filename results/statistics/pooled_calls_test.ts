import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { timeSingleCalls } from "../../bench/sample/single_calls.ts";
import { SimulatedTime } from "../../bench/sample/testdata/simulated_trial.ts";
import { pooledCalls } from "./pooled_calls.ts";
import { summarize } from "./summary.ts";

async function roundOf(secondsPerCall: number, callsMax: number): Promise<typeof sampleRecord> {
  const time = new SimulatedTime();
  const trial = time.trial("a", () => secondsPerCall);
  const singleCalls = await timeSingleCalls(trial, { callsMax, secondsMax: 9, clock: time.clock });
  return { ...sampleRecord, singleCalls: singleCalls!, bytesPerCall: 64 };
}

Deno.test("pooledCalls() adds the calls of rounds, so that a percentile is that of all", async () => {
  const rounds = [await roundOf(200e-9, 900), await roundOf(400e-9, 100)];
  const { singleCalls } = pooledCalls(rounds);
  assertEquals(singleCalls!.callCount, 1000);
  assertAlmostEquals(singleCalls!.p90Seconds, 200e-9, 1e-9);
  assertAlmostEquals(singleCalls!.p99Seconds, 400e-9, 1e-9);
  assertEquals(pooledCalls(rounds.slice(0, 1)), { singleCalls: rounds[0]!.singleCalls! });
  assertEquals(pooledCalls([]), {});
});

Deno.test("summarize() has single calls of all rounds, and bytes a second", async () => {
  const rounds = [await roundOf(200e-9, 900), { ...await roundOf(400e-9, 100), round: 1 }];
  const [row] = summarize(rounds);
  assertEquals(row!.singleCalls!.callCount, 1000);
  assertAlmostEquals(row!.bytesPerSecond!.center, 64 / row!.latencySeconds.center, 1);
  assertAlmostEquals(row!.bytesPerSecond!.lo, 64 / row!.latencySeconds.hi, 1);
  const [plain] = summarize([sampleRecord]);
  assertEquals(["singleCalls" in plain!, "bytesPerSecond" in plain!], [false, false]);
});

Deno.test("pooledCalls() has the slowest clock of the rounds, in whatever order", async () => {
  const { singleCalls } = await roundOf(1e-6, 900);
  for (const clocks of [[1e-9, 5e-9, 2e-9], [5e-9, 1e-9], [1e-9, 5e-9]]) {
    const rounds = clocks.map((clockSeconds) => ({
      singleCalls: { ...singleCalls!, clockSeconds },
    }));
    assertEquals(pooledCalls(rounds).singleCalls!.clockSeconds, 5e-9);
  }
});
