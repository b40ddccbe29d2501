import type { AxisValue, Point } from "../../../scenarios/axis.ts";
import type { Interval } from "../../statistics/interval.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";
import type { ChartSpec } from "../render.ts";
import { durationText, threeDigits, unitText } from "../../../bench/record/record.ts";

/** The fields of a row that this module adds; its other fields are the axes of its point. */
export const FIELD = {
  center: "figure",
  lo: "figureLo",
  hi: "figureHi",
  floor: "figureFloor",
  rounds: "figureRounds",
  text: "figureText",
  link: "figureLink",
  label: "figureLabel",
  labelAt: "figureLabelAt",
} as const;

/** One dot of a chart: a point's axes, and a figure with its interval. */
export type FigureRow = Readonly<Record<string, AxisValue>>;

/** What a dot needs besides its point. */
export interface Dot {
  readonly interval: Interval;
  readonly roundCount: number;
  /** The figure in words, for the tooltip. */
  readonly text: string;
  /** The figure of what the dot is compared with, if there is one. */
  readonly floor?: number;
  /** Where a click on the dot leads. */
  readonly link?: string;
}

/** The fields of a dot beside the axes of its point. */
export function figureRow(point: Point, dot: Dot): FigureRow {
  const { center, lo, hi } = dot.interval;
  return {
    ...point,
    [FIELD.center]: center,
    [FIELD.lo]: lo,
    [FIELD.hi]: hi,
    [FIELD.rounds]: dot.roundCount,
    [FIELD.text]: dot.text,
    ...(dot.floor !== undefined && { [FIELD.floor]: dot.floor }),
    ...(dot.link !== undefined && { [FIELD.link]: dot.link }),
  };
}

/** How the rows of one panel are drawn; the definitions of channels are those of Vega-Lite. */
export interface FigurePanel {
  /** Where the dots stand, by a field of the rows; absent when there is a single place. */
  readonly place?: ChartSpec;
  /** Title, scale and labels of the figure. */
  readonly figure: ChartSpec;
  /** What the colours tell apart, by a field of the rows. */
  readonly color?: ChartSpec;
  /** Dashed: a line at one value, at the median of the rows' floors, or along their floors. */
  readonly floor?: { readonly datum: number } | "median" | "along";
  /** Whether a line joins neighbouring dots: on an axis of numbers. */
  readonly isJoined?: boolean;
  /** Whether figures grow to the right, which leaves room for the names of places. */
  readonly isHorizontal?: boolean;
  /** For a page: a tooltip, a legend that filters, zoom by the wheel with Ctrl, dots that lead on. */
  readonly isInteractive?: boolean;
}

/** Dimmed: what the legend does not show. */
const FAINT = 0.08;

/**
 * The layers of a panel: the floor, a rule from the low to the high end of each interval, its centre,
 * which is hollow where too few rounds stand behind it, and the names of lines at their ends, where
 * rows have them.
 */
export function figureLayers(panel: FigurePanel): ChartSpec[] {
  const along = panel.isHorizontal ? "x" : "y";
  const [shared, clip] = [sharedChannels(panel), panel.isInteractive ?? false];
  const center = { ...shared, [along]: { ...panel.figure, field: FIELD.center } };
  const range = {
    [along]: { ...panel.figure, field: FIELD.lo },
    [`${along}2`]: { field: FIELD.hi },
  };
  const { color: _, ...colorless } = center as ChartSpec & { color?: unknown };
  const isFew = { filter: `datum.${FIELD.rounds} < ${ROUNDS_MIN}` };
  return [
    ...floorLayers(panel, along),
    {
      ...(panel.isInteractive && { params: paramsOf(panel, along) }),
      mark: { type: "rule", strokeWidth: 3, clip },
      encoding: { ...shared, ...range, opacity: opacityOf(panel, 0.45) },
    },
    ...(panel.isJoined
      ? [{ mark: { type: "line", clip }, encoding: { ...center, opacity: opacityOf(panel, 1) } }]
      : []),
    {
      mark: { type: "point", filled: true, size: 75, clip },
      encoding: { ...center, opacity: opacityOf(panel, 1), ...clickChannels(panel) },
    },
    {
      transform: [isFew],
      mark: { type: "point", filled: true, color: "white", size: 24, opacity: 1, clip },
      encoding: { ...colorless, ...clickChannels(panel) },
    },
  ];
}

