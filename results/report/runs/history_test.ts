import { assertEquals, assertMatch } from "@std/assert";
import type { RunRecord } from "../../../bench/record/record.ts";
import { crowdedHistory, runHistory } from "../../testdata/run_history.ts";
import { historyOf, historyText } from "./history.ts";

function runsOf(records: readonly RunRecord[]): RunRecord[][] {
  return records.map((record) => [record]);
}

Deno.test("historyOf() goes by time, and marks where a point changed", () => {
  const records = runHistory(9, (run) => run < 5 ? 1 : 0.5);
  const [history, ...others] = historyOf(runsOf(records.toReversed()));
  assertEquals(others, []);
  assertEquals(history!.entries.map(({ runId }) => runId), records.map(({ runId }) => runId));
  assertEquals([history!.isRatio, history!.changes.map(({ at }) => at)], [true, [5]]);
  assertMatch(
    historyText(history!),
    /: 2\.00? times faster from commit 555555555555 of 2026-01-06 on$/,
  );
});

Deno.test("historyOf() keeps machines apart, and needs six runs of one", () => {
  const records = runHistory(8, () => 1);
  const other = records.map((record) => ({
    ...record,
    runId: `other-${record.runId}`,
    machine: { ...record.machine, denoVersion: "3.0.0" },
  }));
  const histories = historyOf(runsOf([...records, ...other.slice(0, 6)]));
  assertEquals(histories.map(({ entries }) => entries.length), [8, 6]);
  assertMatch(historyText(histories[0]!), /: no change in 8 runs$/);
  assertEquals(historyOf(runsOf(records.slice(0, 5))), []);
  assertEquals(historyOf([]), []);
});

Deno.test("historyOf() compares no crowded machine with one that is not", () => {
  const told = (records: readonly RunRecord[]) => historyOf(runsOf(records)).map(historyText);
  const records = crowdedHistory();
  for (
    const [some, count] of [[records, 8], [records.slice(4), 6], [records.slice(7), 6]] as const
  ) {
    assertMatch(told(some).join(), new RegExp(`: no change in ${count} runs$`));
  }
  assertEquals(told(records.slice(3, 12)), []); // five and four
});
