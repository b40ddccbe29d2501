import { assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { compareRuns } from "./compare_runs.ts";
import { comparisonText } from "./comparison_text.ts";

function rounds(factor: number, count = 3) {
  return Array.from({ length: count }, (_, round) => ({
    ...sampleRecord,
    round,
    latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds * factor),
  }));
}

Deno.test("comparisonText() aligns the columns, and says how sure it is", () => {
  const [heading, row, empty, note] = comparisonText(compareRuns(rounds(1), rounds(1.5)), "text")
    .split("\n");
  assertEquals(heading!.indexOf("verdict"), row!.indexOf("slower"));
  assertStringIncludes(row!, "201 ns");
  assertStringIncludes(row!, "1.50");
  assertEquals([empty, note], ["", "1 slower; all of it is right in 95 % of such comparisons"]);
});

Deno.test("comparisonText() writes Markdown, and names what only one run has", () => {
  const other = rounds(1).map((record) => ({ ...record, pointId: "portCount=9" }));
  const comparison = compareRuns([...rounds(1), ...other], rounds(1));
  const text = comparisonText(comparison, "markdown");
  assertEquals(text.split("\n")[1], "| --- | --- | --- | --- | --- | --- |");
  assertStringIncludes(text, "Only before: round_trip portCount=9");
});

Deno.test("comparisonText() writes JSON that has a null where a bound is not known", () => {
  const text = comparisonText(compareRuns(rounds(1, 1), rounds(2, 1)), "json");
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
