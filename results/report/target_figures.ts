import type { Figure, Target, Where } from "../../scenarios/target.ts";
import type { Interval } from "../statistics/interval.ts";
import { quotient } from "../statistics/ratio.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** The figure of a target at one of the points that the target is about. */
export interface TargetFigure {
  readonly interval: Interval;
  readonly pointId: string;
  /** The points whose times are in the figure; none when it is not made of times. */
  readonly timedRows: readonly PointSummary[];
}

/**
 * The figures that a target judges: one for each point of the run that it is about.
 *
 * @param rows of the scenario that has the target
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { roundTrip } from "../../scenarios/worker/round_trip.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { targetFigures } from "./target_figures.ts";
 * const [oneCall] = roundTrip.targets!;
 * const [only] = targetFigures(oneCall!, summarize([sampleRecord]));
 * if (only?.interval.center.toFixed(2) !== "2.00") throw new Error("twice the floor");
 * ```
 */
export function targetFigures(target: Target, rows: readonly PointSummary[]): TargetFigure[] {
  return rows.filter((row) => isAt(row, target.where)).flatMap((row) =>
    figureAt(row, { figure: target.figure, rows })
  );
}

function isAt({ point }: PointSummary, where: Where): boolean {
  return Object.entries(where).every(([axis, value]) => point[axis] === value);
}

function figureAt(
  row: PointSummary,
  { figure, rows }: { readonly figure: Figure; readonly rows: readonly PointSummary[] },
): TargetFigure[] {
  if (figure.kind === "heapGrowth") return counted(row);
  if (figure.kind === "timesFloor") return timed(row.ratioToControl, [row]);
  if (figure.kind === "timesFasterThan") return timed(row.timesFasterThan[figure.reference], [row]);
  const wanted = { ...row.point, ...figure.point };
  const other = rows.find((one) => isAt(one, wanted));
  if (other === undefined || other === row) return [];
  const interval = figure.kind === "timesPoint"
    ? timesOther(row, other)
    : quotient(other.latencySeconds, row.latencySeconds);
  return timed(interval, [row, other]);
}

function timed(interval: Interval | undefined, rows: readonly PointSummary[]): TargetFigure[] {
  return interval ? [{ interval, pointId: rows[0]!.pointId, timedRows: rows }] : [];
}

/** Counted over very many calls, not sampled: the interval has no width. */
function counted({ heapGrowthBytesPerCall: center, pointId }: PointSummary): TargetFigure[] {
  if (center === undefined) return [];
  const interval = { center, lo: center, hi: center, confidence: 1, warnings: [] };
  return [{ interval, pointId, timedRows: [] }];
}

/**
 * The two points were measured at different moments. In seconds, their ratio is wrong when the floor
 * has moved in between; in floors, it is wrong by the part of a call that does not move with the
 * floor. The interval holds both ratios: it is narrow when the floor stood still, and so wide that it
 * decides nothing when it did not.
 */
function timesOther(row: PointSummary, other: PointSummary): Interval | undefined {
  if (!row.ratioToControl || !other.ratioToControl) return undefined;
  const byFloors = quotient(row.ratioToControl, other.ratioToControl);
  const bySeconds = quotient(row.latencySeconds, other.latencySeconds);
  const lo = Math.min(byFloors.lo, bySeconds.lo);
  const hi = Math.max(byFloors.hi, bySeconds.hi);
  return { ...byFloors, lo, hi };
}
