import type { AxisValue, Point } from "../../../scenarios/axis.ts";
import type { Interval } from "../../statistics/interval.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";
import type { ChartSpec } from "../render.ts";

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
 *
 * @example
 * ```ts
 * import { figureLayers } from "./figure_panel.ts";
 * const layers = figureLayers({
 *   place: { field: "portCount", type: "quantitative" },
 *   figure: { type: "quantitative", title: "times the floor" },
 *   floor: { datum: 1 },
 * });
 * if (layers.length !== 4) throw new Error("a line, a rule, a dot and the hollow of a dot");
 * ```
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
  const lines = linesOf(question);
  return { text: lines.length === 1 ? question : lines, subtitle, anchor: "start" };
}

/** A title of more characters would be wider than its chart. */
const TITLE_CHARACTERS_MAX = 64;

function linesOf(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > TITLE_CHARACTERS_MAX) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
