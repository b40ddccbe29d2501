import {
  durationText,
  threeDigits,
  unitText,
  type UnmeasuredPoint,
} from "../../bench/record/record.ts";
import { sharedWarnings, warningsText } from "./warnings_text.ts";
import { questionOrder } from "./question_order.ts";
import { comparePoints } from "../statistics/compare_points.ts";
import type { Interval } from "../statistics/interval.ts";
import type { PointSummary } from "../statistics/summary.ts";

const HEADINGS = [
  "point",
  "rounds",
  "a call",
  "interval",
  "low",
  "calls",
  "x floor",
  "interval",
  "faster",
];

/**
 * The figures of a run as text: a table for each scenario under its question, the main one first, then
 * every warning with the points that it is about. A star marks a point with warnings of its own; `low` is
 * what nine of ten samples took longer than.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { tableText } from "./table.ts";
 * if (!tableText(summarize([sampleRecord])).includes("201 ns")) throw new Error("the median");
 * ```
 */
export function tableText(rows: readonly PointSummary[]): string {
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  const shared = sharedWarnings(rows);
  const tables = questionOrder(rows).map((name) => scenarioText(byScenario.get(name)!, shared));
  return [...tables, warningsText(rows)].filter((text) => text !== "").join("\n");
}

function scenarioText(rows: readonly PointSummary[], shared: ReadonlySet<string>): string {
  const { scenario, question, control } = rows[0]!;
  const floor = control === undefined ? "" : ` (floor: ${control})`;
  const cells = rows.toSorted((left, right) => comparePoints(left.point, right.point))
    .map((row) => cellsOf(row, shared));
  const isKnown = (at: number) => at === 0 || cells.some((line) => line[at] !== "-");
  const body = aligned([HEADINGS, ...cells].map((line) => line.filter((_, at) => isKnown(at))));
  return [`${scenario}: ${question}${floor}`, ...body.map((line) => `  ${line}`), ""].join("\n");
}

function cellsOf(row: PointSummary, shared: ReadonlySet<string>): string[] {
  const {
    latencySeconds,
    lowSeconds,
    callsPerSecond,
    roundCount,
    ratioToControl,
    timesFasterThan,
  } = row;
  const faster = Object.entries(timesFasterThan).map(([name, { center }]) =>
    `${threeDigits(center)}x ${name}`
  );
  return [
    (row.pointId || "-") + (row.warnings.every((warning) => shared.has(warning)) ? "" : " *"),
    String(roundCount),
    durationText(latencySeconds.center),
    rangeText(latencySeconds, durationText),
    durationText(lowSeconds),
    unitText(callsPerSecond.center, "/s"),
    ratioToControl ? threeDigits(ratioToControl.center) : "-",
    ratioToControl ? rangeText(ratioToControl, threeDigits) : "-",
    faster.join(", ") || "-",
  ];
}

/** `1.62 to 1.71`, or a dash where nothing is known: the samples of one round are no range of rounds. */
export function rangeText(
  { lo, hi, confidence }: Interval,
  textOf: (value: number) => string,
): string {
  return hi === Infinity || confidence === 0 ? "-" : `${textOf(lo)} to ${textOf(hi)}`;
}

/** A figure with its range, `201 ns (190 ns to 210 ns)`; alone where so few rounds have none. */
export function rangedText(interval: Interval, textOf: (value: number) => string): string {
  const range = rangeText(interval, textOf);
  return textOf(interval.center) + (range === "-" ? "" : ` (${range})`);
}

/** Pads the first column on its right and the others on their left, or on their right, too. */
export function aligned(
  lines: readonly (readonly string[])[],
  others: "padStart" | "padEnd" = "padStart",
): string[] {
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((cells) => cells[at]!.length)));
  return lines.map((cells) =>
    cells.map((cell, at) => cell[at === 0 ? "padEnd" : others](widths[at]!)).join("  ").trimEnd()
  );
}

/** Points of one reason that are named; the others are counted. */
const POINTS_MAX = 5;

/**
 * The points of a run that have no figures, with the reason: those that the scenario skipped, then
 * those that failed.
 *
 * @example
 * ```ts
 * import { sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
 * import { unmeasuredText } from "./table.ts";
 * const text = unmeasuredText([sampleUnmeasured]);
 * if (!text.startsWith("skipped: round_trip, a wave has 2 lanes")) throw new Error(text);
 * ```
 */
export function unmeasuredText(points: readonly UnmeasuredPoint[]): string {
  const sorted = points.toSorted((left, right) => right.outcome.localeCompare(left.outcome));
  const groups = Map.groupBy(
    sorted,
    ({ outcome, scenario, reason }) => `${outcome}: ${scenario}, ${reason}`,
  );
  return [...groups].map(([heading, some]) => {
    const named = some.slice(0, POINTS_MAX).map(({ pointId }) => `  ${pointId || "-"}`);
    const rest = some.length > POINTS_MAX ? [`  and ${some.length - POINTS_MAX} more`] : [];
    return [heading, ...named, ...rest].join("\n");
  }).join("\n");
}
