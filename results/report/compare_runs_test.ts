import {
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import type { RunRecord } from "../../bench/record/record.ts";
import { summarize } from "../statistics/summary.ts";
import { compareRuns, comparisonText, verdictText } from "./compare_runs.ts";

/** Five rounds of a point, which take `factor` times as long as the sample. */
function rounds(portCount: number, factor: number, parts: Partial<RunRecord> = {}): RunRecord[] {
  return [0.998, 0.999, 1, 1.001, 1.002].map((share, round) => ({
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
  assertEquals(points[0]!.roundCounts, [5, 5]);
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
  assertAlmostEquals(points[0]!.floorRatio!.center, 2);
  assertMatch(points[0]!.reason!, /^the machine changed: no round of one has the floor/);
  assertMatch(warnings.join(), /floor itself changed at 1 of 1 points, to 2.00 times/);
  const slightly = compareRuns(rounds(1, 1), elsewhere(rounds(1, 1), 1.08)).points[0]!;
  assertMatch(slightly.reason!, /^the machine changed: what differs in seconds/);
});

Deno.test("compareRuns() finds a change of the code on a machine that changed, where both agree", () => {
  const { points } = compareRuns(rounds(1, 1), elsewhere(rounds(1, 1.5), 1.2));
  assertEquals(points[0]!.verdict, "slower");
});

Deno.test("compareRuns() goes by the seconds without a floor, and leaves what a machine may do", () => {
  const bare = (records: readonly RunRecord[]) =>
    records.map(({ control: _, ...record }) => ({ ...record, controlSeconds: [] }));
  const compared = (factor: number) =>
    compareRuns(bare(rounds(1, 1)), bare(rounds(1, factor))).points[0]!;
  assertEquals([compared(1.2).verdict, compared(1.2).floorRatio], ["slower", undefined]);
  assertEquals(compared(1.08).reason, "there is no floor that would tell what the machine did");
});

Deno.test("compareRuns() tells the figures of a report, whatever one round did", () => {
  const bad = rounds(1, 1.2).map((record, at) => at === 2 ? elsewhere([record], 3)[0]! : record);
  const { points: [point] } = compareRuns(rounds(1, 1), bad);
  const [before, after] = [rounds(1, 1), bad].map((some) => summarize(some)[0]!.latencySeconds);
  assertEquals([point!.baseline, point!.candidate], [before!.center, after!.center]);
  assertAlmostEquals(point!.ratio.center, after!.center / before!.center);
  assertEquals([point!.verdict, point!.modes], ["slower", [[5, 4], [0, 1]]]);
});

Deno.test("compareRuns() compares near rounds with near ones, and far with far", () => {
  const mixed = (factor: number, farCount: number) =>
    [...rounds(1, factor), ...rounds(1, factor)].map((record, round) => {
      const far = round < farCount ? 4 : 1;
      return { ...elsewhere([record], far)[0]!, round };
    });
  const { points: [point], warnings } = compareRuns(mixed(1, 3), mixed(1.1, 7));
  assertEquals([point!.verdict, point!.modes], ["slower", [[7, 3], [3, 7]]]);
  assertAlmostEquals(point!.ratio.center, 1.1, 0.01);
  assertMatch(warnings.join(), /floor has several modes at 1 of 1 points/);
});

Deno.test("compareRuns() compares calls, also where a turn has become another number of them", () => {
  const before = elsewhere(rounds(1, 1, { callsPerTurn: 10 }), 10);
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
    "must be of one run, in a file of its own: they are of b, sample",
  );
  compareRuns(one, one.map((record) => ({ ...record, machine })));
});

function roundsOfOne(factor: number, count = 5) {
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
  assertEquals([empty, note], [
    "",
    "1 slower; where nothing has changed, 2 % of such comparisons have a false alarm at most",
  ]);
});

Deno.test("comparisonText() writes Markdown, and names what only one run has", () => {
  const other = roundsOfOne(1).map((record) => ({ ...record, pointId: "portCount=9" }));
  const comparison = compareRuns([...roundsOfOne(1), ...other], roundsOfOne(1));
  const text = comparisonText(comparison, "markdown");
  assertEquals(text.split("\n")[1], "| --- | --- | --- | --- | --- | --- | --- |");
  assertStringIncludes(text, "Only before: round_trip portCount=9");
});

Deno.test("comparisonText() writes JSON that has a null where a bound is not known", () => {
  const text = comparisonText(compareRuns(roundsOfOne(1, 1), roundsOfOne(2, 1)), "json");
  const { points } = JSON.parse(text);
  assertEquals([points[0].verdict, points[0].ratio.lo, points[0].ratio.hi], ["undecided", 0, null]);
});

Deno.test("verdictText() says how alike two are, and why nothing is decided", () => {
  assertEquals(verdictText({ verdict: "same" }, 0.02), "the same within 2 %");
  assertEquals(verdictText({ verdict: "faster" }, 0.02), "faster");
  const undecided = { verdict: "undecided", reason: "too few rounds: 3" } as const;
  assertEquals(verdictText(undecided, 0.02), "undecided: too few rounds: 3");
});

Deno.test("comparisonText() writes no factor that means nothing", () => {
  const wild = [1, 1e6].map((factor, round) => ({
    ...sampleRecord,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((one) => one * factor),
  }));
  assertStringIncludes(comparisonText(compareRuns(wild, wild), "text"), "under 0.001 to over 1000");
});