/** The names of lines, right of their last dots: easier to follow than a legend. */
export function labelLayer({ place, figure, color }: FigurePanel): ChartSpec {
  const { axis: _, ...scaled } = figure;
  return {
    transform: [{ filter: `isValid(datum.${FIELD.label})` }],
    mark: { type: "text", align: "left", dx: 9, fontSize: 13, fontWeight: "bold" },
    encoding: {
      ...(place && { x: place }),
      y: { ...scaled, field: FIELD.labelAt },
      text: { field: FIELD.label, type: "nominal" },
      ...(color && { color }),
    },
  };
}

function floorLayers(panel: FigurePanel, along: "x" | "y"): ChartSpec[] {
  const { figure, floor } = panel;
  if (floor === undefined) return [];
  const clip = panel.isInteractive ?? false;
  const dashed = { strokeDash: [5, 4], clip };
  const ofRows = { ...figure, field: FIELD.floor };
  if (floor === "along") {
    const encoding = {
      ...sharedChannels(panel),
      [along]: ofRows,
      opacity: opacityOf(panel, 0.8),
    };
    // Lines of their own would hide those of the figures.
    return [{
      mark: { type: "point", shape: "stroke", size: 120, strokeWidth: 2, clip },
      encoding,
    }];
  }
  const level = floor === "median" ? { ...ofRows, aggregate: "median" } : floor;
  return [{ mark: { type: "rule", color: "#666", ...dashed }, encoding: { [along]: level } }];
}

function sharedChannels({ place, color, isHorizontal }: FigurePanel): ChartSpec {
  return { ...(place && { [isHorizontal ? "y" : "x"]: place }), ...(color && { color }) };
}

function opacityOf({ isInteractive, color }: FigurePanel, value: number): ChartSpec {
  if (!isInteractive || !color) return { value };
  return { condition: { param: "chosen", value }, value: FAINT };
}

function clickChannels({ isInteractive }: FigurePanel): ChartSpec {
  if (!isInteractive) return {};
  return { tooltip: { field: FIELD.text }, href: { field: FIELD.link } };
}

/** Zoom asks for the Ctrl key, because the wheel alone scrolls the page. */
function paramsOf({ color, place, isHorizontal }: FigurePanel, along: string): ChartSpec[] {
  const isContinuous = !isHorizontal && place?.type === "quantitative";
  const encodings = isContinuous ? ["x", "y"] : [along];
  const zoom = {
    name: "zoom",
    select: { type: "interval", encodings, zoom: "wheel![event.ctrlKey]" },
    bind: "scales",
  };
  const chosen = {
    name: "chosen",
    select: { type: "point", fields: [color?.field] },
    bind: "legend",
  };
  return color ? [zoom, chosen] : [zoom];
}

/**
 * The title of a chart.
 *
 * @param question what the chart answers
 * @param subtitle one line each
 */
export function chartTitle(question: string, subtitle: readonly string[]): ChartSpec {
  const lines = wrapped(question, TITLE_CHARACTERS_MAX);
  return { text: lines.length === 1 ? question : lines, subtitle, anchor: "start" };
}

/** A title of more characters would be wider than its chart. */
const TITLE_CHARACTERS_MAX = 64;

/** Breaks a text at blanks into lines of at most so many characters. */
export function wrapped(text: string, charactersMax: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > charactersMax) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Lines with a label closer than this share of the axis to each other would write over one another. */
const SHARE_MIN = 0.07;

/**
 * Adds its name to the last row of each line, and a height at which it keeps clear of other names.
 *
 * @param options `place` and `series` are fields of the rows, `isLog` that of the axis of figures
 */
