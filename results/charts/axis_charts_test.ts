import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { allPoints, type Point } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { latencyChart, ratioChart, referenceChart, throughputChart } from "./axis_charts.ts";
import { type ChartSpec, renderSvg } from "./render.ts";

function rowsAt(
  points: Iterable<Point>,
  change: Partial<typeof sampleRecord> = {},
): PointSummary[] {
  return [...points].flatMap((point) =>
    summarize([{ ...sampleRecord, ...change, point, pointId: JSON.stringify(point) }])
  );
}

function valuesIn(spec: ChartSpec): Record<string, unknown>[] {
  return (spec.data as { values: Record<string, unknown>[] }).values;
}

Deno.test("latencyChart() draws every scenario of this project from its axes", async () => {
  for (const { axes, points, question } of scenarios) {
    const rows = rowsAt(points?.() ?? allPoints(axes), { question });
    const spec = latencyChart(rows)!;
    const values = valuesIn(spec);
    assert(values.length > 0);
    const known = new Set(values.flatMap((row) => Object.keys(row)));
    assertEquals([...fieldsOf(spec).difference(known)], []);
    const svg = await renderSvg(spec);
    assertStringIncludes(svg, question.slice(0, 40)); // a long one goes on in a second line
    assert(!/NaN|undefined/.test(svg), question);
  }
});

Deno.test("latencyChart() is the same in whatever order the points were visited", () => {
  const points = [...allPoints({ portCount: [1, 8, 64], lock: ["cas", "fetch-or"] })];
  const [forward, backward] = [points, points.toReversed()].map((some) =>
    latencyChart(rowsAt(some))!
  );
  const { data: _, ...forwardPlan } = forward!;
  const { data: __, ...backwardPlan } = backward!;
  assertEquals(forwardPlan, backwardPlan);
});

Deno.test("latencyChart() says what is held constant and what is left out", () => {
  const axes = { portCount: [1, 8], lock: ["a", "b", "c"], side: ["x", "y"], laneCount: [1, 8] };
  const rows = rowsAt(allPoints({ ...axes, checks: ["on"] }));
  const { subtitle } = latencyChart(rows)!.title as { subtitle: string[] };
  assertStringIncludes(subtitle.join("; "), "At lane count 1, checks on");
  assertStringIncludes(subtitle.join("; "), "12 other points not shown here");
});

Deno.test("latencyChart() shows the floor, and names the adapter, where there is one", async () => {
  const withFloor = await renderSvg(latencyChart(rowsAt([{}], { adapter: "An adapter" }))!);
  assertStringIncludes(withFloor, "Dashes: the floor, ping pong");
  assertStringIncludes(withFloor, "On An adapter");
  const { control: _, ...alone } = sampleRecord;
  const without = latencyChart(summarize([{ ...alone, controlSeconds: [] }]))!;
  assert(!fieldsOf(without).has("figureFloor"));
  assert(!(await renderSvg(without)).includes("Dashes"));
});

Deno.test("ratioChart() has a line at 1 and a logarithmic axis, and needs floors", () => {
  const spec = ratioChart(rowsAt([{ portCount: 1 }, { portCount: 4 }]))!;
  const [floor, range] = spec.layer as { encoding: Record<string, ChartSpec> }[];
  assertEquals(floor!.encoding.y, { datum: 1 });
  assertEquals((range!.encoding.y!.scale as ChartSpec).type, "log");
  const { control: _, ...alone } = sampleRecord;
  assertEquals(ratioChart(summarize([{ ...alone, controlSeconds: [] }])), undefined);
});

Deno.test("throughputChart() shows calls a second, with the ends of the interval in order", () => {
  const [value] = valuesIn(throughputChart(rowsAt([{}]))!);
  assertEquals(Math.round(Number(value!.figure)), Math.round(1 / 201e-9));
  assert(Number(value!.figureLo) < Number(value!.figureHi));
});

Deno.test("referenceChart() shows how many times faster than a reference, where there is one", () => {
  const rows = rowsAt([{}]);
  const [value] = valuesIn(referenceChart(rows, { reference: "post_message" })!);
  assertEquals(Math.round(Number(value!.figure)), 200);
  assertEquals(referenceChart(rows, { reference: "nothing" }), undefined);
});
