import { median, medianAbsoluteDeviation } from "simple-statistics";
import {
  type Comparison,
  type Difference,
  verdictOf,
} from "../../../results/statistics/compare.ts";
import { modesOf } from "../../../results/statistics/modes.ts";
import type { Interval } from "../../../results/statistics/interval.ts";
import { pairedRatios } from "../../../results/statistics/ratio.ts";
import { medianSequence, surestCount } from "../../../results/statistics/sequence.ts";
import { lowOf, secondsPerCall } from "../../../results/statistics/summary.ts";
import { percentText, type RunRecord } from "../../record/record.ts";

/**
 * What is measured in each round: the code before and now, the code before once more, and the code before
 * with a known share of further work. The last two judge the measurement.
 */
export const ARMS = ["before", "now", "again", "slowed"] as const;
/** One of {@linkcode ARMS}. */
export type Arm = typeof ARMS[number];

/** The records of a round of a point. */
export type ArmRecords = Readonly<Record<Arm, RunRecord>>;

/** How sure a verdict has to be, and of what. */
export interface JudgeOptions {
  /** How often no point has an alarm when nothing has changed, 0 to 1. */
  readonly confidence: number;
  readonly pointCount: number;
  readonly sameWithin: number;
  /** The share of work that was put in. */
  readonly putInShare: number;
}

/** What rounds say about a point, so far. */
export interface Judged extends Pick<Comparison, "verdict" | "reason" | "ratio"> {
  /** Seconds a call before and now: the medians of the rounds. */
  readonly seconds: Readonly<Record<"before" | "now", number>>;
  /** A low quantile of the samples now in that before: what a call takes when nothing disturbs it. */
  readonly lowRatio: number;
  readonly roundCount: number;
  /** Rounds in which the processors moved apart or together before the code now was measured. */
  readonly movedCount: number;
  /** The code before in itself, and with the work that was put in: what is known is to be found. */
  readonly again: Interval;
  readonly slowed: Interval;
  /** In what the ratios are. */
  readonly unit: Unit;
  /** Why the measurement is not to be trusted; absent when it is. */
  readonly doubt?: string;
}

/**
 * Judges a point by pairs: in each round, each arm in that of the code before, seconds later in another
 * process. The range is one that may be looked at after each round ({@linkcode medianSequence}); the
 * point is judged only where the code before is no other than itself, and where the work that was put in
 * is found.
 *
 * @param rounds one at least, in the order taken
 */
export function judgeRounds(rounds: readonly ArmRecords[], options: JudgeOptions): Judged {
  const unit = unitOf(rounds, options);
  const ratios = (["now", "again", "slowed"] as const).map((arm) => ratiosOf(rounds, arm, unit));
  const [ratio, again, slowed] = ratios.map((some) => ratioOf(some, options)) as [
    ...[Interval, Interval, Interval],
  ];
  const { putInShare, sameWithin } = options;
  const doubt = doubtOf({ again, slowed }, putInShare);
  const found = doubt === undefined ? verdictOf(ratio, sameWithin) : "undecided";
  // The lowest samples may be the same where the others are not.
  const verdict = found === "same" && unit === "low" ? "undecided" : found;
  return {
    verdict,
    ...(verdict === "undecided" && { reason: doubt ?? reasonOf(found) }),
    ...{ ratio, again, slowed, unit },
    ...(doubt !== undefined && { doubt }),
    seconds: {
      before: median(rounds.map(({ before }) => inSeconds(before))),
      now: median(rounds.map(({ now }) => inSeconds(now))),
    },
    lowRatio: median(rounds.map(({ before, now }) => lowSecondsOf(now) / lowSecondsOf(before))),
    roundCount: rounds.length,
    movedCount: rounds.length - ratios[0]!.length,
  };
}

function reasonOf(found: Difference): string {
  return found === "same" ? "only the lowest samples are the same" : "the rounds lie too far apart";
}

/**
 * In what a call is taken: the median of its seconds; of the floors of the same moment in the same process;
 * or a low quantile of its seconds, which other programs disturb least.
 */
export type Unit = "seconds" | "floors" | "low";

