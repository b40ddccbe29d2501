import { median } from "simple-statistics";
import type { Machine } from "../../bench/machine/machine.ts";
import {
  countText,
  durationText,
  percentText,
  pointName,
  type RunRecord,
  threeDigits,
} from "../../bench/record/record.ts";
import { checkPoolable } from "../../bench/record/merge_records.ts";
import type { Point } from "../../scenarios/axis.ts";
import {
  COMPARE_CONFIDENCE,
  type CompareOptions,
  compareRounds,
  type Comparison,
  type RoundFigures,
  SAME_WITHIN,
} from "../statistics/compare.ts";
import { compareRows } from "../statistics/compare_points.ts";
import { pairedRatios } from "../statistics/ratio.ts";
import { secondsPerCall } from "../statistics/summary.ts";
import { aligned, rangeText } from "./table.ts";

/** A point that two runs have measured. */
export interface ComparedPoint extends Comparison {
  /** The name of the scenario. */
  readonly scenario: string;
  /** The value of each axis. */
  readonly point: Point;
  /** The text that names the point. */
  readonly pointId: string;
  /** Visits of the point in the baseline and in the candidate. */
  readonly roundCounts: readonly [number, number];
}

/** Two runs, point by point. */
export interface RunComparison {
  /** By scenario, then by axis. */
  readonly points: readonly ComparedPoint[];
  /** Points that only the baseline has: scenario and id. */
  readonly onlyInBaseline: readonly string[];
  /** Points that only the candidate has. */
  readonly onlyInCandidate: readonly string[];
  /** Why the runs may differ for another reason than their code, in sentences. */
  readonly warnings: readonly string[];
  /** How often no verdict is an alarm when nothing has changed, 0 to 1. */
  readonly confidence: number;
  /** Latencies that surely differ by less than this share are the same. */
  readonly sameWithin: number;
}

/** What a machine says of itself that makes two runs comparable. */
const MACHINE_FIELDS = ["cpuModel", "coreCount", "os", "arch", "denoVersion", "v8Version"] as const;

/**
 * Compares two runs point by point. Many points are many chances to be wrong, so each interval is as
 * much wider as it takes for all verdicts together to be right as often as `confidence` says
 * (Bonferroni's correction).
 *
 * A shared machine changes between two runs, and every time with it: a change of the code must show in
 * floors, too. See {@linkcode compareRounds}.
 *
 * @throws {TypeError} when there is no point that both runs have, or one of the two is no single run,
 * or has measured a point on different machines
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { compareRuns } from "./compare_runs.ts";
 * const rounds = [0, 1, 2, 3, 4].map((round) => ({ ...sampleRecord, round }));
 * const { points } = compareRuns(rounds, rounds);
 * if (points[0]?.verdict !== "same") throw new Error("a run and itself");
 * ```
 */
export function compareRuns(
  baseline: readonly RunRecord[],
  candidate: readonly RunRecord[],
  options: CompareOptions = {},
): RunComparison {
  const { confidence = COMPARE_CONFIDENCE, sameWithin = SAME_WITHIN } = options;
  for (const records of [baseline, candidate]) checkPoolable(records, "compare");
  const [before, after] = [byPoint(baseline), byPoint(candidate)];
  const shared = [...before.keys()].filter((name) => after.has(name));
  if (shared.length === 0) {
    const [one, other] = [before, after].map((points) => [...points.keys()][0]);
    throw new TypeError(
      `Cannot compare the runs as they share no point: "${one}" is one of the first, "${other}" of ` +
        "the second",
    );
  }
  const each = { ...options, confidence: 1 - (1 - confidence) / shared.length };
  const points = shared.map((name) => comparePoint(before.get(name)!, after.get(name)!, each));
  return {
    points: points.sort(compareRows),
    onlyInBaseline: [...before.keys()].filter((name) => !after.has(name)),
    onlyInCandidate: [...after.keys()].filter((name) => !before.has(name)),
    warnings: [
      ...machineWarnings(baseline, candidate),
      ...roundWarnings(points),
      ...floorWarnings(points),
    ],
    confidence,
    sameWithin,
  };
}

function byPoint(records: readonly RunRecord[]): Map<string, RunRecord[]> {
  return Map.groupBy(records, pointName);
}

function comparePoint(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  options: CompareOptions,
): ComparedPoint {
  const { scenario, point, pointId } = before[0]!;
  const isFloored = haveFloor([...before, ...after]);
  const [baseline, candidate] = [before, after].map((rounds) =>
    rounds.map((round) => figuresOf(round, isFloored))
  );
  return {
    ...{ scenario, point, pointId, roundCounts: [before.length, after.length] },
    ...compareRounds(baseline!, candidate!, options),
  };
}

function haveFloor(rounds: readonly RunRecord[]): boolean {
  const { control } = rounds[0]!;
  return rounds.every((round) => round.control === control && round.controlSeconds.length > 0);
}

/** The medians of a round, as tables and reports take them. */
function figuresOf(round: RunRecord, isFloored: boolean): RoundFigures {
  const { latencySeconds, controlSeconds, callsPerTurn } = round;
  const processorsLeft = processorsLeftTo(round);
  const seconds = medianOf(secondsPerCall(round));
  if (!isFloored) return { seconds, processorsLeft };
  const floors = medianOf(pairedRatios(latencySeconds, controlSeconds));
  const floorSeconds = medianOf(controlSeconds) / callsPerTurn;
  return { seconds, floors, floorSeconds, processorsLeft };
}

/** Processors that other programs left to a round, as far as it is known. */
export function processorsLeftTo({ noise, machine }: RunRecord): number {
  return (1 - (noise?.otherShare ?? 0)) * machine.coreCount;
}

