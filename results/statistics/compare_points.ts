import type { AxisValue, Point } from "../../scenarios/axis.ts";

/**
 * The order of two values of an axis: numbers by size, texts by letters.
 *
 * @returns less than 0 when `left` comes first, 0 for the same value
 */
export function compareValues(left: AxisValue, right: AxisValue): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The order of rows: by scenario, then axis by axis. */
export function compareRows(left: Row, right: Row): number {
  return left.scenario.localeCompare(right.scenario) || comparePoints(left.point, right.point);
}

interface Row {
  readonly scenario: string;
  readonly point: Point;
}

/**
 * The order of two points of a scenario, axis by axis.
 *
 * @param options `axes` are compared, first things first; those of `left` when absent
 * @returns less than 0 when `left` comes first, 0 when they are alike in these axes
 */
export function comparePoints(
  left: Point,
  right: Point,
  { axes = Object.keys(left) }: { readonly axes?: readonly string[] } = {},
): number {
  const differing = axes.find((axis) => left[axis] !== right[axis]);
  return differing === undefined ? 0 : compareValues(left[differing]!, right[differing]!);
}