/** Of the rounds that count: but for floors, those in which both have the floor of one mode. */
function ratiosOf(rounds: readonly ArmRecords[], arm: Arm, unit: Unit): number[] {
  const figureOf = { seconds: inSeconds, floors: inFloors, low: lowSecondsOf }[unit];
  return rounds.filter((round) => unit === "floors" || !hasMoved([round[arm], round.before]))
    .map((round) => figureOf(round[arm]) / figureOf(round.before));
}

/** Another unit must make the code before this much more alike to itself. */
const UNIT_GAIN = 0.8;

/**
 * The unit in which the code before and the same code again are most alike: what is judged has no part in
 * the choice. No floors where there are none, or where they differ themselves.
 */
function unitOf(rounds: readonly ArmRecords[], options: JudgeOptions): Unit {
  const units: readonly Unit[] = isFloorSame(rounds, options) ? ["floors", "low"] : ["low"];
  const spreads = units.map((unit) => ({ unit, spread: spreadOf(rounds, unit) / UNIT_GAIN }));
  const [best] = [{ unit: "seconds" as Unit, spread: spreadOf(rounds, "seconds") }, ...spreads]
    .sort((left, right) => left.spread - right.spread);
  return best!.unit;
}

/** Of the logarithms of the code before in itself; infinite where half of the rounds do not count. */
function spreadOf(rounds: readonly ArmRecords[], unit: Unit): number {
  const ratios = ratiosOf(rounds, "again", unit);
  return 2 * ratios.length < rounds.length
    ? Infinity
    : medianAbsoluteDeviation(ratios.map(Math.log));
}

function isFloorSame(rounds: readonly ArmRecords[], options: JudgeOptions): boolean {
  const hasFloors = rounds.every((round) =>
    Object.values(round).every(({ controlSeconds }) => controlSeconds.length > 0)
  );
  if (!hasFloors) return false;
  const floorOf = ({ controlSeconds }: RunRecord) => median([...controlSeconds]);
  const { lo, hi } = ratioOf(
    rounds.map(({ now, before }) => floorOf(now) / floorOf(before)),
    options,
  );
  return lo <= 1 && 1 <= hi;
}

/** Rounds that decide at least, were all of them on one side. */
export function roundsLeast(
  { confidence, pointCount }: Pick<JudgeOptions, "confidence" | "pointCount">,
): number {
  return surestCount((1 - confidence) / 2 / pointCount);
}

function inSeconds(record: RunRecord): number {
  return median([...secondsPerCall(record)]);
}

function lowSecondsOf(record: RunRecord): number {
  return lowOf(secondsPerCall(record));
}

function inFloors({ latencySeconds, controlSeconds }: RunRecord): number {
  return median(pairedRatios(latencySeconds, controlSeconds));
}

function hasMoved(records: readonly RunRecord[]): boolean {
  const floors = records.flatMap(({ controlSeconds }) =>
    controlSeconds.length === 0 ? [] : median([...controlSeconds])
  );
  return modesOf(floors).some((mode) => mode > 0);
}

function ratioOf(
  ratios: readonly number[],
  { confidence, pointCount }: JudgeOptions,
): Interval {
  if (ratios.length === 0) return { center: 1, lo: 0, hi: Infinity, confidence: 0, warnings: [] };
  const { lo, hi } = medianSequence(ratios.map(Math.log), (1 - confidence) / 2 / pointCount);
  const isKnown = lo > -Infinity || hi < Infinity;
  return {
    center: median([...ratios]),
    lo: Math.exp(lo),
    hi: Math.exp(hi),
    confidence: isKnown ? confidence : 0,
    warnings: [],
  };
}

function doubtOf(
  { again, slowed }: Pick<Judged, "again" | "slowed">,
  putInShare: number,
): string | undefined {
  if (again.lo > 1 || again.hi < 1) return "not judged, as the code before differs from itself";
  const percent = percentText(putInShare);
  if (slowed.lo <= 1) return `not judged, as ${percent} of work put in were not found`;
  if (slowed.lo <= 1 + 2 * putInShare) return undefined;
  return `not judged, as ${percent} of work put in were taken for more than twice as much`;
}
