import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { scenarios } from "../../bench/registry.ts";
import { summarize } from "../statistics/summary.ts";
import { gpuRecords } from "../testdata/gpu_records.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import { chartsOf, SPECIAL_CHARTS } from "./charts_of.ts";

function namesOf(charts: ReturnType<typeof chartsOf>): string[] {
  return charts.map(({ name }) => name);
}

Deno.test("chartsOf() has special charts first, then the default one of each other scenario", async () => {
  const gpu = gpuRecords().map((record) => ({ ...record, runId: sampleRecord.runId }));
  const charts = chartsOf(summarize([...gpu.toReversed(), ...sweepRecords()]));
  assertEquals(namesOf(charts), [
    "round_trip",
    "waiting",
    "many_clients",
    "gpu_epoch",
    "gpu_live",
    "gpu_lock",
    "gpu_server",
  ]);
  for (const { name, chart } of charts) {
    const svg = await chart.svg();
    assert(svg.startsWith("<svg") && !svg.includes("NaN") && !svg.includes("undefined"), name);
  }
  assertEquals(chartsOf([]), []);
});

Deno.test("chartsOf() falls back to the default chart where the special ones have nothing to draw", () => {
  const { control: _, ...alone } = sampleRecord;
  const rows = summarize([{ ...alone, controlSeconds: [] }]);
  const [only, ...others] = chartsOf(rows);
  assertEquals([only!.name, others], ["round_trip", []]);
  assert(!("hconcat" in only!.chart.spec));
});

Deno.test("chartsOf() draws a scenario that this project does not know", () => {
  const rows = summarize([{ ...sampleRecord, scenario: "of_tomorrow" }]);
  assertEquals(namesOf(chartsOf(rows)), ["of_tomorrow"]);
});

Deno.test("chartsOf() shares turns out as the scenario says", () => {
  const rows = summarize(gpuRecords().filter(({ scenario }) => scenario === "gpu_server"));
  const valuesOf = (among: typeof scenarios) => {
    const [{ chart }] = chartsOf(rows, { among }) as [ReturnType<typeof chartsOf>[number]];
    return (chart.spec.data as { values: { batchCount: number; figure: number }[] }).values;
  };
  const [shared, whole] = [scenarios, []].map(valuesOf);
  for (const { batchCount, figure } of shared!) {
    const same = whole!.find((one) => one.batchCount === batchCount)!;
    assertEquals(figure, same.figure * (1 / batchCount));
  }
});

Deno.test("chartsOf() adds notes to the charts of the rows that they are about", async () => {
  const notesOn = ([row]: Parameters<typeof chartsOf>[0]) =>
    row!.scenario === "round_trip" ? ["It rained"] : [];
  const charts = chartsOf(summarize(sweepRecords()), { notesOn });
  const noted = await Promise.all(
    charts.map(async ({ chart }) => (await chart.svg()).includes("It rained")),
  );
  assertEquals(noted, [true, true, false]);
});

Deno.test("special charts are of scenarios that there are, and share no name", () => {
  const known = new Set(scenarios.map(({ name }) => name));
  assertEquals(SPECIAL_CHARTS.filter(({ scenario }) => !known.has(scenario)), []);
  assertEquals(new Set(SPECIAL_CHARTS.map(({ name }) => name)).size, SPECIAL_CHARTS.length);
});
