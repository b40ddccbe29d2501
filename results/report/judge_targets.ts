import { SHARED_CORE_SECONDS } from "../../bench/sample/sample_warnings.ts";
import { threeDigits } from "../../bench/record/record.ts";
import type { Figure, Target, Where } from "../../scenarios/scenario.ts";
import type { Interval } from "../statistics/interval.ts";
import { ROUNDS_MIN } from "../statistics/over_rounds.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { rangedText } from "./table.ts";
import { geometricMean } from "simple-statistics";
import { inverse, quotient } from "../statistics/ratio.ts";

/**
 * `undecided`: the limit lies inside the interval. `unreliable`: a floor behind the figure was not
 * that of two cores, so that the figure says nothing of the protocol. `not measured`: the scenario
 * was swept, but at no point that the target is about.
 */
export type TargetVerdict = "reached" | "missed" | "undecided" | "unreliable" | "not measured";

/** What a run says about a target. */
export interface Judgement {
  /** The name of the scenario whose target it is. */
  readonly scenario: string;
  /** What was to be reached. */
  readonly target: Target;
  /** Whether it was, at the worst of its points. */
  readonly verdict: TargetVerdict;
  /** The figure at the worst of the points; absent when none was measured. */
  readonly figure?: Interval;
  /** The id of that point. */
  readonly pointId?: string;
  /** Points that the target is about and that have a figure. */
  readonly pointCount: number;
  /** The fewest rounds behind the times in the figure; absent when it is not made of times. */
  readonly roundCount?: number;
}

/** The worst verdict first: a target that is missed at one point is missed. */
export const WORST_FIRST: readonly TargetVerdict[] = [
  ...["missed", "undecided", "unreliable", "reached", "not measured"] as const,
];

/**
 * Whether a run reached the targets that its records carry, by the intervals and not by their centres.
 *
 * @returns nothing of a scenario that the run has no point of
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { judgeTargets } from "./judge_targets.ts";
 * const [oneCall, manyPorts] = judgeTargets(summarize([sampleRecord]));
 * if (oneCall?.verdict !== "missed") throw new Error("twice the floor is over 1.6");
 * if (manyPorts?.verdict !== "not measured") throw new Error("there is one point only");
 * ```
 */
export function judgeTargets(rows: readonly PointSummary[]): Judgement[] {
  const sorted = rows.toSorted((left, right) => left.scenario.localeCompare(right.scenario));
  return [...Map.groupBy(sorted, ({ scenario }) => scenario).values()].flatMap((own) => {
    const targets = own.flatMap((row) => row.targets);
    const distinct = new Map(targets.map((target) => [JSON.stringify(target), target]));
    return [...distinct.values()].map((target) => judge(target, own));
  });
}

function judge(target: Target, rows: readonly PointSummary[]): Judgement {
  const judged = targetFigures(target, rows).map((one) => ({
    verdict: one.timedRows.every(isReliable) ? verdictOf(target, one) : "unreliable" as const,
    figure: one.interval,
    pointId: one.pointId,
    ...(one.timedRows.length > 0 && {
      roundCount: Math.min(...one.timedRows.map(({ roundCount }) => roundCount)),
    }),
  }));
  const sign = target.bound === "at most" ? 1 : -1;
  const [worst] = judged.sort((left, right) =>
    WORST_FIRST.indexOf(left.verdict) - WORST_FIRST.indexOf(right.verdict) ||
    sign * (right.figure.center - left.figure.center)
  );
  const { scenario } = rows[0]!;
  return { scenario, target, pointCount: judged.length, ...worst ?? { verdict: "not measured" } };
}

function verdictOf(target: Target, { interval }: TargetFigure): TargetVerdict {
  const { lo, hi } = interval;
  const [best, worst] = target.bound === "at most" ? [lo, hi] : [-hi, -lo];
  const limit = target.bound === "at most" ? target.limit : -target.limit;
  return worst <= limit ? "reached" : best > limit ? "missed" : "undecided";
}

/** A floor that is no exchange of two threads may take as long as it likes. */
function isReliable({ hasPairFloor, controlSeconds }: PointSummary): boolean {
  return !hasPairFloor || controlSeconds === undefined || controlSeconds.hi <= SHARED_CORE_SECONDS;
}

/**
 * A line for each target of each scenario that the run has points of.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { targetsText } from "./judge_targets.ts";
 * if (!targetsText(summarize([sampleRecord])).includes("wanted at most 1.6")) throw new Error("1.6");
 * ```
 */
export function targetsText(rows: readonly PointSummary[]): string {
  return judgeTargets(rows).map(lineOf).join("\n");
}

function lineOf(judgement: Judgement): string {
  const { target, verdict, figure } = judgement;
  const measured = figure && `${rangedText(figure, threeDigits)}, `;
  return `${verdict.padEnd(12)}  ${target.text}: ${measured ?? ""}${wantedText(judgement)}`;
}

/** What was wanted of a figure, and why the figure may say less than it seems to. */
export function wantedText({ target, pointId, pointCount, roundCount }: Judgement): string {
  const place = pointCount > 1 ? `; the worst of ${pointCount} points, ${pointId}` : "";
  const doubt = roundCount !== undefined && roundCount < ROUNDS_MIN
    ? `; too few rounds to be sure: ${roundCount}`
    : "";
  return `wanted ${target.bound} ${target.limit}${place}${doubt}`;
}

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
  if (figure.kind === "heapGrowth") return counted(row, row.heapGrowthBytesPerCall);
  if (figure.kind === "counted") return counted(row, row.counts?.[figure.count]);
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
function counted({ pointId }: PointSummary, center: number | undefined): TargetFigure[] {
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
