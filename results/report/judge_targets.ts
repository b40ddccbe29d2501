import { SHARED_CORE_SECONDS } from "../../bench/sample/sample_warnings.ts";
import { threeDigits } from "../../bench/record/duration_text.ts";
import type { Target } from "../../scenarios/target.ts";
import type { Interval } from "../statistics/interval.ts";
import { ROUNDS_MIN } from "../statistics/over_rounds.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { rangeText } from "./table.ts";
import { type TargetFigure, targetFigures } from "./target_figures.ts";

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
const WORST_FIRST: readonly TargetVerdict[] = ["missed", "undecided", "unreliable", "reached"];

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

function lineOf({ target, verdict, figure, pointId, pointCount, roundCount }: Judgement): string {
  const { text, bound, limit } = target;
  const measured = figure && `${threeDigits(figure.center)} (${rangeText(figure, threeDigits)}), `;
  const place = pointCount > 1 ? `; the worst of ${pointCount} points, ${pointId}` : "";
  const doubt = roundCount !== undefined && roundCount < ROUNDS_MIN
    ? `; too few rounds to be sure: ${roundCount}`
    : "";
  return `${verdict.padEnd(12)}  ${text}: ${
    measured ?? ""
  }wanted ${bound} ${limit}${place}${doubt}`;
}
