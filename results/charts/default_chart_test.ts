import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { allPoints, type Point } from "../../scenarios/axis.ts";
import { scenarios } from "../../bench/registry.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { fieldsOf } from "../testdata/fields_of.ts";
import { defaultChart } from "./default_chart.ts";
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

Deno.test("defaultChart() draws every scenario of this project from its axes", async () => {
  for (const { axes, points, question } of scenarios) {
    const rows = rowsAt(points?.() ?? allPoints(axes), { question });
    const spec = defaultChart(rows);
    const values = valuesIn(spec);
    assert(values.length > 0);
    assertEquals([...fieldsOf(spec)].filter((field) => !Object.hasOwn(values[0]!, field)), []);
    const svg = await renderSvg(spec);
    assertStringIncludes(svg, question);
    assert(!/NaN|undefined/.test(svg), question);
  }
});

Deno.test("defaultChart() is the same in whatever order the points were visited", () => {
  const points = [...allPoints({ portCount: [1, 8, 64], lock: ["cas", "fetch-or"] })];
  const [forward, backward] = [points, points.toReversed()].map((some) =>
    defaultChart(rowsAt(some))
  );
  const { data: _, ...forwardPlan } = forward!;
  const { data: __, ...backwardPlan } = backward!;
  assertEquals(forwardPlan, backwardPlan);
});

Deno.test("defaultChart() says what is held constant and what is left out", () => {
  const axes = { portCount: [1, 8], lock: ["a", "b", "c"], side: ["x", "y"], laneCount: [1, 8] };
  const rows = rowsAt(allPoints({ ...axes, checks: ["on"] }));
  const { subtitle } = defaultChart(rows).title as { subtitle: string[] };
  assertStringIncludes(subtitle.join("; "), "All at lane count 1, checks on; 12 points with other");
});

Deno.test("defaultChart() dashes the floor, and names the adapter, where there is one", async () => {
  const withFloor = await renderSvg(defaultChart(rowsAt([{}], { adapter: "An adapter" })));
  assertStringIncludes(withFloor, "Dashed: the floor, ping pong");
  assertStringIncludes(withFloor, "on An adapter");
  const { control: _, ...alone } = sampleRecord;
  const rows = summarize([{ ...alone, controlSeconds: [] }]);
  const without = defaultChart(rows);
  assert(!fieldsOf(without).has("figureFloor"));
  assert(!(await renderSvg(without)).includes("Dashed"));
});

Deno.test("defaultChart() claims no interval where the samples are too few for one", () => {
  const few = { latencySeconds: [2e-7], controlSeconds: [1e-7], references: {} };
  const [{ subtitle }] = [defaultChart(rowsAt([{}], few)).title as { subtitle: string[] }];
  assertStringIncludes(subtitle[0]!, "where there are enough samples");
});

Deno.test("defaultChart() shares a turn out over its calls", () => {
  const rows = rowsAt([{ batchCount: 4 }]);
  const [whole] = valuesIn(defaultChart(rows));
  const [shared] = valuesIn(
    defaultChart(rows, { callsPerTurn: (point) => Number(point.batchCount) }),
  );
  for (const field of ["figure", "figureLo", "figureHi", "figureFloor"]) {
    assertEquals(shared![field], Number(whole![field]) / 4);
  }
});
