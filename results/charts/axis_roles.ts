import type { AxisValue } from "../../scenarios/axis.ts";
import { compareValues } from "../statistics/compare_points.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** What each axis of a sweep does in a chart. */
export interface AxisRoles {
  /** The points that are drawn. */
  readonly rows: readonly PointSummary[];
  /** The axis along which the points stand; absent when no axis varies. */
  readonly place?: string;
  /** The axes whose values the colours tell apart, together: none, one, or several. */
  readonly colors: readonly string[];
  /** The axis that has a panel for each of its values. */
  readonly facet?: string;
  /** The axes that have one value at all points that are drawn. */
  readonly constants: Readonly<Record<string, AxisValue>>;
}

/** More colours than these cannot be told apart. */
const COLORS_MAX = 10;
/** More panels than these would be too small. */
const FACETS_MAX = 6;
/** Panels need this share of all combinations measured; with less, most of them would be empty. */
const FILLED_SHARE = 0.5;

/**
 * Gives each axis of a sweep its part in a chart. The numeric axis with most values gets the place
 * (without one, the text axis with most values), the next one the colour, the third one panels. A
 * sweep that moves one axis at a time would leave most panels empty: there, all further axes share
 * the colour. What is too much for one chart is held at the value that most points have.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { axisRoles } from "./axis_roles.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const rows = [1, 4].flatMap((portCount) =>
 *   summarize([{ ...sampleRecord, point: { portCount, waiting: "park" }, pointId: `${portCount}` }])
 * );
 * const { place, constants } = axisRoles(rows);
 * if (place !== "portCount" || constants.waiting !== "park") throw new Error("ports vary");
 * ```
 */
export function axisRoles(rows: readonly PointSummary[]): AxisRoles {
  const [place, ...others] = varyingAxes(rows);
  const constants = constantsOf(rows);
  if (place === undefined) return { rows, colors: [], constants };
  const [color, facet] = others;
  if (others.length === 2 && isFilled(rows, [place, color!, facet!])) {
    return { rows, place, colors: [color!], facet: facet!, constants };
  }
  if (combinationCount(rows, others) <= COLORS_MAX) {
    return { rows, place, colors: others, constants };
  }
  return axisRoles(heldAtUsual(rows, others.at(-1)!));
}

/** The axes with several values: first the one for the place, then those with most values. */
function varyingAxes(rows: readonly PointSummary[]): string[] {
  const varying = Object.keys(rows[0]?.point ?? {})
    .filter((axis) => valuesOf(rows, axis).length > 1)
    .toSorted((left, right) => valuesOf(rows, right).length - valuesOf(rows, left).length);
  const place = varying.find((axis) => isNumeric(rows, axis)) ?? varying[0];
  return varying.toSorted((left, right) => Number(right === place) - Number(left === place));
}

function constantsOf(rows: readonly PointSummary[]): Record<string, AxisValue> {
  return Object.fromEntries(
    Object.entries(rows[0]?.point ?? {}).filter(([axis]) => valuesOf(rows, axis).length === 1),
  );
}

/** Whether panels for the values of the last axis would show most of what they have room for. */
function isFilled(rows: readonly PointSummary[], axes: readonly string[]): boolean {
  const counts = axes.map((axis) => valuesOf(rows, axis).length);
  const room = counts.reduce((product, count) => product * count, 1);
  return counts.at(-1)! <= FACETS_MAX && counts[1]! <= COLORS_MAX &&
    rows.length >= FILLED_SHARE * room;
}

function combinationCount(rows: readonly PointSummary[], axes: readonly string[]): number {
  return new Set(rows.map(({ point }) => axes.map((axis) => point[axis]).join())).size;
}

/** The points with the most frequent value of the axis; the smallest of several such values. */
function heldAtUsual(rows: readonly PointSummary[], axis: string): PointSummary[] {
  const byValue = Map.groupBy(rows, ({ point }) => point[axis]!);
  return valuesOf(rows, axis).map((value) => byValue.get(value)!)
    .reduce((most, some) => some.length > most.length ? some : most);
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
