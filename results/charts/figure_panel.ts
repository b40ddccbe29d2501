import type { AxisValue, Point } from "../../scenarios/axis.ts";
import type { Interval } from "../statistics/interval.ts";
import type { ChartSpec } from "./render.ts";

/** The fields of a row that hold its figure; its other fields are the axes of its point. */
const FIELD = { center: "figure", lo: "figureLo", hi: "figureHi", floor: "figureFloor" } as const;

/** One dot of a chart: a point's axes, and a figure with its interval. */
export type FigureRow = Readonly<Record<string, AxisValue>>;

/** @param floor the figure of what the dot is compared with, if there is one */
export function figureRow(point: Point, { center, lo, hi }: Interval, floor?: number): FigureRow {
  const figure = { [FIELD.center]: center, [FIELD.lo]: lo, [FIELD.hi]: hi };
  return { ...point, ...figure, ...(floor !== undefined && { [FIELD.floor]: floor }) };
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
}

/**
 * The layers of a panel: the floor, a rule from the low to the high end of each interval, its centre.
 *
 * @example
 * ```ts
 * import { figureLayers } from "./figure_panel.ts";
 * const layers = figureLayers({
 *   place: { field: "portCount", type: "quantitative" },
 *   figure: { type: "quantitative", title: "times the floor" },
 *   floor: { datum: 1 },
 * });
 * if (layers.length !== 3) throw new Error("a line, a rule and a dot");
 * ```
 */
export function figureLayers(panel: FigurePanel): ChartSpec[] {
  const { figure, isJoined } = panel;
  const along = alongOf(panel);
  const shared = sharedChannels(panel);
  const low = { ...figure, field: FIELD.lo };
  return [
    ...floorLayers(panel),
    {
      mark: { type: "rule", strokeWidth: 3, opacity: 0.5 },
      encoding: { ...shared, [along]: low, [`${along}2`]: { field: FIELD.hi } },
    },
    {
      mark: isJoined ? { type: "line", point: true } : { type: "point", filled: true, size: 70 },
      encoding: { ...shared, [along]: { ...figure, field: FIELD.center } },
    },
  ];
}

function floorLayers(panel: FigurePanel): ChartSpec[] {
  const { figure, floor } = panel;
  if (floor === undefined) return [];
  const along = alongOf(panel);
  const dashed = { strokeDash: [5, 4], opacity: 0.8 };
  const ofRows = { ...figure, field: FIELD.floor };
  if (floor === "along") {
    const encoding = { ...sharedChannels(panel), [along]: ofRows };
    // The stroke shows the floor of a dot that has no neighbour to draw a line to.
    return [{
      mark: { type: "line", ...dashed, point: { shape: "stroke", filled: false, size: 80 } },
      encoding,
    }];
  }
  const level = floor === "median" ? { ...ofRows, aggregate: "median" } : floor;
  return [{ mark: { type: "rule", color: "gray", ...dashed }, encoding: { [along]: level } }];
}

function alongOf({ isHorizontal }: FigurePanel): "x" | "y" {
  return isHorizontal ? "x" : "y";
}

function sharedChannels({ place, color, isHorizontal }: FigurePanel): ChartSpec {
  return { ...(place && { [isHorizontal ? "y" : "x"]: place }), ...(color && { color }) };
}

/**
 * The title of a chart.
 *
 * @param question what the chart answers
 * @param subtitle one line each
 */
export function chartTitle(question: string, subtitle: readonly string[]): ChartSpec {
  return { text: question, subtitle, anchor: "start" };
}
