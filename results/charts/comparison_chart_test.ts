import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { compareRuns } from "../report/compare_runs.ts";
import { comparisonChart } from "./comparison_chart.ts";
import { renderSvg } from "./render.ts";

/** Rounds of two points; the second of them takes `factor` times as long. */
function runOf(factor: number, roundCount = 5) {
  return Array.from({ length: roundCount }, (_, round) => [
    { ...sampleRecord, round, pointId: "a=1" },
    {
      ...sampleRecord,
      round,
      pointId: "a=2",
      latencySeconds: sampleRecord.latencySeconds.map((one) => one * factor),
    },
  ]).flat();
}

Deno.test("comparisonChart() has a line for each point, the worst on top, with its verdict", async () => {
  const spec = comparisonChart(compareRuns(runOf(1), runOf(1.5)))!;
  const values = (spec.data as { values: Record<string, unknown>[] }).values;
  assertEquals(values.map(({ name, verdict }) => [name, verdict]), [
    ["round_trip a=2", "slower"],
    ["round_trip a=1", "same"],
  ]);
  assertStringIncludes(String(spec.description), "From round_trip a=2 at 1.50 times (slower)");
  const svg = await renderSvg(spec);
  assert(svg.includes("#D55E00") && svg.includes("1 same, 1 slower"));
});

Deno.test("comparisonChart() shows no point that says nothing, and says how many these are", () => {
  const single = compareRuns(runOf(1, 1), runOf(1, 1));
  assertEquals(comparisonChart(single), undefined);
  const mixed = compareRuns([...runOf(1), { ...sampleRecord, pointId: "b" }], [
    ...runOf(1),
    { ...sampleRecord, pointId: "b" },
  ]);
  assertStringIncludes(
    JSON.stringify(comparisonChart(mixed)!.title),
    "Without 1 point of a single round",
  );
});

Deno.test("comparisonChart() cuts an interval that says nothing, so that the others can be read", async () => {
  const wild = [1, 50].map((factor, round) => ({
    ...sampleRecord,
    round,
    pointId: "b",
    latencySeconds: sampleRecord.latencySeconds.map((one) => one * factor),
  }));
  const spec = comparisonChart(compareRuns([...runOf(1), ...wild], [...runOf(1.1), ...wild]))!;
  const svg = await renderSvg(spec);
  assert(svg.includes(">0.25<") || svg.includes(">0.5<"), "labels near 1");
  assert(!/>1e[+-]?\d+</.test(svg) && svg.includes(">round_trip b<"));
});
