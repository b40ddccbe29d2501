import { durationText, threeDigits } from "../bench/duration_text.ts";
import type { Interval } from "./interval.ts";
import type { PointSummary } from "./summary.ts";

const HEADINGS = ["point", "a call", "95 % interval", "calls/s", "x floor", "interval", "faster"];

/**
 * The figures of a run as text: a table for each scenario under its question, then every doubt with
 * the points that it is about.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../bench/testdata/sample_record.ts";
 * import { summarize } from "./summary.ts";
 * import { tableText } from "./table.ts";
 * if (!tableText(summarize([sampleRecord])).includes("201 ns")) throw new Error("the median");
 * ```
 */
export function tableText(rows: readonly PointSummary[]): string {
  const sorted = rows.toSorted((left, right) => left.scenario.localeCompare(right.scenario));
  const byScenario = Map.groupBy(sorted, ({ scenario }) => scenario);
  return [...byScenario.values()].map(scenarioText).join("\n") + doubtsText(rows);
}

function scenarioText(rows: readonly PointSummary[]): string {
  const { scenario, question, control } = rows[0]!;
  const floor = control === undefined ? "" : ` (floor: ${control})`;
  const body = aligned([HEADINGS, ...rows.toSorted(byPoint).map(cellsOf)]);
  return [`${scenario}: ${question}${floor}`, ...body.map((line) => `  ${line}`), ""].join("\n");
}

function cellsOf(row: PointSummary): string[] {
  const { latencySeconds, callsPerSecond, ratioToControl, timesFasterThan } = row;
  const faster = Object.entries(timesFasterThan).map(([name, { center }]) =>
    `${threeDigits(center)}x ${name}`
  );
  return [
    (row.pointId || "-") + (row.warnings.length > 0 ? " *" : ""),
    durationText(latencySeconds.center),
    rangeText(latencySeconds, durationText),
    threeDigits(callsPerSecond.center),
    ratioToControl ? threeDigits(ratioToControl.center) : "-",
    ratioToControl ? rangeText(ratioToControl, threeDigits) : "-",
    faster.join(", ") || "-",
  ];
}

/** `1.62 to 1.71`, or a dash where the samples were too few to say. */
export function rangeText(
  { lo, hi, confidence }: Interval,
  textOf: (value: number) => string,
): string {
  return confidence === 0 ? "-" : `${textOf(lo)} to ${textOf(hi)}`;
}

/** Numbers by size, texts by letters, axis by axis. */
function byPoint(left: PointSummary, right: PointSummary): number {
  for (const [name, value] of Object.entries(left.point)) {
    const other = right.point[name]!;
    if (value === other) continue;
    if (typeof value === "number" && typeof other === "number") return value - other;
    return String(value) < String(other) ? -1 : 1;
  }
  return 0;
}

/** Pads the first column on its right and the others on their left. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((cells) => cells[at]!.length)));
  return lines.map((cells) =>
    cells.map((cell, at) => at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))
      .join("  ").trimEnd()
  );
}

/** Doubts that differ in their numbers only are told once, by the first of them. */
function doubtsText(rows: readonly PointSummary[]): string {
  const doubts = rows.flatMap(({ scenario, pointId, warnings }) =>
    warnings.map((warning) => ({ warning, where: `${scenario} ${pointId}`.trim() }))
  );
  if (doubts.length === 0) return "";
  const kinds = Map.groupBy(doubts, ({ warning }) => warning.replace(/[\d.]+( [mµn]?s\b)?/g, "#"));
  const lines = [...kinds.values()].map((found) => `  ${found[0]!.warning} (${placesText(found)})`);
  return ["", "* doubts:", ...lines, ""].join("\n");
}

const PLACES_MAX = 3;

function placesText(found: readonly { readonly where: string }[]): string {
  const named = found.slice(0, PLACES_MAX).map(({ where }) => where).join(", ");
  return found.length > PLACES_MAX ? `${named} and ${found.length - PLACES_MAX} more` : named;
}
