import { type RunRecord, threeDigits } from "../../bench/record/record.ts";
import type { Where } from "../../scenarios/scenario.ts";
import { type Difference, verdictOf } from "../statistics/compare.ts";
import type { Interval } from "../statistics/interval.ts";
import { overRounds } from "../statistics/over_rounds.ts";
import { pairedRatios, quotient } from "../statistics/ratio.ts";
import { secondsPerCall } from "../statistics/summary.ts";
import { rangedText } from "./table.ts";

/** Two points of a scenario, by the axes that are meant. */
export interface FoundBetween {
  /** The name of the scenario. */
  readonly scenario: string;
  /** What both have in common; nothing when absent. */
  readonly at?: Where;
  /** What is compared with. */
  readonly baseline: Where;
  /** What is compared. */
  readonly candidate: Where;
  /**
   * In what both times are taken: the floor when absent, else the reference of that name, or `seconds`
   * for calls that mostly sleep, which the speed of the machine does not change.
   */
  readonly unit?: string;
}

/** What two points of a run say about each other. */
export interface Finding {
  /** How the candidate differs from the baseline. */
  readonly verdict: Difference;
  /** The candidate's time in the baseline's. */
  readonly ratio: Interval;
}

/** Two points are the same when they surely differ by less than this share. */
const SAME_WITHIN = 0.05;
const VERDICTS: Readonly<Record<Difference, string>> = {
  faster: "faster",
  slower: "slower",
  same: "the same within 5 %",
  undecided: "no difference found",
};

/**
 * Compares two points of a run: each time is taken in that of a control of the same moment, since the
 * points were not measured at the same one. The interval is as wide as those of both points allow, which
 * go by the order of their rounds, so that a round in which the machine was busy does not move it.
 *
 * @throws {RangeError} when the run has none, or more than one point for a side, or no such control
 */
export function compareAt(records: readonly RunRecord[], between: FoundBetween): Finding {
  const { scenario, at, unit } = between;
  const [baseline, candidate] = [between.baseline, between.candidate].map((where) =>
    overRounds(
      roundsAt(records, { scenario, where: { ...at, ...where } })
        .map((record) => inControls(record, unit)),
    )
  );
  const ratio = quotient(candidate!, baseline!);
  return { ratio, verdict: ratio.confidence === 0 ? "undecided" : verdictOf(ratio, SAME_WITHIN) };
}

/**
 * The same as a sentence, with its interval: what a reader may quote, computed from the records.
 *
 * @throws as {@linkcode compareAt}
 */
export function findingText(records: readonly RunRecord[], between: FoundBetween): string {
  const { ratio, verdict } = compareAt(records, between);
  const { at = {}, baseline, candidate } = between;
  const place = Object.keys(at).length === 0 ? "" : `${whereText(at)}: `;
  return `${place}${whereText(candidate)} takes ${
    rangedText(ratio, threeDigits)
  } times as long as ${whereText(baseline)}: ${VERDICTS[verdict]}`;
}

function whereText(where: Where): string {
  return Object.entries(where).map(([axis, value]) => `${axis} ${value}`).join(", ");
}

function roundsAt(
  records: readonly RunRecord[],
  { scenario, where }: { readonly scenario: string; readonly where: Where },
): RunRecord[] {
  const rounds = records.filter((record) =>
    record.scenario === scenario &&
    Object.entries(where).every(([axis, value]) => record.point[axis] === value)
  );
  const pointCount = new Set(rounds.map(({ pointId }) => pointId)).size;
  if (pointCount === 1) return rounds;
  throw new RangeError(
    `Cannot compare as there must be one point of ${scenario} at ${
      whereText(where)
    }: current value is ${pointCount}`,
  );
}

function inControls(record: RunRecord, unit: string | undefined): number[] {
  const { latencySeconds, controlSeconds, control, references, pointId } = record;
  if (unit === "seconds") return [...secondsPerCall(record)];
  const seconds = unit === undefined ? controlSeconds : references[unit]?.latencySeconds ?? [];
  if (seconds.length > 0) return pairedRatios(latencySeconds, seconds);
  throw new RangeError(
    `Cannot compare ${pointId} as it has no samples of its control: ${unit ?? control}`,
  );
}
