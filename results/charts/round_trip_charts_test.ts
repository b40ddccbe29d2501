import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { sweepRecords } from "../testdata/sweep_records.ts";
import type { ChartSpec } from "./render.ts";
import { roundTripChart, waitingChart } from "./round_trip_charts.ts";

const rows = summarize(sweepRecords()).filter(({ scenario }) => scenario === "round_trip");

function valuesIn(spec: ChartSpec): Record<string, unknown>[] {
  return (spec.data as { values: Record<string, unknown>[] }).values;
}

Deno.test("roundTripChart() draws the points of the waiting that was swept most, in two panels", () => {
  const panels = roundTripChart(rows)!.hconcat as ChartSpec[];
  assertEquals(panels.length, 2);
  for (const panel of panels) {
    const values = valuesIn(panel);
    assertEquals(values.length, 6);
    assert(values.every(({ waiting }) => waiting === "spin+spin"));
    const fields = fieldsOf(panel);
    assertEquals([...fields].filter((field) => !Object.hasOwn(values[0]!, field)), []);
    assert(["portCount", "laneCount", "figureLo", "figureHi"].every((name) => fields.has(name)));
  }
  assertEquals(panels.map((panel) => fieldsOf(panel).has("figureFloor")), [true, false]);
});

Deno.test("waitingChart() has a line for each way of waiting, with its interval", () => {
  const spec = waitingChart(rows)!;
  const names = valuesIn(spec).map(({ waiting }) => String(waiting)).toSorted();
  assertEquals(names, ["adaptive+adaptive", "park+park", "spin+spin"]);
  assertEquals(fieldsOf(spec), new Set(["waiting", "figure", "figureLo", "figureHi"]));
});

Deno.test("roundTripChart() and waitingChart() are nothing without a floor", () => {
  const { control: _, ...alone } = sampleRecord;
  const floorless = summarize([{ ...alone, controlSeconds: [] }]);
  assertEquals([roundTripChart(floorless), waitingChart(floorless)], [undefined, undefined]);
  assertEquals([roundTripChart([]), waitingChart([])], [undefined, undefined]);
});
