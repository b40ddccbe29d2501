import { verdictText } from "../../../results/report/compare_runs.ts";
import { aligned, rangeText } from "../../../results/report/table.ts";
import type { Interval } from "../../../results/statistics/interval.ts";
import { durationText, percentText } from "../../record/record.ts";
import { FAILED_EXIT, NO_INFORMATION_EXIT } from "../command_line.ts";
import type { Judged, JudgeOptions } from "./judge_rounds.ts";

/** A point by its name, with what was judged. */
export interface NamedJudged extends Judged {
  readonly name: string;
}

const HEADINGS = [
  ...["point", "rounds", "before", "now", "now / before", "range", "in", "low", "before again"],
  ...["put in", "verdict"],
];

/**
 * A table with a line for each point: the ratio in its range, that of the lowest tenth of the samples, and
 * what the two arms say whose truth is known. Below it, how sure that is.
 */
export function againstText(
  judged: readonly NamedJudged[],
  { confidence, sameWithin, putInShare }: JudgeOptions,
): string {
  const moved = judged.reduce((sum, { movedCount }) => sum + movedCount, 0);
  return [
    ...aligned([HEADINGS, ...judged.map((one) => cellsOf(one, sameWithin))], "padEnd"),
    "",
    `where nothing has changed, ${
      percentText(1 - confidence)
    } of such runs have a false alarm at most, ` +
    `however often they looked; the put-in share is ${percentText(putInShare)}`,
    ...moved === 0 ? [] : [
      `${moved} rounds do not count, as the floor had another mode before than now`,
    ],
  ].join("\n");
}

function cellsOf(one: NamedJudged, sameWithin: number): string[] {
  return [
    one.name,
    `${one.roundCount}`,
    durationText(one.seconds.before),
    durationText(one.seconds.now),
    factorText(one.ratio.center),
    rangeOf(one.ratio),
    one.unit,
    factorText(one.lowRatio),
    rangeOf(one.again),
    rangeOf(one.slowed),
    verdictText(one, sameWithin),
  ];
}

function rangeOf(interval: Interval): string {
  const isKnown = interval.lo > 0 && interval.hi < Infinity;
  return isKnown ? rangeText(interval, factorText) : "-";
}

/** With one digit more than other ratios: they lie near 1. */
function factorText(factor: number): string {
  return factor.toPrecision(4);
}

/** The line behind a run: what to do next. */
export function nextText(judged: readonly Judged[], code: number): string {
  if (code === FAILED_EXIT) {
    return "Next: it is slower; --filter and --axis say where, deno bench -A why";
  }
  if (code !== NO_INFORMATION_EXIT) return "Next: nothing is worse";
  const widest = Math.max(
    ...judged.map(({ slowed: { center, lo } }) => lo > 0 ? center / lo : Infinity),
  );
  return widest === Infinity
    ? "Next: too few rounds; give it a longer --budget, or fewer points"
    : `Next: this machine tells ${
      percentText(widest - 1)
    } apart now; give it a longer --budget, or ` +
      "a larger --put-in to look for larger changes only";
}
