import { assertEquals, assertThrows } from "@std/assert";
import { shuffled } from "../sweep/plan_sweep.ts";
import { visitId } from "../sweep/run_sweep.ts";
import { mergeRecords } from "./merge_records.ts";
import type { RunRecord } from "./record.ts";
import { sampleRecord, sampleUnmeasured } from "./testdata/sample_record.ts";

const refuse = { duplicates: "refuse" } as const;
const pool = { duplicates: "pool" } as const;

function visit(pointId: string, round = 0): RunRecord {
  return { ...sampleRecord, pointId, round };
}

Deno.test("mergeRecords() has each visit once, in one order, whatever the order of the files is", () => {
  const whole = ["size=1", "size=2", "size=3"].flatMap((id) => [visit(id), visit(id, 1)]);
  const skipped = { ...sampleUnmeasured, pointId: "size=4" };
  for (let seed = 0; seed < 10; seed++) {
    const merged = mergeRecords(shuffled([...whole, skipped, whole[2]!], seed), refuse);
    assertEquals(merged.lines, [...whole, skipped]);
    assertEquals([merged.repeatedCount, merged.retriedCount], [1, 0]);
  }
});

Deno.test("mergeRecords() refuses other samples of a visit, or takes them for further rounds", () => {
  const other = { ...visit("size=1"), latencySeconds: [1, 2, 3, 4, 5, 6] };
  const lines = [visit("size=1"), visit("size=1", 1), other, visit("size=2")];
  assertThrows(() => mergeRecords(lines, refuse), TypeError, "round_trip size=1 0; --duplicates");
  const merged = mergeRecords(lines, pool);
  assertEquals(merged.lines.map(visitId), [
    "round_trip size=1 0",
    "round_trip size=1 1",
    "round_trip size=1 2",
    "round_trip size=2 0",
  ]);
});

Deno.test("mergeRecords() drops the failure of a visit that was measured after all", () => {
  const failed = { ...sampleUnmeasured, outcome: "failed" as const, pointId: "size=1" };
  const again = { ...failed, reason: "again" };
  const merged = mergeRecords([failed, visit("size=1"), again], refuse);
  assertEquals([merged.lines, merged.retriedCount], [[visit("size=1")], 2]);
  assertEquals(mergeRecords([failed, again], refuse).lines, [failed]);
});

Deno.test("mergeRecords() takes several runs only when they get one id", () => {
  const lines = [visit("size=1"), { ...visit("size=2"), runId: "other" }];
  assertThrows(() => mergeRecords(lines, refuse), TypeError, "several runs, sample, other");
  const merged = mergeRecords(lines, { ...refuse, runId: "both" });
  assertEquals(new Set(merged.lines.map(({ runId }) => runId)), new Set(["both"]));
});

Deno.test("mergeRecords() keeps machines apart", () => {
  const machine = { ...sampleRecord.machine, cpuModel: "Other 1" };
  const apart = mergeRecords([visit("size=1"), { ...visit("size=2"), machine }], refuse);
  assertEquals(
    apart.machines.map(({ machine: { cpuModel }, lineCount }) => [cpuModel, lineCount]),
    [
      ["Example 9000", 1],
      ["Other 1", 1],
    ],
  );
  assertThrows(
    () => mergeRecords([visit("size=1"), { ...visit("size=1", 1), machine }], pool),
    TypeError,
    "round_trip size=1 was measured on different machines",
  );
  const busier = { ...sampleRecord.machine, loadAverage: [9, 9, 9] };
  const same = mergeRecords([visit("size=1"), { ...visit("size=1", 1), machine: busier }], pool);
  assertEquals(same.machines.length, 1);
});
