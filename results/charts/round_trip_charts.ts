import type { PointSummary } from "../statistics/summary.ts";
import { chartTitle, figureLayers, type FigurePanel, figureRow } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";
import { timeFigure } from "./time_figure.ts";

/**
 * What one call costs over ports, by lanes: in seconds, and in floors of the same moment. It draws
 * the points with the way of waiting that was swept most.
 *
 * @param rows of the scenario `round_trip`
 * @returns nothing when no point has a floor
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { roundTripChart } from "./round_trip_charts.ts";
 * import { summarize } from "../statistics/summary.ts";
 * if (!roundTripChart(summarize([sampleRecord]))?.hconcat) throw new Error("two panels");
 * ```
 */
export function roundTripChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const drawn = mostSwept(rows.filter(({ ratioToControl }) => ratioToControl));
  if (drawn.length === 0) return undefined;
  const [clientWaiter, serverWaiter] = String(drawn[0]!.point.waiting).split("+");
  const times = drawn.map(({ point, latencySeconds, controlSeconds }) =>
    figureRow(point, latencySeconds, controlSeconds!.center)
  );
  const ratios = drawn.map(({ point, ratioToControl }) => figureRow(point, ratioToControl!));
  const timesTheFloor = { type: "quantitative", title: "times the floor" };
  const floor = { datum: 1 };
  return {
    title: chartTitle(drawn[0]!.question, [
      `Median and 95 % interval; the client waits by ${clientWaiter}, the server by ${serverWaiter}`,
      "Dashed: the floor, two bare flags between the same two threads, sampled in turn",
    ]),
    hconcat: [
      { ...PANEL, data: { values: times }, layer: overPorts(timeFigure(), "median") },
      { ...PANEL, data: { values: ratios }, layer: overPorts(timesTheFloor, floor) },
    ],
  };
}

const PANEL = { width: 380, height: 260 } as const;

function mostSwept(rows: readonly PointSummary[]): readonly PointSummary[] {
  const byWaiting = Map.groupBy(rows, ({ point }) => point.waiting);
  return [...byWaiting.values()].toSorted((left, right) => right.length - left.length)[0] ?? [];
}

function overPorts(figure: ChartSpec, floor: NonNullable<FigurePanel["floor"]>): ChartSpec[] {
  const place = {
    field: "portCount",
    type: "quantitative",
    scale: { type: "log", base: 2 },
    axis: { values: [1, 4, 16, 64, 256, 1024, 4096], format: "d" },
    title: "ports",
  };
  const scale = { scheme: "viridis" };
  const color = { field: "laneCount", type: "ordinal", title: "lanes", scale };
  return figureLayers({ place, figure, color, floor, isJoined: true });
}

/**
 * What each way of waiting costs, in one call on one port and one lane; on a logarithmic axis,
 * because parking takes hundreds of times as long as spinning.
 *
 * @param rows of the scenario `round_trip`
 * @returns nothing when there is no such point, or it has no floor
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { waitingChart } from "./round_trip_charts.ts";
 * import { summarize } from "../statistics/summary.ts";
 * if (!waitingChart(summarize([sampleRecord]))?.layer) throw new Error("one point waits by spin");
 * ```
 */
export function waitingChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const values = rows
    .filter(({ point }) => point.portCount === 1 && point.laneCount === 1)
    .flatMap(({ point, ratioToControl: ratio }) => ratio ? [figureRow(point, ratio)] : []);
  if (values.length === 0) return undefined;
  return {
    title: chartTitle("What does each way of waiting cost?", [
      "Median and 95 % interval of one call on one port and one lane; client+server",
    ]),
    width: 480,
    height: { step: 28 },
    data: { values },
    layer: figureLayers({
      place: { field: "waiting", type: "nominal", sort: { field: "figure" }, title: null },
      figure: { type: "quantitative", scale: { type: "log" }, title: "times the floor" },
      isHorizontal: true,
    }),
  };
}
