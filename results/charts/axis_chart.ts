import type { AxisValue } from "../../scenarios/axis.ts";
import { comparePoints } from "../statistics/compare_points.ts";
import type { PointSummary } from "../statistics/summary.ts";
import type { ChartSpec } from "./render.ts";
import {
  altText,
  type ChartFigure,
  type ChartPlan,
  chartPlans,
  type Drawing as Drawn,
  intervalText,
  isNumeric,
  seriesText,
  subtitleOf,
  valuesOf,
  wordsOf,
} from "./panel/chart_plans.ts";
import {
  chartTitle,
  EDGE_PIXELS,
  FIELD,
  figureChannel,
  figureLayers,
  type FigurePanel,
  type FigureRow,
  figureRow,
  isLogarithmic,
  labelLayer,
  spansRatios,
  withLineLabels,
} from "./panel/figure_panel.ts";

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
  /** What it says, where that is known: the title then, above the question. */
  readonly answer?: string;
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
 * them; which axis does what is the choice of `chartPlans`.
 *
 * @param all rows of one scenario
 * @param figure one of {@linkcode FIGURES}, a {@linkcode referenceFigure}, or your own
 * @returns nothing when no row has the figure
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { axisChart, FIGURES } from "./axis_chart.ts";
 * const spec = axisChart(summarize([sampleRecord]), FIGURES.latency);
 * if (!JSON.stringify(spec?.title).includes(sampleRecord.question)) throw new Error("the question");
 * ```
 */
export function axisChart(
  all: readonly PointSummary[],
  figure: ChartFigure,
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  const known = all.filter((row) => figure.intervalOf(row) !== undefined);
  if (known.length === 0) return undefined;
  const { plan = chartPlans(known)[0] } = options;
  const rows = plan.rows.filter((row) => figure.intervalOf(row) !== undefined)
    .toSorted((left, right) => comparePoints(left.point, right.point, axesOf(plan)));
  if (rows.length === 0) return undefined;
  const values = rows.map((row) => valueOf(row, figure, options));
  const drawing = { plan: { ...plan, rows }, figure, values, options };
  const { question = rows[0]!.question, answer } = options;
  const subtitle = subtitleOf(drawing, all.length - rows.length);
  return {
    title: answer === undefined
      ? chartTitle(question, subtitle)
      : chartTitle(answer, [question, ...subtitle]),
    description: altText(drawing),
    ...panelsOf(drawing),
  };
}

function axesOf({ color, place }: ChartPlan): { axes: string[] } {
  return { axes: [color ?? [], place ?? []].flat() };
}

function valueOf(row: PointSummary, figure: ChartFigure, options: AxisChartOptions): FigureRow {
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

/** The figures that charts over axes show, beside that of {@linkcode referenceFigure}. */
export const FIGURES: Readonly<
  Record<"latency" | "throughput" | "bandwidth" | "ratio" | "cpuTime", ChartFigure>
> = {
  /** What a call costs, with the floor dashed where there is one. */
  latency: {
    unit: "seconds",
    title: "time a call",
    intervalOf: (row) => row.latencySeconds,
    floorOf: (row) => row.controlSeconds?.center,
    noteOf: ({ control }) =>
      control && `Dashes: the floor, ${wordsOf(control)}, sampled in turn with the calls`,
  },
  throughput: {
    unit: "rate",
    title: "calls a second",
    intervalOf: (row) => row.callsPerSecond,
  },
  bandwidth: {
    unit: "bytes",
    title: "bytes a second",
    intervalOf: (row) => row.bytesPerSecond,
  },
  /** What a call costs in floors of the same moment, with a line at 1. */
  ratio: {
    unit: "ratio",
    title: "times the floor",
    intervalOf: (row) => row.ratioToControl,
    noteOf: ({ control }) => `1 is the floor: ${wordsOf(control!)}, sampled in turn with the calls`,
  },
  /**
   * The processor time of both sides together, with the time of the call dashed: a side that waits in a
   * busy loop takes as much as that by itself.
   */
  cpuTime: {
    unit: "seconds",
    title: "processor time a call",
    intervalOf: (row) => row.cpuSeconds,
    floorOf: (row) => row.latencySeconds.center,
    noteOf: () => "Of both sides together; dashes: the time of the call",
  },
};

/**
 * How many times faster than a reference, with a line at 1.
 *
 * @param reference its name in the records
 */
export function referenceFigure(reference: string): ChartFigure {
  const name = wordsOf(reference);
  return {
    unit: "ratio",
    title: `calls a second, ${name} = 1`,
    intervalOf: (row) => row.timesFasterThan[reference],
    noteOf: () => `1 is ${name}, sampled in turn`,
  };
}
