import type { AxisValue, Point } from "../../../scenarios/axis.ts";
import { compareValues } from "../../statistics/compare_points.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import type { Interval } from "../../statistics/interval.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";
import { FIELD, type FigureRow, figureText, type FigureUnit } from "./figure_panel.ts";
import { countText } from "../../../bench/record/record.ts";

/** What each axis of a sweep does in one chart. */
export interface ChartPlan {
  /** The points that are drawn. */
  readonly rows: readonly PointSummary[];
  /** The axis along which the points stand; absent when no axis varies. */
  readonly place?: string;
  /** The axis whose values the colours tell apart, if there is one. */
  readonly color?: string;
  /** The axis that has a panel for each of its values, if there is one. */
  readonly facet?: string;
  /** The axes that have one value at all points that are drawn. */
  readonly constants: Readonly<Record<string, AxisValue>>;
}

/** More colours than these cannot be told apart, least of all by people who are colour-blind. */
const COLORS_MAX = 8;
/** More panels than these would be too small. */
const FACETS_MAX = 6;
/** Axes share a chart when at least this share of their combinations was measured. */
const FILLED_SHARE = 0.6;

/**
 * The charts that show a sweep: one or more, so that every axis that varies is in one of them. The
 * numeric axis with most values gets the place (without one, the text axis with most values). Axes
 * that were swept together with it get colours and panels. An axis that was moved alone, with the
 * others held, has a chart of its own; there, and wherever an axis is in no part of a chart, it is
 * held at the value that most points have. Points that have not the axes of most points, as in files
 * that were joined by hand, are left out.
 *
 * @param all points of one scenario, one at least
 */
export function chartPlans(all: readonly PointSummary[]): [ChartPlan, ...ChartPlan[]] {
  const kinds = Map.groupBy(all, ({ point }) => Object.keys(point).sort().join());
  const rows = largest([...kinds.values()]);
  const axes = varyingAxes(rows);
  const first = planOf(rows, axes);
  const shown = [first.place, first.color, first.facet];
  const others = axes.filter((axis) => !shown.includes(axis));
  return [
    first,
    ...others.map((axis) => planOf(rows, [axis, ...axes.filter((it) => it !== axis)])),
  ];
}

/** The axes with several values: first the one for the place, then those with most values. */
function varyingAxes(rows: readonly PointSummary[]): string[] {
  const varying = Object.keys(rows[0]?.point ?? {})
    .filter((axis) => valuesOf(rows, axis).length > 1)
    .toSorted((left, right) => valuesOf(rows, right).length - valuesOf(rows, left).length);
  const place = varying.find((axis) => isNumeric(rows, axis)) ?? varying[0];
  return varying.toSorted((left, right) => Number(right === place) - Number(left === place));
}

/** A chart over the first of the axes, with as many of the others as were swept together with it. */
function planOf(rows: readonly PointSummary[], axes: readonly string[]): ChartPlan {
  const [place, ...others] = axes;
  if (place === undefined) return { rows, constants: constantsOf(rows) };
  const color = others.find((axis) => isFilled(rows, { axes: [place, axis], all: axes }));
  const facet = others.find((axis) =>
    color !== undefined && axis !== color &&
    isFilled(rows, { axes: [place, color, axis], all: axes })
  );
  const shown = [place, color, facet];
  const drawn = held(rows, axes.filter((axis) => !shown.includes(axis)));
  return {
    rows: drawn,
    place,
    ...(color !== undefined && { color }),
    ...(facet !== undefined && { facet }),
    constants: constantsOf(drawn),
  };
}

/** Whether the axes were swept together: with all others held, most of their combinations are there. */
function isFilled(
  rows: readonly PointSummary[],
  { axes, all }: { readonly axes: readonly string[]; readonly all: readonly string[] },
): boolean {
  const drawn = held(rows, all.filter((axis) => !axes.includes(axis)));
  const [places, colors, facets = 1] = axes.map((axis) => valuesOf(drawn, axis).length);
  return colors! > 1 && colors! <= COLORS_MAX && facets <= FACETS_MAX &&
    facets > Number(axes.length > 2) && drawn.length >= FILLED_SHARE * places! * colors! * facets;
}

/** The points at the most frequent value of each of the axes; the smallest of several such values. */
function held(rows: readonly PointSummary[], axes: readonly string[]): readonly PointSummary[] {
  return axes.reduce((some, axis) => {
    const byValue = Map.groupBy(some, ({ point }) => point[axis]!);
    return largest(valuesOf(some, axis).map((value) => byValue.get(value)!));
  }, rows);
}

