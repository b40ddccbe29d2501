import { median, medianAbsoluteDeviation } from "simple-statistics";
import { type Comparison, verdictOf } from "../../../results/statistics/compare.ts";
import { modesOf } from "../../../results/statistics/modes.ts";
import type { Interval } from "../../../results/statistics/interval.ts";
import { pairedRatios } from "../../../results/statistics/ratio.ts";
import { medianSequence, surestCount } from "../../../results/statistics/sequence.ts";
import { lowOf, secondsPerCall } from "../../../results/statistics/summary.ts";
import type { RunRecord } from "../../record/record.ts";

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
  const verdict = doubt === undefined ? verdictOf(ratio, sameWithin) : "undecided";
  return {
    verdict,
    ...(verdict === "undecided" && { reason: doubt ?? "the rounds lie too far apart" }),
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

/** In what a call is taken: its seconds, or the floors of the same moment in the same process. */
export type Unit = "seconds" | "floors";

/** Of the rounds that count: in seconds, those in which both have the floor of one mode. */
function ratiosOf(rounds: readonly ArmRecords[], arm: Arm, unit: Unit): number[] {
  if (unit === "floors") {
    return rounds.map((round) => inFloors(round[arm]) / inFloors(round.before));
  }
  return rounds.filter((round) => !hasMoved([round[arm], round.before]))
    .map((round) => inSeconds(round[arm]) / inSeconds(round.before));
}

/** Floors must make the code before this much more alike to itself. */
const FLOORS_GAIN = 0.9;

/**
 * Floors where these take away what disturbs both, as the code before and the same code again tell: what is
 * judged has no part in the choice. Seconds where there is no floor, or where the floor itself differs.
 */
function unitOf(rounds: readonly ArmRecords[], options: JudgeOptions): Unit {
  const hasFloors = rounds.every((round) =>
    Object.values(round).every(({ controlSeconds }) => controlSeconds.length > 0)
  );
  if (rounds.length === 0 || !hasFloors) return "seconds";
  const floorOf = ({ controlSeconds }: RunRecord) => median([...controlSeconds]);
  const floor = ratioOf(rounds.map(({ now, before }) => floorOf(now) / floorOf(before)), options);
  if (floor.lo > 1 || floor.hi < 1) return "seconds";
  const [bySeconds, byFloors] = (["seconds", "floors"] as const)
    .map((unit) => ratiosOf(rounds, "again", unit).map(Math.log));
  if (2 * bySeconds!.length < rounds.length) return "floors";
  const gain = medianAbsoluteDeviation(byFloors!) / medianAbsoluteDeviation(bySeconds!);
  return gain < FLOORS_GAIN ? "floors" : "seconds";
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
  const percent = `${Number((100 * putInShare).toPrecision(3))} %`;
  if (slowed.lo <= 1) return `not judged, as ${percent} of work put in were not found`;
  if (slowed.lo <= 1 + 2 * putInShare) return undefined;
  return `not judged, as ${percent} of work put in were taken for more than twice as much`;
}
