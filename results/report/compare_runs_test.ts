import {
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import type { RunRecord } from "../../bench/record/record.ts";
import { compareRuns, comparisonText } from "./compare_runs.ts";

/** Three rounds of a point, which take `factor` times as long as the sample. */
function rounds(portCount: number, factor: number, parts: Partial<RunRecord> = {}): RunRecord[] {
  return [0.99, 1, 1.01].map((share, round) => ({
    ...sampleRecord,
    point: { portCount },
    pointId: `portCount=${portCount}`,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds * factor * share),
    ...parts,
  }));
}

Deno.test("compareRuns() compares each point that both have, in order, and names the others", () => {
  const before = [...rounds(16, 1), ...rounds(1, 1), ...rounds(4, 1)];
  const after = [...rounds(1, 2), ...rounds(16, 0.5), ...rounds(64, 1)];
  const { points, onlyInBaseline, onlyInCandidate, warnings } = compareRuns(before, after);
  assertEquals(points.map(({ pointId, verdict }) => [pointId, verdict]), [
    ["portCount=1", "slower"],
    ["portCount=16", "faster"],
  ]);
  assertEquals(points[0]!.roundCounts, [3, 3]);
  assertEquals([onlyInBaseline, onlyInCandidate], [
    ["round_trip portCount=4"],
    ["round_trip portCount=64"],
  ]);
  assertEquals(warnings, []);
});

Deno.test("compareRuns() makes each interval wider the more points there are", () => {
  const widthOf = (pointCount: number) => {
    const records = Array.from({ length: pointCount }, (_, index) => rounds(index + 1, 1)).flat();
    const { lo, hi } = compareRuns(records, records).points[0]!.ratio;
    return hi - lo;
  };
  const [one, ten] = [widthOf(1), widthOf(10)];
  assertEquals(one < ten, true);
});

Deno.test("compareRuns() warns of other machines, other versions, and single rounds", () => {
  const machine = { ...sampleRecord.machine, denoVersion: "3.0.0", coreCount: 64 };
  const { warnings } = compareRuns(rounds(1, 1), rounds(1, 1, { machine }).slice(0, 1));
  assertEquals(warnings.slice(0, 2), [
    "The runs were not measured alike: coreCount is 2 before and 64 after",
    "The runs were not measured alike: denoVersion is 2.9.6 before and 3.0.0 after",
  ]);
  assertMatch(warnings[2]!, /^1 of 1 points have a single round/);
});

Deno.test("compareRuns() refuses runs without a common point", () => {
  assertThrows(() => compareRuns(rounds(1, 1), rounds(2, 1)), TypeError, "share no point");
});

/** The same rounds on a machine on which everything takes `factor` times as long. */
function elsewhere(records: readonly RunRecord[], factor: number): RunRecord[] {
  return records.map((record) => ({
    ...record,
    latencySeconds: record.latencySeconds.map((seconds) => seconds * factor),
    controlSeconds: record.controlSeconds.map((seconds) => seconds * factor),
  }));
}

Deno.test("compareRuns() takes no change of the machine for one of the code, and says that there is one", () => {
  const { points, warnings } = compareRuns(rounds(1, 1), elsewhere(rounds(1, 1), 2));
  assertEquals(points[0]!.verdict, "undecided");
  assertAlmostEquals(points[0]!.floorRatio!, 2);
  assertMatch(warnings.join(), /floor itself changed at 1 of 1 points, to 2.00 times/);
});

Deno.test("compareRuns() finds a change of the code on a machine that changed, where both agree", () => {
  const { points } = compareRuns(rounds(1, 1), elsewhere(rounds(1, 1.5), 1.2));
  assertEquals(points[0]!.verdict, "slower");
});

Deno.test("compareRuns() goes by the seconds where the floor stood still, or where there is none", () => {
  const bare = (records: readonly RunRecord[]) =>
    records.map(({ control: _, ...record }) => ({ ...record, controlSeconds: [] }));
  for (const change of [(records: readonly RunRecord[]) => records, bare]) {
    const { points, warnings } = compareRuns(change(rounds(1, 1)), change(rounds(1, 1.2)));
    assertEquals([points[0]!.verdict, points[0]!.floorRatio], ["slower", undefined]);
    assertEquals(warnings, []);
  }
});

Deno.test("compareRuns() compares calls, also where a turn has become another number of them", () => {
  const before = rounds(1, 10, { callsPerTurn: 10 });
  const { points: [point] } = compareRuns(before, rounds(1, 1));
  assertEquals(point!.verdict, "same");
  assertAlmostEquals(point!.baseline, 201e-9, 1e-9);
});

Deno.test("compareRuns() takes one run of one machine on each side", () => {
  const one = rounds(1, 1);
  const [first, ...others] = one;
  const machine = { ...first!.machine, commit: "another" };
  assertThrows(
    () => compareRuns(one, [{ ...first!, machine }, ...others]),
    TypeError,
    "Cannot compare the records as round_trip portCount=1 was measured on different machines",
  );
  assertThrows(
    () => compareRuns([{ ...first!, runId: "b" }, ...others], one),
    TypeError,
    "must be of one run: they are of b, sample",
  );
  compareRuns(one, one.map((record) => ({ ...record, machine })));
});

function roundsOfOne(factor: number, count = 3) {
  return Array.from({ length: count }, (_, round) => ({
    ...sampleRecord,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds * factor),
  }));
}

Deno.test("comparisonText() aligns the columns, and says how sure it is", () => {
  const [heading, row, empty, note] = comparisonText(
    compareRuns(roundsOfOne(1), roundsOfOne(1.5)),
    "text",
  )
    .split("\n");
  assertEquals(heading!.indexOf("verdict"), row!.indexOf("slower"));
  assertStringIncludes(row!, "201 ns");
  assertStringIncludes(row!, "1.50");
  assertEquals([empty, note], ["", "1 slower; all of it is right in 95 % of such comparisons"]);
});

Deno.test("comparisonText() writes Markdown, and names what only one run has", () => {
  const other = roundsOfOne(1).map((record) => ({ ...record, pointId: "portCount=9" }));
  const comparison = compareRuns([...roundsOfOne(1), ...other], roundsOfOne(1));
  const text = comparisonText(comparison, "markdown");
  assertEquals(text.split("\n")[1], "| --- | --- | --- | --- | --- | --- |");
  assertStringIncludes(text, "Only before: round_trip portCount=9");
});

Deno.test("comparisonText() writes JSON that has a null where a bound is not known", () => {
  const text = comparisonText(compareRuns(roundsOfOne(1, 1), roundsOfOne(2, 1)), "json");
  const { points } = JSON.parse(text);
  assertEquals([points[0].verdict, points[0].ratio.lo, points[0].ratio.hi], ["undecided", 0, null]);
});

Deno.test("comparisonText() writes no factor that means nothing", () => {
  const wild = [1, 1e6].map((factor, round) => ({
    ...sampleRecord,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((one) => one * factor),
  }));
  assertStringIncludes(comparisonText(compareRuns(wild, wild), "text"), "under 0.001 to over 1000");
});
