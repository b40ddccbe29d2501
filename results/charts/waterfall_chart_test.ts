import { assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { renderSvg } from "./render.ts";
import { makeCharts } from "./make_charts.ts";
import { waterfallChart } from "./waterfall_chart.ts";

/** A scenario of three steps; the last saves what the second adds in part. */
const records = [["2_locks", 3], ["1_flags", 1], ["3_tricks", 2]].map(([step, floors]) => ({
  ...sampleRecord,
  ...{ scenario: "parts", point: { step: step! }, pointId: `step=${step}` },
  latencySeconds: sampleRecord.controlSeconds.map((seconds) => seconds * Number(floors)),
}));

Deno.test("waterfallChart() begins each bar where the step before ended", () => {
  const { data } = waterfallChart(summarize(records)) as {
    readonly data: { readonly values: readonly Record<string, unknown>[] };
  };
  assertEquals(data.values.map(({ name, from, to, text }) => [name, from, to, text]), [
    ["flags", 0, 1, "1.00"],
    ["+ locks", 1, 3, "+2.00"],
    ["+ tricks", 3, 2, "-1.00"],
  ]);
});

Deno.test("waterfallChart() is one of the charts of a scenario of steps, and of no other", async () => {
  const charts = makeCharts(summarize([...records, sampleRecord]));
  const names = charts.map(({ name }) => name).filter((name) => name.endsWith("_waterfall"));
  assertEquals(names, ["parts_waterfall"]);
  const svg = await renderSvg(waterfallChart(summarize(records))!);
  assertEquals(["flags", "+ locks", "+2.00"].filter((text) => !svg.includes(text)), []);
});
