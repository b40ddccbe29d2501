import type { AxisValue, Point } from "../../scenarios/axis.ts";
import { comparePoints } from "../statistics/compare_points.ts";
import { CONFIDENCE } from "../statistics/interval.ts";
import { scaled } from "../statistics/ratio.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { type AxisRoles, axisRoles, isNumeric, valuesOf } from "./axis_roles.ts";
import { chartTitle, figureLayers, figureRow } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";
import { EDGE_PIXELS, spansRatios, timeFigure } from "./time_figure.ts";

/** With more values than these, the axis chooses what to label. */
const TICKS_MAX = 12;
/** The field of a row that names its line, where several axes share the colour. */
const SERIES_FIELD = "figureSeries";

/**
 * What a call costs over the axes of a sweep, as a Vega-Lite specification: with intervals, and with
 * the floor dashed where there is one. See {@linkcode axisRoles} for what becomes of each axis.
 *
 * @param rows of one scenario, one at least
 * @param options `callsPerTurn` is that of the scenario
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { defaultChart } from "./default_chart.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const spec = defaultChart(summarize([sampleRecord]));
 * if (!JSON.stringify(spec.title).includes(sampleRecord.question)) throw new Error("the question");
 * ```
 */
export function defaultChart(
  rows: readonly PointSummary[],
  options: { readonly callsPerTurn?: (point: Point) => number } = {},
): ChartSpec {
  const { callsPerTurn = () => 1 } = options;
  const roles = axisRoles(rows.map((row) => perCall(row, callsPerTurn(row.point))));
  const drawn = roles.rows.toSorted((left, right) =>
    comparePoints(left.point, right.point, { axes: roles.colors })
  );
  const values = drawn.map((row) => ({
    ...figureRow(row.point, row.latencySeconds, row.controlSeconds?.center),
    [SERIES_FIELD]: seriesOf(row, roles),
  }));
  return {
    title: chartTitle(rows[0]!.question, subtitleOf(roles, { pointCount: rows.length })),
    data: { values },
    ...panelsOf({ ...roles, rows: drawn }),
  };
}

/** The same with the time of a turn shared out over its calls. */
function perCall(row: PointSummary, callCount: number): PointSummary {
  const { latencySeconds, controlSeconds } = row;
  return {
    ...row,
    latencySeconds: scaled(latencySeconds, 1 / callCount),
    ...(controlSeconds && { controlSeconds: scaled(controlSeconds, 1 / callCount) }),
  };
}

/** The name of a line of dots: the values of the axes that the colour tells apart. */
function seriesOf({ point }: PointSummary, { colors }: AxisRoles): string {
  return colors.map((axis) => point[axis]).join(", ");
}

function panelsOf(roles: AxisRoles): ChartSpec {
  const { rows, place, facet } = roles;
  const height = place === undefined ? 60 : 280;
  const layer = layersOf(roles);
  if (facet === undefined) return { width: 480, height, layer };
  const panel = { field: facet, title: wordsOf(facet), header: { orient: "top" } };
  return {
    facet: { ...panel, type: isNumeric(rows, facet) ? "ordinal" : "nominal" },
    columns: 3,
    spec: { width: 280, height, layer },
  };
}

function layersOf(roles: AxisRoles): ChartSpec[] {
  const { rows, place, colors } = roles;
  const floors = rows.flatMap(({ controlSeconds }) => controlSeconds?.center ?? []);
  const isJoined = place !== undefined && isNumeric(rows, place);
  return figureLayers({
    ...(place !== undefined && { place: placeChannel(rows, place) }),
    ...(colors.length > 0 && { color: colorChannel(roles) }),
    figure: timeFigure([...rows.map(({ latencySeconds }) => latencySeconds.center), ...floors]),
    ...(floors.length > 0 && { floor: isJoined ? "along" : "median" }),
    isJoined,
    isHorizontal: place === undefined,
  });
}

function placeChannel(rows: readonly PointSummary[], axis: string): ChartSpec {
  const title = wordsOf(axis);
  if (!isNumeric(rows, axis)) return { field: axis, type: "nominal", title };
  const values = valuesOf(rows, axis).map(Number);
  const kind = spansRatios(values) ? { type: "log" } : { zero: false };
  const ticks = values.length <= TICKS_MAX ? { axis: { values, format: "~g" } } : {};
  const scale = { ...kind, nice: false, padding: EDGE_PIXELS };
  return { field: axis, type: "quantitative", title, scale, ...ticks };
}

function colorChannel(roles: AxisRoles): ChartSpec {
  const { rows, colors } = roles;
  const title = colors.map(wordsOf).join(", ");
  const [axis, ...others] = colors;
  if (others.length === 0 && isNumeric(rows, axis!)) {
    return { field: axis, type: "ordinal", title, scale: { scheme: "viridis" } };
  }
  const sort = [...new Set(rows.map((row) => seriesOf(row, roles)))];
  return { field: SERIES_FIELD, type: "nominal", title, sort, legend: { titleLimit: 0 } };
}

function subtitleOf(roles: AxisRoles, all: { readonly pointCount: number }): string[] {
  const { rows, constants } = roles;
  const { adapter, control } = rows[0]!;
  const isSure = rows.every(({ latencySeconds }) => latencySeconds.confidence >= CONFIDENCE);
  const interval = isSure ? "95 % interval" : "interval, of 95 % where there are enough samples";
  const places = Object.entries(constants).map(placeText).join(", ");
  const leftOut = all.pointCount - rows.length;
  return [
    `Median and ${interval}${adapter === undefined ? "" : `, on ${adapter}`}`,
    ...control === undefined ? [] : [`Dashed: the floor, ${wordsOf(control)}, sampled in turn`],
    ...places === "" ? [] : [`All at ${places}`],
    ...leftOut === 0 ? [] : [`${leftOut} points with other values are left out`],
  ];
}

function placeText([axis, value]: readonly [string, AxisValue]): string {
  return `${wordsOf(axis)} ${value}`;
}

/** `portCount` as `port count`, `raw_readback` as `raw readback`. */
function wordsOf(name: string): string {
  return name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
