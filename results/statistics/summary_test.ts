import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { type PointSummary, pooledCalls, summarize } from "./summary.ts";
import { timeSingleCalls } from "../../bench/sample/single_calls.ts";
import { SimulatedTime } from "../../bench/sample/testdata/simulated_trial.ts";

Deno.test("summarize() keeps ratios pair by pair, and seconds beside them", () => {
  const [row] = summarize([sampleRecord]);
  assertAlmostEquals(row!.latencySeconds.center, 201e-9);
  assertAlmostEquals(row!.ratioToControl!.center, 2);
  assertAlmostEquals(row!.ratioToControl!.hi, 2);
  assertAlmostEquals(row!.timesFasterThan["post_message"]!.center, 200);
  assertAlmostEquals(row!.callsPerSecond.center, 1 / 201e-9, 1);
  assertEquals([row!.sampleCount, row!.roundCount, row!.control], [6, 1, "ping_pong"]);
  assertEquals(row!.heapGrowthBytesPerCall, 0.5);
});

Deno.test("summarize() has no ratio where the samples have none", () => {
  const { control: _, ...alone } = sampleRecord;
  const [row] = summarize([{ ...alone, controlSeconds: [], references: {} }]);
  assertEquals(row!.ratioToControl, undefined);
  assertEquals(row!.timesFasterThan, {});
});

Deno.test("summarize() has the ratio of the rounds that have the floor of the first", () => {
  const { control: _, ...alone } = sampleRecord;
  const without = { ...alone, round: 1, controlSeconds: [], cpuSecondsPerCall: [] };
  const other = { ...sampleRecord, round: 2, control: "other", controlSeconds: [1, 1, 1, 1, 1, 1] };
  const [row] = summarize([sampleRecord, without, other]);
  assertAlmostEquals(row!.ratioToControl!.center, 2);
  assertAlmostEquals(row!.controlSeconds!.center, 100.5e-9);
  assertEquals([row!.roundCount, row!.cpuSeconds], [3, undefined]);
  assertMatch(row!.warnings.join(), /Too few rounds for an interval: 1, where 5/);
});

Deno.test("summarize() sums the rounds of a point up, and warns where they differ", () => {
  const slower = sampleRecord.latencySeconds.map((seconds) => seconds * 1.2);
  const second = { ...sampleRecord, round: 1, latencySeconds: slower, warnings: ["a warning"] };
  const other = { ...sampleRecord, pointId: "portCount=4;laneCount=1;waiting=spin+spin" };
  const rows = summarize([sampleRecord, other, second]);
  assertEquals(rows.map(({ pointId }) => pointId), [sampleRecord.pointId, other.pointId]);
  const [row] = rows;
  assertEquals([row!.roundCount, row!.sampleCount], [2, 12]);
  assert(row!.warnings.includes("a warning"));
  assertMatch(row!.warnings.join(), /medians of 2 rounds differ by a factor of 1.20/);
});

Deno.test("summarize() has the processor time of a call where it was counted, over its rounds", () => {
  assertEquals(summarize([sampleRecord])[0]!.cpuSeconds, undefined);
  const rounds = [[3e-7, 4e-7, 5e-7], [6e-7]].map((cpuSecondsPerCall, round) => ({
    ...sampleRecord,
    round,
    cpuSecondsPerCall,
  }));
  assertAlmostEquals(summarize(rounds.slice(0, 1))[0]!.cpuSeconds!.center, 4e-7);
  assertAlmostEquals(summarize(rounds.slice(1))[0]!.cpuSeconds!.center, 6e-7);
});

Deno.test("summarize() does not pool different runs", () => {
  assertThrows(
    () => summarize([sampleRecord, { ...sampleRecord, runId: "other" }]),
    TypeError,
    "sample, other",
  );
  assertEquals(summarize([]), []);
});

Deno.test("summarize() shares everything of a turn out over its calls, and keeps ratios", () => {
  const counted = { cpuSecondsPerCall: [4e-7, 5e-7], bytesPerCall: 64 };
  const [turn] = summarize([{ ...sampleRecord, ...counted }]);
  const [call] = summarize([{ ...sampleRecord, ...counted, callsPerTurn: 256 }]);
  const figuresOf = (row: PointSummary) => [
    ...[row.latencySeconds, row.controlSeconds!, row.cpuSeconds!].flatMap(({ center, lo, hi }) => [
      ...[center, lo, hi],
    ]),
    row.heapGrowthBytesPerCall!,
  ];
  for (const [at, figure] of figuresOf(turn!).entries()) {
    assertAlmostEquals(256 * figuresOf(call!)[at]!, figure, 1e-12);
  }
  assertAlmostEquals(call!.callsPerSecond.center / 256, turn!.callsPerSecond.center, 1e-3);
  assertAlmostEquals(call!.bytesPerSecond!.center, turn!.bytesPerSecond!.center, 1e-3);
  assertEquals([call!.ratioToControl, call!.timesFasterThan], [
    turn!.ratioToControl,
    turn!.timesFasterThan,
  ]);
});

Deno.test("summarize() takes no point of two machines, versions or adapters together", () => {
  const again = { ...sampleRecord, round: 1 };
  const { machine } = sampleRecord;
  const others = [
    ...["cpuModel", "os", "denoVersion", "commit"].map((name) => ({
      ...again,
      machine: { ...machine, [name]: "other" },
    })),
    { ...again, adapter: "other" },
  ];
  for (const other of others) {
    assertThrows(
      () => summarize([sampleRecord, other]),
      TypeError,
      "Cannot sum up the records as round_trip portCount=1;laneCount=1;waiting=spin+spin was " +
        "measured on different machines or versions: Example 9000, ",
    );
    summarize([sampleRecord, { ...other, pointId: "another" }]);
  }
  summarize([sampleRecord, { ...again, machine: { ...machine, loadAverage: [9, 9, 9] } }]);
});

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
