import { durationText, threeDigits } from "../../bench/record/duration_text.ts";
import type { ComparedPoint, RunComparison } from "./compare_runs.ts";
import { rangeText } from "./table.ts";

/** How a comparison can be written. */
export const COMPARISON_FORMATS = ["text", "markdown", "json"] as const;
/** One of {@linkcode COMPARISON_FORMATS}. */
export type ComparisonFormat = typeof COMPARISON_FORMATS[number];

const HEADINGS = ["point", "before", "after", "after / before", "interval", "verdict"];

/**
 * A comparison of two runs, to read or to hand on.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { compareRuns } from "./compare_runs.ts";
 * import { comparisonText } from "./comparison_text.ts";
 * const rounds = [0, 1].map((round) => ({ ...sampleRecord, round }));
 * const text = comparisonText(compareRuns(rounds, rounds), "markdown");
 * if (!text.includes("| same |")) throw new Error(text);
 * ```
 */
export function comparisonText(comparison: RunComparison, format: ComparisonFormat): string {
  if (format === "json") return JSON.stringify(comparison, replaceInfinity, 2) + "\n";
  const rows = [HEADINGS, ...comparison.points.map(cellsOf)];
  const table = format === "markdown" ? markdownLines(rows) : alignedLines(rows);
  const notes = notesOf(comparison);
  return [...table, ...(notes.length > 0 ? ["", ...notes] : []), ""].join("\n");
}

function cellsOf({ scenario, pointId, baseline, candidate, ratio, verdict }: ComparedPoint) {
  return [
    `${scenario} ${pointId}`.trim(),
    durationText(baseline),
    durationText(candidate),
    factorText(ratio.center),
    rangeText(ratio, factorText),
    verdict,
  ];
}

/** Beyond these a factor means nothing but that too little is known. */
function factorText(factor: number): string {
  if (factor < 0.001) return "under 0.001";
  return factor > 1000 ? "over 1000" : threeDigits(factor);
}

function notesOf({ points, confidence, ...rest }: RunComparison): string[] {
  const counts = Object.entries(Object.groupBy(points, ({ verdict }) => verdict))
    .map(([verdict, some]) => `${some!.length} ${verdict}`);
  const missing = (names: readonly string[], where: string) =>
    names.length === 0 ? [] : [`Only ${where}: ${names.join(", ")}`];
  return [
    `${counts.join(", ")}; all of it is right in ${confidenceText(confidence)} of such comparisons`,
    ...missing(rest.onlyInBaseline, "before"),
    ...missing(rest.onlyInCandidate, "after"),
    ...rest.warnings,
  ];
}

function markdownLines(rows: readonly (readonly string[])[]): string[] {
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0]!, `|${" --- |".repeat(HEADINGS.length)}`, ...lines.slice(1)];
}

function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)));
  return rows.map((cells) =>
    cells.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd()
  );
}

/** JSON has no infinity: a bound that is not known is null. */
function replaceInfinity(_key: string, value: unknown): unknown {
  return value === Infinity ? null : value;
}

/** `99.9 %` of 0.999, without what binary fractions leave at the end. */
export function confidenceText(confidence: number): string {
  return `${Number((100 * confidence).toPrecision(6))} %`;
}
