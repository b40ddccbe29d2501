import type { AxisValue } from "../../../scenarios/axis.ts";
import { comparePoints } from "../../statistics/compare_points.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import type { ChartSpec } from "../render.ts";
import { type ChartPlan, chartPlans, isNumeric, valuesOf } from "./chart_plans.ts";
import {
  altText,
  type Drawing as Drawn,
  type Figure,
  intervalText,
  seriesText,
  subtitleOf,
} from "./chart_text.ts";
import { EDGE_PIXELS, figureChannel, isLogarithmic, spansRatios } from "./figure_channel.ts";
import {
  chartTitle,
  FIELD,
  figureLayers,
  type FigurePanel,
  type FigureRow,
  figureRow,
  labelLayer,
} from "./figure_panel.ts";
import { withLineLabels } from "./line_labels.ts";
import { wordsOf } from "./words.ts";

/** With more values than these, the axis chooses what to label. */
const TICKS_MAX = 12;
/** With more lines than these, a legend names them. */
const LABELS_MAX = 6;
/** Floors that differ by less than this are drawn as one. */
const FLOOR_RATIO_MAX = 1.5;
/** Told apart by people who see colours in other ways, too. (M. Okabe and K. Ito, 2008.) */
export const COLORS: readonly string[] = [
  ...["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#888888"],
];
/** From dark to light, without the yellow end, which is hard to see on white. */
const SHADES = { scheme: { name: "viridis", extent: [0, 0.82] } };

/** What a chart over axes is drawn from besides its rows. */
export interface AxisChartOptions {
  /** Which axes do what; the first of {@linkcode chartPlans} when absent. */
  readonly plan?: ChartPlan;
  /** What the chart answers; the question of the scenario when absent. */
  readonly question?: string;
  /** For a page rather than a picture: as wide as its place, with tooltips, zoom and a filter. */
  readonly isInteractive?: boolean;
  /** Where a click on the dot of a row leads. */
  readonly linkOf?: (row: PointSummary) => string;
}

/** What the functions below share. */
interface Drawing extends Drawn {
  readonly options: AxisChartOptions;
}

/**
 * A figure over the axes of a sweep, with intervals, and hollow dots where too few rounds stand behind
 * them.
 *
 * @param all rows of one scenario
 * @returns nothing when no row has the figure
 */
export function axisChart(
  all: readonly PointSummary[],
  figure: Figure,
  options: AxisChartOptions,
): ChartSpec | undefined {
  const known = all.filter((row) => figure.intervalOf(row) !== undefined);
  if (known.length === 0) return undefined;
  const { plan = chartPlans(known)[0] } = options;
  const rows = plan.rows.filter((row) => figure.intervalOf(row) !== undefined)
    .toSorted((left, right) => comparePoints(left.point, right.point, axesOf(plan)));
  if (rows.length === 0) return undefined;
  const values = rows.map((row) => valueOf(row, figure, options));
  const drawing = { plan: { ...plan, rows }, figure, values, options };
  return {
    title: chartTitle(
      options.question ?? rows[0]!.question,
      subtitleOf(drawing, all.length - rows.length),
    ),
    description: altText(drawing),
    ...panelsOf(drawing),
  };
}

function axesOf({ color, place }: ChartPlan): { axes: string[] } {
  return { axes: [color ?? [], place ?? []].flat() };
}

function valueOf(row: PointSummary, figure: Figure, options: AxisChartOptions): FigureRow {
  const interval = figure.intervalOf(row)!;
  const floor = figure.floorOf?.(row);
  return figureRow(row.point, {
    interval,
    roundCount: row.roundCount,
    text: `${row.pointId || row.scenario}: ${intervalText(interval, figure.unit)}`,
    ...(floor !== undefined && { floor }),
    ...(options.linkOf && { link: options.linkOf(row) }),
  });
}

function panelsOf(drawing: Drawing): ChartSpec {
  const { plan: { rows, place, facet }, values, options: { isInteractive = false } } = drawing;
  const isHorizontal = place === undefined || !isNumeric(rows, place);
  const height = isHorizontal ? { step: 30 } : facet === undefined ? 300 : 240;
  const width = isInteractive ? "container" : 540;
  if (facet === undefined) {
    const { layer, data } = panelOf(drawing, { isHorizontal, isLabelled: !isInteractive });
    return { width, height: place === undefined ? 60 : height, data, layer };
  }
  const { layer } = panelOf(drawing, { isHorizontal, isLabelled: false });
  // In brackets, because what stands for the label is an expression without any.
  const header = { title: null, labelExpr: `'${wordsOf(facet)} ' + (datum.label)` };
  return {
    data: { values },
    facet: { field: facet, type: isNumeric(rows, facet) ? "ordinal" : "nominal", header },
    columns: isInteractive ? 1 : 2,
    spec: { width: 260, height, layer },
  };
}