export function withLineLabels(
  rows: readonly FigureRow[],
  options: {
    readonly place: string;
    readonly series: string;
    readonly isLog: boolean;
    readonly nameOf: (row: FigureRow) => string;
  },
): FigureRow[] {
  const { place, series, isLog, nameOf } = options;
  const last = new Map<unknown, FigureRow>();
  for (const row of rows) {
    const known = last.get(row[series]);
    if (!known || Number(row[place]) >= Number(known[place])) last.set(row[series], row);
  }
  const [toAxis, fromAxis] = isLog ? [Math.log, Math.exp] : [Number, Number];
  const heights = rows.flatMap((row) => [row[FIELD.lo], row[FIELD.hi]]).map((at) =>
    toAxis(Number(at))
  );
  const gap = SHARE_MIN * (Math.max(...heights) - (isLog ? Math.min(...heights) : 0));
  const ends = [...last.values()].toSorted((left, right) =>
    Number(left[FIELD.center]) - Number(right[FIELD.center])
  );
  const at = spread(ends.map((row) => toAxis(Number(row[FIELD.center]))), gap).map(fromAxis);
  return rows.map((row) => {
    const end = ends.indexOf(row);
    return end < 0 ? row : { ...row, [FIELD.label]: nameOf(row), [FIELD.labelAt]: at[end]! };
  });
}

/** Moves ascending heights up until each is at least a gap above the one before. */
function spread(heights: readonly number[], gap: number): number[] {
  const moved: number[] = [];
  for (const height of heights) {
    moved.push(Math.max(height, (moved.at(-1) ?? -Infinity) + gap));
  }
  return moved;
}

/** From this ratio of the largest to the smallest on, a logarithmic axis shows more. */
const LOG_RATIO = 8;
/** Dots keep this distance from the edges of a panel, in pixels. */
export const EDGE_PIXELS = 12;

/** What a figure counts: seconds, calls a second, bytes a second, or times another figure. */
export type FigureUnit = "seconds" | "rate" | "bytes" | "ratio";

/** Labels with the prefix that fits and its unit, as a person writes them: `10 ms`, `4.5 M/s`. */
const LABELS: Readonly<Record<FigureUnit, string>> = {
  seconds:
    "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), regexp('([^0-9.]?)$'), ' $1s')",
  rate:
    "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), regexp('([^0-9.]?)$'), ' $1/s')",
  bytes:
    "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), regexp('([^0-9.]?)$'), ' $1B/s')",
  ratio: "format(datum.value, '~g')",
};

/** Whether values lie so far apart, all above 0, that a logarithmic axis suits them. */
export function spansRatios(values: readonly number[]): boolean {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) / least >= LOG_RATIO;
}

/**
 * Whether a figure is drawn on a logarithmic axis: ratios always, because twice as much and half as
 * much are equally far from 1; others where their values lie far apart.
 */
export function isLogarithmic(unit: FigureUnit, values: readonly number[]): boolean {
  return spansRatios(values) || (unit === "ratio" && Math.min(...values) > 0);
}

/**
 * The channel of a figure: its scale, and labels in the unit that fits. A linear axis begins at 0.
 *
 * @param values what the chart shows, one at least
 */
export function figureChannel(
  { unit, title }: { readonly unit: FigureUnit; readonly title: string },
  values: readonly number[],
): ChartSpec {
  const shared = { type: "quantitative", title };
  const axis = { labelExpr: LABELS[unit], grid: true };
  if (!isLogarithmic(unit, values)) return { ...shared, scale: { zero: true }, axis };
  const scale = { type: "log", nice: false, padding: EDGE_PIXELS };
  const isWide = Math.max(...values) / Math.min(...values) > 2;
  return { ...shared, scale, axis: { ...axis, ...(isWide && { values: ticksOf(values) }) } };
}

/** Powers of ten; with 2 and 5 times these where there are few, and more where there is hardly one. */
function ticksOf(values: readonly number[]): number[] {
  const [first, last] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const decades = Array.from(
    { length: Math.ceil(last!) - Math.floor(first!) + 1 },
    (_, index) => Math.floor(first!) + index,
  );
  const span = last! - first!;
  const steps = span > 3 ? [1] : span > 1 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  return decades.flatMap((decade) => steps.map((step) => Number(`${step}e${decade}`)));
}

/** A value of a figure as text: `201 ns`, `4.98 M/s`, `2.02`. */
export function figureText(unit: FigureUnit, value: number): string {
  if (unit === "seconds") return durationText(value);
  if (unit === "ratio") return threeDigits(value);
  return unitText(value, unit === "rate" ? "/s" : "B/s");
}
