import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import type { Interval } from "../statistics/interval.ts";
import { summarize } from "../statistics/summary.ts";
import { type Target, targets, targetsText, verdictOf } from "./judge_targets.ts";

function target(
  bound: Target["bound"],
  interval: Omit<Interval, "confidence" | "warnings">,
): Target {
  const measure = () => ({ ...interval, confidence: 0.95, warnings: [] });
  return { text: "a figure", bound, limit: 2, measure };
}

Deno.test("verdictOf() decides by the interval, and not inside it", () => {
  const below = { center: 1, lo: 0.9, hi: 1.1 };
  const around = { center: 2, lo: 1.9, hi: 2.1 };
  const above = { center: 3, lo: 2.9, hi: 3.1 };
  const verdicts = [below, around, above].map((interval) => [
    verdictOf(target("at most", interval), []),
    verdictOf(target("at least", interval), []),
  ]);
  assertEquals(verdicts, [
    ["reached", "missed"],
    ["undecided", "undecided"],
    ["missed", "reached"],
  ]);
});

Deno.test("targets find their figures in a run that has them", () => {
  const slow = sampleRecord.latencySeconds.map((seconds) => seconds * 2);
  const at = (change: { portCount?: number; laneCount?: number }) => {
    const point = { ...sampleRecord.point, ...change };
    const pointId = Object.entries(point).map((pair) => pair.join("=")).join(";");
    return { ...sampleRecord, point, pointId, latencySeconds: slow };
  };
  const crowd = {
    ...sampleRecord,
    scenario: "many_clients",
    pointId: "clientCount=8;portCount=64;waiting=adaptive",
    references: {
      one_client: { callsPerSample: 1, latencySeconds: sampleRecord.latencySeconds },
    },
  };
  const typed = {
    ...sampleRecord,
    scenario: "linear_cost",
    pointId: "side=both;checks=off;laneCount=1",
  };
  const records = [sampleRecord, at({ portCount: 4096 }), at({ laneCount: 64 }), crowd, typed];
  const rows = summarize(records);
  const figures = targets.map((one) => Number(one.measure(rows)!.center.toFixed(6)));
  assertEquals(figures, [2, 2, 2, 200, 1, 2, 0.5]);
  const verdicts = targets.map((one) => verdictOf(one, rows));
  assertEquals(verdicts, [
    "missed",
    "missed",
    "reached",
    "reached",
    "reached",
    "missed",
    "reached",
  ]);
  assertMatch(
    targetsText(rows),
    /^missed +one call.*: 2.00 \(2.00 to 2.00\), wanted at most 1.8$/m,
  );
});

Deno.test("verdictOf() believes no figure whose floor is a scheduler's", () => {
  const milliseconds = (seconds: readonly number[]) => seconds.map((one) => one * 1e4);
  const rows = summarize([{
    ...sampleRecord,
    latencySeconds: milliseconds(sampleRecord.controlSeconds),
    controlSeconds: milliseconds(sampleRecord.controlSeconds),
  }]);
  assertEquals(verdictOf(targets[0]!, rows), "doubtful");
});

Deno.test("a target that joins two points decides nothing when the floor moved in between", () => {
  const far = (seconds: readonly number[]) => seconds.map((one) => one * 5);
  const farAway = {
    ...sampleRecord,
    pointId: "portCount=4096;laneCount=1;waiting=spin+spin",
    latencySeconds: far(sampleRecord.latencySeconds),
    controlSeconds: far(sampleRecord.controlSeconds),
  };
  const [, manyPorts] = targets;
  const rows = summarize([sampleRecord, farAway]);
  const { lo, hi } = manyPorts!.measure(rows)!;
  assertEquals([lo <= 1, hi >= 5], [true, true]);
  assertEquals(verdictOf(manyPorts!, rows), "undecided");
});

Deno.test("targetsText() is silent about what was not measured", () => {
  assertEquals(targetsText([]), "");
  assertEquals(targets.map((one) => verdictOf(one, []))[0], "not measured");
});
