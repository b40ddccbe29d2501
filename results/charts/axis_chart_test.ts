import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { type ChartSpec, renderSvg } from "./render.ts";
import { axisChart, FIGURES, referenceFigure } from "./axis_chart.ts";
import type { ChartFigure } from "./panel/chart_plans.ts";
import { allPoints, type Point } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import { fieldsOf } from "../testdata/fields_of.ts";

const FIGURE: ChartFigure = {
  unit: "seconds",
  title: "time a call",
  intervalOf: (row) => row.point.portCount === 3 ? undefined : row.latencySeconds,
};

function rowsAt(portCounts: readonly number[], laneCounts: readonly number[]) {
  return summarize(portCounts.flatMap((portCount) =>
    laneCounts.map((laneCount) => ({
      ...sampleRecord,
      point: { portCount, laneCount },
      pointId: `portCount=${portCount};laneCount=${laneCount}`,
    }))
  ));
}

Deno.test("axisChart() names few lines at their ends, and many in a legend", async () => {
  const few = await renderSvg(axisChart(rowsAt([1, 2], [1, 8]), FIGURE, {})!);
  assertStringIncludes(few, ">8 lanes<");
  assertEquals(few.includes("role-legend"), false);
  const many = await renderSvg(
    axisChart(rowsAt([1, 2, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7]), FIGURE, {})!,
  );
  assertEquals(many.includes(">7 lanes<"), false);
  assertStringIncludes(many, "role-legend");
});

Deno.test("axisChart() labels the places as they are", async () => {
  const labelsAt = async (values: readonly number[]) => {
    const svg = await renderSvg(axisChart(rowsAt(values, [1]), FIGURE, {})!);
    return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
  };
  for (const values of [[1000, 1025, 1075], [0, 500, 5_000_000], [1, 1000, 1_048_576], [-5, 0.5]]) {
    const labels = await labelsAt(values);
    assertEquals(labels.slice(0, values.length).map(Number), values);
    assertEquals(labels.some((label) => label.includes("e+")), false);
  }
  const powers = Array.from({ length: 20 }, (_, index) => 2 ** index);
  assertEquals((await labelsAt(powers)).slice(0, 3), ["1", "10", "100"]);
});

Deno.test("axisChart() leaves out the rows without the figure, and draws nothing without any", () => {
  const values = (axisChart(rowsAt([1, 3], [1]), FIGURE, {})!.data as { values: unknown[] }).values;
  assertEquals(values.length, 1);
  assertEquals(axisChart(rowsAt([3], [1]), FIGURE, {}), undefined);
});

Deno.test("axisChart() asks what it is told to, and leads where it is told to", () => {
  const spec = axisChart(rowsAt([1, 2], [1]), FIGURE, {
    question: "Why?",
    linkOf: ({ pointId }) => `#${pointId}`,
    isInteractive: true,
  })!;
  assertEquals((spec.title as { text: string }).text, "Why?");
  assertStringIncludes(JSON.stringify(spec.data), '"#portCount=1;laneCount=1"');
  assertEquals(spec.width, "container");
});

Deno.test("axisChart() names the axis of its panels with each of their values", async () => {
  const rows = [16, 32].flatMap((laneCount) =>
    rowsAt([1, 2], [laneCount]).flatMap((row) =>
      ["on", "off"].map((checks) => ({ ...row, point: { ...row.point, checks } }))
    )
  );
  const svg = await renderSvg(axisChart(rows, FIGURE, {})!);
  assertStringIncludes(svg, ">checks off<");
});

function summariesAt(
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

Deno.test("axisChart() of the latency draws every scenario of this project from its axes", async () => {
  for (const { axes, points, question } of scenarios) {
    const rows = summariesAt(points?.() ?? allPoints(axes), { question });
    const spec = axisChart(rows, FIGURES.latency)!;
    const values = valuesIn(spec);
    assert(values.length > 0);
    const known = new Set(values.flatMap((row) => Object.keys(row)));
    assertEquals([...fieldsOf(spec).difference(known)], []);
    const svg = await renderSvg(spec);
    assertStringIncludes(svg, question.slice(0, 40)); // a long one goes on in a second line
    assert(!/NaN|undefined/.test(svg), question);
  }
});

Deno.test("axisChart() of the latency is the same in whatever order the points were visited", () => {
  const points = [...allPoints({ portCount: [1, 8, 64], lock: ["cas", "fetch-or"] })];
  const [forward, backward] = [points, points.toReversed()].map((some) =>
    axisChart(summariesAt(some), FIGURES.latency)!
  );
  const { data: _, ...forwardPlan } = forward!;
  const { data: __, ...backwardPlan } = backward!;
  assertEquals(forwardPlan, backwardPlan);
});

Deno.test("axisChart() of the latency says what is held constant and what is left out", () => {
  const axes = { portCount: [1, 8], lock: ["a", "b", "c"], side: ["x", "y"], laneCount: [1, 8] };
  const rows = summariesAt(allPoints({ ...axes, checks: ["on"] }));
  const { subtitle } = axisChart(rows, FIGURES.latency)!.title as { subtitle: string[] };
  assertStringIncludes(subtitle.join("; "), "At lane count 1, checks on");
  assertStringIncludes(subtitle.join("; "), "12 other points not shown here");
});

Deno.test("axisChart() of the latency shows the floor, and names the adapter, where there is one", async () => {
  const withFloor = await renderSvg(
    axisChart(summariesAt([{}], { adapter: "An adapter" }), FIGURES.latency)!,
  );
  assertStringIncludes(withFloor, "Dashes: the floor, ping pong");
  assertStringIncludes(withFloor, "On An adapter");
  const { control: _, ...alone } = sampleRecord;
  const without = axisChart(summarize([{ ...alone, controlSeconds: [] }]), FIGURES.latency)!;
  assert(!fieldsOf(without).has("figureFloor"));
  assert(!(await renderSvg(without)).includes("Dashes"));
});

Deno.test("axisChart() of the ratio has a line at 1 and a logarithmic axis, and needs floors", () => {
  const spec = axisChart(summariesAt([{ portCount: 1 }, { portCount: 4 }]), FIGURES.ratio)!;
  const [floor, range] = spec.layer as { encoding: Record<string, ChartSpec> }[];
  assertEquals(floor!.encoding.y, { datum: 1 });
  assertEquals((range!.encoding.y!.scale as ChartSpec).type, "log");
  const { control: _, ...alone } = sampleRecord;
  assertEquals(axisChart(summarize([{ ...alone, controlSeconds: [] }]), FIGURES.ratio), undefined);
});

Deno.test("axisChart() of the throughput shows calls a second, with the ends of the interval in order", () => {
  const [value] = valuesIn(axisChart(summariesAt([{}]), FIGURES.throughput)!);
  assertEquals(Math.round(Number(value!.figure)), Math.round(1 / 201e-9));
  assert(Number(value!.figureLo) < Number(value!.figureHi));
});

Deno.test("axisChart() of a reference shows how many times faster than a reference, where there is one", () => {
  const rows = summariesAt([{}]);
  const [value] = valuesIn(axisChart(rows, referenceFigure("post_message"))!);
  assertEquals(Math.round(Number(value!.figure)), 200);
  assertEquals(axisChart(rows, referenceFigure("nothing")), undefined);
});