function medianOf(values: readonly number[]): number {
  return values.length === 0 ? NaN : median([...values]);
}

function machineWarnings(baseline: readonly RunRecord[], candidate: readonly RunRecord[]) {
  return MACHINE_FIELDS.flatMap((field) => {
    const [before, after] = [baseline, candidate].map((records) => valuesOf(records, field));
    if (before === after) return [];
    return `The runs were not measured alike: ${field} is ${before} before and ${after} after`;
  });
}

function valuesOf(records: readonly RunRecord[], field: keyof Machine): string {
  return [...new Set(records.map(({ machine }) => String(machine[field])))].sort().join(" and ");
}

function roundWarnings(points: readonly ComparedPoint[]): string[] {
  const count = points.filter(({ ratio }) => ratio.confidence === 0).length;
  if (count === 0) return [];
  return [
    `${count} of ${points.length} points have a single round in one of the runs, which says nothing ` +
    "about how far rounds lie apart: measure with --rounds 5",
  ];
}

function floorWarnings(points: readonly ComparedPoint[]): string[] {
  const moved = points.flatMap(({ floorRatio }) =>
    floorRatio && (floorRatio.lo > 1 || floorRatio.hi < 1) ? [floorRatio.center] : []
  );
  const bad = points.reduce((sum, { badCount = 0 }) => sum + badCount, 0);
  const mixed = points.filter(({ modes }) => modes !== undefined).length;
  return [
    ...moved.length === 0 ? [] : [
      `The floor itself changed at ${moved.length} of ${points.length} points, to ` +
      `${threeDigits(median(moved))} times in the middle: the machine was another one; take the ` +
      "two runs one right after the other, or both in turn: deno task bench --against",
    ],
    ...bad === 0
      ? []
      : [`Left out of the ranges: ${countText(bad, "round")} of 1.4 times the usual or more`],
    ...mixed === 0 ? [] : [
      `The floor has several modes at ${mixed} of ${points.length} points, as near and far ` +
      "processors have: rounds are compared with those of their own mode",
    ],
  ];
}

/** How a comparison can be written. */
export const COMPARISON_FORMATS = ["text", "markdown", "json"] as const;
/** One of {@linkcode COMPARISON_FORMATS}. */
export type ComparisonFormat = typeof COMPARISON_FORMATS[number];

const HEADINGS = [
  ...["point", "before", "after", "after / before", "interval", "finds from", "verdict"],
];

/**
 * A comparison of two runs, to read or to hand on.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { compareRuns } from "./compare_runs.ts";
 * import { comparisonText } from "./compare_runs.ts";
 * const rounds = [0, 1].map((round) => ({ ...sampleRecord, round }));
 * const text = comparisonText(compareRuns(rounds, rounds), "markdown");
 * if (!text.includes("| undecided: too few rounds: 2 |")) throw new Error(text);
 * ```
 */
export function comparisonText(comparison: RunComparison, format: ComparisonFormat): string {
  if (format === "json") return JSON.stringify(comparison, replaceInfinity, 2) + "\n";
  const { sameWithin } = comparison;
  const rows = [HEADINGS, ...comparison.points.map((point) => cellsOf(point, sameWithin))];
  const table = format === "markdown" ? markdownLines(rows) : aligned(rows, "padEnd");
  const notes = notesOf(comparison);
  return [...table, ...(notes.length > 0 ? ["", ...notes] : []), ""].join("\n");
}

function cellsOf(point: ComparedPoint, sameWithin: number) {
  const { baseline, candidate, ratio, smallestChange } = point;
  return [
    pointName(point),
    durationText(baseline),
    durationText(candidate),
    factorText(ratio.center),
    rangeText(ratio, factorText),
    smallestChange > CHANGE_MAX ? "-" : percentText(smallestChange),
    verdictText(point, sameWithin),
  ];
}

/** From this share on, twice as long, it says nothing which changes would be found. */
const CHANGE_MAX = 1;

/**
 * A verdict in words: `slower`, `the same within 2 %`, or why there is none.
 *
 * @param sameWithin the share by which what is the same may differ
 */
export function verdictText(
  { verdict, reason }: Pick<Comparison, "verdict" | "reason">,
  sameWithin: number,
): string {
  if (verdict === "same") return `the same within ${percentText(sameWithin)}`;
  return verdict === "undecided" ? `undecided: ${reason}` : verdict;
}

/** Beyond these a factor means nothing but that too little is known. */
function factorText(factor: number): string {
  if (factor < 0.001) return "under 0.001";
  return factor > 1000 ? "over 1000" : threeDigits(factor);
}

/** `3 slower, 1 undecided`. */
export function verdictCounts(points: readonly Pick<Comparison, "verdict">[]): string {
  return Object.entries(Object.groupBy(points, ({ verdict }) => verdict))
    .map(([verdict, some]) => `${some!.length} ${verdict}`).join(", ");
}

function notesOf({ points, confidence, ...rest }: RunComparison): string[] {
  const missing = (names: readonly string[], where: string) =>
    names.length === 0 ? [] : [`Only ${where}: ${names.join(", ")}`];
  return [
    `${verdictCounts(points)}; where nothing has changed, ${percentText(1 - confidence)} of such ` +
    "comparisons have a false alarm at most",
    ...missing(rest.onlyInBaseline, "before"),
    ...missing(rest.onlyInCandidate, "after"),
    ...rest.warnings,
  ];
}

function markdownLines(rows: readonly (readonly string[])[]): string[] {
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0]!, `|${" --- |".repeat(HEADINGS.length)}`, ...lines.slice(1)];
}

/** JSON has no infinity: a bound that is not known is null. */
function replaceInfinity(_key: string, value: unknown): unknown {
  return value === Infinity ? null : value;
}
