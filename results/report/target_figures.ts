import { geometricMean } from "simple-statistics";
import type { Figure, Target, Where } from "../../scenarios/target.ts";
import type { Interval } from "../statistics/interval.ts";
import { inverse, quotient } from "../statistics/ratio.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** The figure of a target at one of the points that the target is about. */
export interface TargetFigure {
  readonly interval: Interval;
  /** The id of the point, or how many points a mean is of. */
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
  const { figure, where } = target;
  const own = rows.filter((row) => isAt(row, where));
  if (figure.kind === "meanTimesReference") return meanOf(own, figure);
  return own.flatMap((row) => figureAt(row, { figure, rows }));
}

/** The bounds are means of bounds, as if all points erred to the same side: wider than the truth. */
function meanOf(
  rows: readonly PointSummary[],
  { reference, pointCount }: Figure & { readonly kind: "meanTimesReference" },
): TargetFigure[] {
  const times = rows.flatMap(({ timesFasterThan }) => timesFasterThan[reference] ?? []).map(
    inverse,
  );
  if (times.length < pointCount) return [];
  const confidence = Math.min(...times.map((one) => one.confidence));
  const [center, lo, hi] = (["center", "lo", "hi"] as const).map((bound) =>
    geometricMean(times.map((one) => one[bound]))
  );
  const interval = { center: center!, lo: lo!, hi: hi!, confidence, warnings: [] };
  return [{ interval, pointId: `${times.length} points`, timedRows: rows }];
}

function isAt({ point }: PointSummary, where: Where): boolean {
  return Object.entries(where).every(([axis, value]) => point[axis] === value);
}

function figureAt(
  row: PointSummary,
  { figure, rows }: {
    readonly figure: Exclude<Figure, { kind: "meanTimesReference" }>;
    readonly rows: readonly PointSummary[];
  },
): TargetFigure[] {
  if (figure.kind === "heapGrowth") return counted(row);
  if (figure.kind === "callsPerSecond") return timed(row.callsPerSecond, [row]);
  if (figure.kind === "secondsOverFloor") return timed(overFloor(row), [row]);
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

/** Both may err to the side that is worse: wider than the truth, as they were sampled in turn. */
function overFloor({ latencySeconds, controlSeconds }: PointSummary): Interval | undefined {
  return controlSeconds && {
    center: latencySeconds.center - controlSeconds.center,
    lo: latencySeconds.lo - controlSeconds.hi,
    hi: latencySeconds.hi - controlSeconds.lo,
    confidence: Math.min(latencySeconds.confidence, controlSeconds.confidence),
    warnings: latencySeconds.warnings,
  };
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