function largest<T>(groups: readonly (readonly T[])[]): readonly T[] {
  return groups.reduce((most, few) => few.length > most.length ? few : most);
}

function constantsOf(rows: readonly PointSummary[]): Record<string, AxisValue> {
  return Object.fromEntries(
    Object.entries(rows[0]?.point ?? {}).filter(([axis]) => valuesOf(rows, axis).length === 1),
  );
}

/** The values of an axis in the points: numbers by size, texts by letters, each once. */
export function valuesOf(rows: readonly PointSummary[], axis: string): AxisValue[] {
  const values = [...new Set(rows.map(({ point }) => point[axis]!))];
  return values.sort(compareValues);
}

export function isNumeric(rows: readonly PointSummary[], axis: string): boolean {
  return rows.every(({ point }) => typeof point[axis] === "number");
}

/** A figure of a row that a chart shows. */
export interface ChartFigure {
  /** What its numbers count. */
  readonly unit: FigureUnit;
  /** What it is, beside its axis. */
  readonly title: string;
  /** The figure of a row; nothing where the row has none. */
  readonly intervalOf: (row: PointSummary) => Interval | undefined;
  /** What the figure is compared with: seconds of the floor, or the line at 1. */
  readonly floorOf?: (row: PointSummary) => number | undefined;
  /** One line, which says what 1 or the dashed line is. */
  readonly noteOf?: (row: PointSummary) => string | undefined;
}

/** What is drawn, for those who put it into words. */
export interface Drawing {
  readonly plan: ChartPlan;
  readonly figure: ChartFigure;
  readonly values: readonly FigureRow[];
}

/** `201 ns (190 ns to 210 ns)`. */
export function intervalText({ center, lo, hi }: Interval, unit: FigureUnit): string {
  const [middle, low, high] = [center, lo, hi].map((value) => figureText(unit, value));
  return `${middle} (${low} to ${high})`;
}

/** `64 lanes` for a count, the text itself for a name. */
export function seriesText(axis: string, value: AxisValue): string {
  if (typeof value === "string") return value;
  if (!axis.endsWith("Count")) return `${wordsOf(axis)} ${value}`;
  return `${value} ${wordsOf(axis).replace(/ count$/, value === 1 ? "" : "s")}`;
}

/**
 * The lines below the title: what the marks mean, and which points they are.
 *
 * @param leftOut points of the scenario that the chart does not show
 */
export function subtitleOf({ plan, figure, values }: Drawing, leftOut: number): string[] {
  const { rows, constants } = plan;
  const { adapter } = rows[0]!;
  const few = values.some((row) => Number(row[FIELD.rounds]) < ROUNDS_MIN);
  const places = pointText(constants);
  const note = figure.noteOf?.(rows[0]!);
  return [
    `Median and ${few ? "range" : "interval"} of ${roundsText(rows)}` +
    `${few ? `; hollow: fewer than ${ROUNDS_MIN}, too few to be sure` : ""}`,
    ...note === undefined ? [] : [note],
    [
      ...adapter === undefined ? [] : [`On ${adapter}`],
      ...places === "" ? [] : [`at ${places}`],
      ...leftOutText(leftOut),
    ].join("; ").replace(/^a/, "A"),
  ].filter((line) => line !== "");
}

/** What a chart says of the points that it does not show; nothing when it shows all. */
export function leftOutText(count: number): string[] {
  return count === 0 ? [] : [`${countText(count, "other point")} not shown here`];
}

function roundsText(rows: readonly PointSummary[]): string {
  const counts = rows.map(({ roundCount }) => roundCount);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? countText(least, "round") : `${least} to ${most} rounds`;
}

/** What a reader who does not see the chart wants to know first. */
export function altText({ plan, figure, values }: Drawing): string {
  const sorted = values.toSorted((left, right) =>
    Number(left[FIELD.center]) - Number(right[FIELD.center])
  );
  const { place, color, facet, rows } = plan;
  const over = [place, color, facet].flatMap((axis) => axis === undefined ? [] : wordsOf(axis));
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map((row) => row[FIELD.text]);
  const range = rows.length === 1 ? `${least}` : `From ${least}, to ${most}`;
  return `${rows[0]!.question} Chart of ${figure.title}` +
    `${over.length === 0 ? "" : ` over ${over.join(", ")}`}, ${
      countText(rows.length, "point")
    }. ${range}.`;
}

/**
 * A name of the code in words: `portCount` as `port count`, `raw_readback` as `raw readback`.
 */
export function wordsOf(name: string): string {
  return name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `port count 64, lane count 1`. */
export function pointText(point: Point): string {
  return Object.entries(point).map(([axis, value]) => `${wordsOf(axis)} ${value}`).join(", ");
}
