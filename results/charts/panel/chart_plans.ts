import type { AxisValue } from "../../../scenarios/axis.ts";
import { compareValues } from "../../statistics/compare_points.ts";
import type { PointSummary } from "../../statistics/summary.ts";

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
 * held at the value that most points have.
 *
 * @param rows of one scenario, one at least
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../../statistics/summary.ts";
 * import { chartPlans } from "./chart_plans.ts";
 * const rows = [1, 4].flatMap((portCount) =>
 *   summarize([{ ...sampleRecord, point: { portCount, waiting: "park" }, pointId: `${portCount}` }])
 * );
 * const [{ place, constants }] = chartPlans(rows);
 * if (place !== "portCount" || constants.waiting !== "park") throw new Error("ports vary");
 * ```
 */
export function chartPlans(rows: readonly PointSummary[]): [ChartPlan, ...ChartPlan[]] {
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
    return valuesOf(some, axis).map((value) => byValue.get(value)!)
      .reduce((most, few) => few.length > most.length ? few : most);
  }, rows);
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

/** Whether the values of an axis are numbers. */
export function isNumeric(rows: readonly PointSummary[], axis: string): boolean {
  return rows.every(({ point }) => typeof point[axis] === "number");
}
