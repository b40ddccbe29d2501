import { assertEquals, assertStringIncludes } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { summarize } from "../../statistics/summary.ts";
import { renderSvg } from "../render.ts";
import { axisChart } from "./axis_chart.ts";
import type { Figure } from "./chart_text.ts";

const FIGURE: Figure = {
  unit: "seconds",
  title: "time a call",
  intervalOf: (row) => row.point.portCount === 3 ? undefined : row.latencySeconds,
  noteOf: () => undefined,
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
