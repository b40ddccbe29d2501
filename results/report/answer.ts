import { median } from "simple-statistics";
// @ts-types="../statistics/jstat.d.ts"
import jStat from "jstat";
import { durationText, type RunRecord, threeDigits } from "../../bench/record/record.ts";
import { placeId } from "../../bench/record/merge_records.ts";
import type { AxisValue, Point } from "../../scenarios/axis.ts";
import { pointText, wordsOf } from "../charts/panel/chart_plans.ts";
import { comparePoints } from "../statistics/compare_points.ts";
import type { Interval } from "../statistics/interval.ts";
import { overRounds, ROUNDS_MIN } from "../statistics/over_rounds.ts";
import { type PointSummary, secondsPerCall, summarize } from "../statistics/summary.ts";
import { type TargetFigure, targetFigures } from "./judge_targets.ts";
import { questionOrder } from "./question_order.ts";
import { rangedText } from "./table.ts";

/** What is fastest at one combination of the axes that are not compared. */
export interface Winner {
  /** The values of the other axes; empty where there is no other. */
  readonly at: Point;
  /** The value of the compared axis with the least time. */
  readonly way: AxisValue;
  /** How many times faster it is than each other value, that next to it first. */
  readonly timesFasterThan: ReadonlyMap<AxisValue, Interval>;
  /** How likely the rounds would agree on a value as much as they do if no value were faster. */
  readonly chance: number;
  /** Whether it is faster than all others, by intervals of enough rounds, and of all places at once. */
  readonly isSure: boolean;
}

/**
 * Which value of the compared axis is fastest, at each combination of the others. A ratio is that of two
 * medians of one round, so that what slows a round down slows both; its interval goes by the rounds
 * that have both. Times are taken in the floor of the same moment where all points have the same floor.
 *
 * Many places are many chances to be wrong, so what an interval says of a place counts as sure where, of the
 * places of which that is said, one in ten at most would be wrong (Y. Benjamini and Y. Hochberg, Controlling
 * the false discovery rate, 1995).
 *
 * @param records of one run
 * @param scenario the name of one that compares
 * @returns nothing for a scenario that compares nothing, or of which one value was measured
 */
export function winnersOf(records: readonly RunRecord[], scenario: string): Winner[] {
  const own = records.filter((record) => record.scenario === scenario);
  const compares = own[0]?.compares;
  if (compares === undefined) return [];
  // Seconds of two machines say nothing about each other.
  const places = Map.groupBy(
    own,
    (record) => JSON.stringify([othersOf(record.point, compares), placeId(record)]),
  );
  const winners = [...places.values()].flatMap((rounds) => winnerAt(rounds, compares) ?? [])
    .toSorted((left, right) => comparePoints(left.at, right.at));
  const chances = winners.map(({ chance }) => chance).toSorted((left, right) => left - right);
  const isFew = (chance: number, at: number) => chance <= WRONG_SHARE * (at + 1) / chances.length;
  const limit = chances.findLast(isFew) ?? 0;
  return winners.map((one) => ({ ...one, isSure: one.isSure && one.chance <= limit }));
}

/** Of the places of which a winner is told. */
const WRONG_SHARE = 0.1;

function othersOf(point: Point, compares: string): Point {
  return Object.fromEntries(Object.entries(point).filter(([axis]) => axis !== compares));
}

function winnerAt(records: readonly RunRecord[], compares: string): Winner | undefined {
  const ways = [...Map.groupBy(records, ({ point }) => point[compares]!)]
    .map(([way, rounds]) => ({ way, times: timesByRound(rounds) }))
    .toSorted((left, right) => center(left.times) - center(right.times));
  const [best, ...others] = ways;
  const pairs = others.flatMap(({ way, times }) => {
    const rounds = [...times.keys()].filter((round) => best!.times.has(round));
    const each = rounds.map((round) => times.get(round)! / best!.times.get(round)!);
    return each.length === 0 ? [] : [{ way, each }];
  });
  const ratios = pairs.map(({ way, each }) =>
    [way, overRounds(each.map((ratio) => [ratio]))] as const
  );
  if (ratios.length === 0) return undefined;
  return {
    at: othersOf(records[0]!.point, compares),
    way: best!.way,
    timesFasterThan: new Map(ratios),
    chance: Math.max(...pairs.map(({ each }) => signChance(each))),
    isSure: ratios.every(([, ratio]) => isKnown(ratio) && ratio.lo > 1),
  };
}