function panelOf(
  drawing: Drawing,
  { isHorizontal, isLabelled }: { readonly isHorizontal: boolean; readonly isLabelled: boolean },
): { readonly layer: ChartSpec[]; readonly data: ChartSpec } {
  const { plan: { rows, place, color }, figure, values, options } = drawing;
  const numbers = values.flatMap((row) => [row[FIELD.lo], row[FIELD.hi], row[FIELD.floor] ?? []])
    .flat().map(Number).concat(figure.unit === "ratio" ? [1] : []);
  const hasLabels = isLabelled && !isHorizontal && color !== undefined &&
    haveRoomForLabels(rows, { place: place!, color });
  const floor = floorOf(drawing, isHorizontal);
  const sorted = isHorizontal && place !== undefined ? { sort: byFigure(values, place) } : {};
  const panel: FigurePanel = {
    ...(place !== undefined && { place: placeChannel(rows, { place, ...sorted }) }),
    ...(color !== undefined && { color: colorChannel(rows, { color, hasLegend: !hasLabels }) }),
    figure: figureChannel(figure, numbers),
    ...(floor !== undefined && { floor }),
    isJoined: !isHorizontal,
    isHorizontal,
    isInteractive: options.isInteractive ?? false,
  };
  if (!hasLabels) return { layer: figureLayers(panel), data: { values } };
  const isLog = isLogarithmic(figure.unit, numbers);
  const nameOf = (row: FigureRow) => seriesText(color!, row[color!]!);
  const labelled = withLineLabels(values, { place: place!, series: color!, isLog, nameOf });
  return { layer: [...figureLayers(panel), labelLayer(panel)], data: { values: labelled } };
}

/** Few lines, which all end at the right. */
function haveRoomForLabels(
  rows: readonly PointSummary[],
  { place, color }: { readonly place: string; readonly color: string },
): boolean {
  const last = valuesOf(rows, place).at(-1);
  const ends = rows.filter(({ point }) => point[place] === last);
  const lineCount = valuesOf(rows, color).length;
  return lineCount <= LABELS_MAX && valuesOf(ends, color).length === lineCount;
}

function floorOf({ values, figure }: Drawing, isHorizontal: boolean): FigurePanel["floor"] {
  if (figure.unit === "ratio") return { datum: 1 };
  const floors = values.flatMap((row) => row[FIELD.floor] ?? []).map(Number);
  if (floors.length === 0) return undefined;
  const isOne = Math.max(...floors) / Math.min(...floors) < FLOOR_RATIO_MAX;
  return isOne || isHorizontal ? "median" : "along";
}

function placeChannel(
  rows: readonly PointSummary[],
  { place, sort }: { readonly place: string; readonly sort?: readonly AxisValue[] },
): ChartSpec {
  const title = wordsOf(place);
  if (sort) return { field: place, type: "nominal", title: null, sort };
  const values = valuesOf(rows, place).map(Number);
  const isLog = spansRatios(values);
  const scale = { ...isLog ? { type: "log" } : { zero: false }, nice: false, padding: EDGE_PIXELS };
  return { field: place, type: "quantitative", title, scale, axis: placeAxis(values, isLog) };
}

/**
 * Labels are the values as they are: a format of a linear axis takes its digits from the steps, and
 * makes 1.03e+3 of 1025. Of many values on a logarithmic axis, the format chooses what to label.
 */
function placeAxis(values: readonly number[], isLog: boolean): ChartSpec {
  const labelExpr = "'' + datum.value";
  if (values.length <= TICKS_MAX) return { labelExpr, values };
  return isLog ? { format: "~g" } : { labelExpr };
}

/** The names of places, that with the least figure first. */
function byFigure(values: readonly FigureRow[], place: string): AxisValue[] {
  const sorted = values.toSorted((left, right) =>
    Number(left[FIELD.center]) - Number(right[FIELD.center])
  );
  return [...new Set(sorted.map((row) => row[place]!))];
}

function colorChannel(
  rows: readonly PointSummary[],
  { color, hasLegend }: { readonly color: string; readonly hasLegend: boolean },
): ChartSpec {
  const isOrdinal = isNumeric(rows, color);
  return {
    field: color,
    type: isOrdinal ? "ordinal" : "nominal",
    title: wordsOf(color),
    sort: valuesOf(rows, color),
    scale: isOrdinal ? SHADES : { range: COLORS },
    legend: hasLegend ? { orient: "bottom", titleLimit: 0 } : null,
  };
}