/** How likely as few ratios, or fewer, lie on the rarer side of 1 where either side is as likely. */
function signChance(ratios: readonly number[]): number {
  const count = ratios.length;
  const slower = ratios.filter((ratio) => ratio > 1).length;
  return Math.min(1, 2 * jStat.binomial.cdf(Math.min(slower, count - slower), count, 0.5));
}

function center(times: ReadonlyMap<number, number>): number {
  return median([...times.values()]);
}

/** The typical time of each round: in seconds, or in a floor that is the same at all points. */
function timesByRound(records: readonly RunRecord[]): Map<number, number> {
  return new Map(records.map((record) => {
    const seconds = median([...secondsPerCall(record)]);
    const { controlSeconds: floor, hasFixedFloor } = record;
    return [
      record.round,
      hasFixedFloor && floor.length > 0 ? seconds / median([...floor]) : seconds,
    ];
  }));
}

/** What {@linkcode overRounds} warrants from {@linkcode ROUNDS_MIN} rounds on. */
const SURE_CONFIDENCE = 1 - 2 ** (1 - ROUNDS_MIN);

function isKnown({ confidence }: Interval): boolean {
  return confidence >= SURE_CONFIDENCE;
}

/**
 * What a run answers to the question of a scenario, in a sentence with its interval: which of the
 * compared values is fastest where; what was counted, where the scenario has a target of that; else what a
 * call costs, in the reference or the floor where there is one.
 *
 * @param records of one run
 * @param scenario the name of one that it measured
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { answerText } from "./answer.ts";
 * const text = answerText([sampleRecord], "round_trip");
 * if (!text.startsWith("A call takes 201 ns")) throw new Error(text);
 * ```
 */
export function answerText(records: readonly RunRecord[], scenario: string): string {
  const winners = winnersOf(records, scenario);
  if (winners.length > 0) return winnersText(winners);
  const rows = summarize(records.filter((record) => record.scenario === scenario));
  return countText(rows) ?? costText(rows);
}

/** {@linkcode answerText} of each scenario of a run, by its name; the main question first. */
export function answersOf(records: readonly RunRecord[]): ReadonlyMap<string, string> {
  const names = questionOrder(summarize(records));
  return new Map(names.map((name) => [name, answerText(records, name)]));
}

/** Which value is fastest where, in a sentence. */
export function winnersText(winners: readonly Winner[]): string {
  if (winners.length === 1) return oneText(winners[0]!);
  const sure = Map.groupBy(winners.filter(({ isSure }) => isSure), ({ way }) => way);
  const parts = [...sure].toSorted(([, left], [, right]) => right.length - left.length)
    .map(([way, some]) => `${way} is fastest ${whereText(some, winners)}, ${spanText(some)}`);
  const unsure = winners.filter(({ isSure }) => !isSure);
  if (unsure.length === 0) return parts.join("; ");
  const next = unsure.map(({ timesFasterThan: [first] }) => first![1]);
  const isFew = next.every((ratio) => !isKnown(ratio));
  const whys = isFew ? [`fewer than ${ROUNDS_MIN} rounds`] : [
    ...next.some(({ lo }) => lo <= 1) ? ["the intervals hold 1"] : [],
    ...next.some(({ lo }) => lo > 1) ? ["too few rounds for so many points"] : [],
  ];
  const none = `no value is surely fastest ${whereText(unsure, winners)} (${whys.join(", or ")})`;
  return upperFirst([...parts, none].join("; "));
}

function upperFirst(text: string): string {
  return text.startsWith("no value") ? `N${text.slice(1)}` : text;
}

/** Others of a sentence at most. */
const OTHERS_MAX = 3;

function oneText({ way, timesFasterThan, isSure }: Winner): string {
  const ratios = [...timesFasterThan].slice(0, OTHERS_MAX);
  const text = ratios.map(([other, ratio]) => `${ratioText(ratio)} times faster than ${other}`)
    .join(", ").replace(/, ([^,]*)$/, " and $1");
  if (isSure) return `${way} is ${text}`;
  const [[other, ratio]] = ratios as [[AxisValue, Interval]];
  if (isKnown(ratio)) {
    return `No difference found between ${way} and ${other}: a ratio of ${ratioText(ratio)}`;
  }
  return `${way} was ${text}, in fewer than ${ROUNDS_MIN} rounds: too few to be sure`;
}

/** `6.6 (5.5 to 7.1)`. */
function ratioText(ratio: Interval): string {
  return rangedText(ratio, shortNumber);
}

/** Two digits tell how far two ways lie apart; near 1, the third is the difference. */
export function shortNumber(value: number): string {
  return value >= 2 && value < 99.5 ? value.toPrecision(2) : threeDigits(value);
}

/** Places of a sentence at most. */
const PLACES_MAX = 2;

function whereText(some: readonly Winner[], all: readonly Winner[]): string {
  if (some.length === all.length) return `at all ${all.length} points`;
  const places = some.map(({ at }) => pointText(at));
  return places.length <= PLACES_MAX
    ? `at ${places.join(" and at ")}`
    : `at ${some.length} of ${all.length} points`;
}

function spanText(winners: readonly Winner[]): string {
  const next = winners.map(({ timesFasterThan: [first] }) => first!);
  const than = new Set(next.map(([way]) => way));
  const ratios = next.map(([, ratio]) => ratio).toSorted((left, right) =>
    left.center - right.center
  );
  const other = than.size === 1 ? [...than][0] : "the next";
  const span = [...new Set([ratios[0]!, ratios.at(-1)!].map(ratioText))].join(" to ");
  return `${span} times faster than ${other}`;
}

/** At which points something was seen, where a target says how often it is to be; `undefined` without one. */
function countText(rows: readonly PointSummary[]): string | undefined {
  const target = rows[0]?.targets.find(({ figure }) => figure.kind === "counted");
  if (!target) return undefined;
  const figures = targetFigures(target, rows);
  const [seen, unseen] = [true, false].map((wanted) =>
    figures.filter(({ interval }) => interval.center > 0 === wanted)
  ) as [TargetFigure[], TargetFigure[]];
  if (seen.length === 0) return `No ${target.text} at any of ${figures.length} points`;
  const text =
    `${target.text.replace(/^./, (first) => first.toUpperCase())} at ${seen.length} of ` +
    `${figures.length} points`;
  const places = target.bound === "at least"
    ? unseen.map(({ pointId }) => pointId)
    : seen.map(({ pointId, interval }) => `${pointId} (${interval.center})`);
  if (places.length === 0) return text;
  return `${text}${target.bound === "at least" ? "; none at" : ":"} ${places.join(", ")}`;
}

/** What is told of a cost: the figure of a row, and how it reads. */
interface Cost {
  readonly intervalOf: (row: PointSummary) => Interval | undefined;
  readonly textOf: (value: number) => string;
  readonly sentence: (figure: string) => string;
}

function costsOf({ mainReference, control, scenario }: PointSummary): Cost[] {
  const reference = mainReference ?? "";
  return [
    {
      intervalOf: ({ timesFasterThan }) => timesFasterThan[reference],
      textOf: shortNumber,
      sentence: (figure) => `A call is ${figure} times as fast as ${wordsOf(reference)}`,
    },
    {
      intervalOf: (row) => control === scenario ? undefined : row.ratioToControl,
      textOf: shortNumber,
      sentence: (figure) =>
        `A call takes ${figure} times as long as its floor, ${wordsOf(control!)}`,
    },
  ];
}

function costText(rows: readonly PointSummary[]): string {
  const seconds: Cost = {
    intervalOf: (row) => row.latencySeconds,
    textOf: durationText,
    sentence: (figure) => `A call takes ${figure}`,
  };
  const ratio = costsOf(rows[0]!).find((cost) => rows.every((row) => cost.intervalOf(row)));
  const sentences = [seconds, ...ratio ? [ratio] : []].map((cost) => sentenceOf(rows, cost));
  return sentences.join("; ").replace(/; A call/g, "; it");
}

function sentenceOf(rows: readonly PointSummary[], { intervalOf, textOf, sentence }: Cost): string {
  const textAt = (row: PointSummary) => rangedText(intervalOf(row)!, textOf);
  const sorted = rows.toSorted((left, right) =>
    intervalOf(left)!.center - intervalOf(right)!.center
  );
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  if (least === most) return sentence(textAt(least));
  return sentence(`${textAt(least)} to ${textAt(most)}`);
}
