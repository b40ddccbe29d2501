import { durationText, threeDigits, unitText } from "../../bench/record/record.ts";
import { aligned, rangeText, tableText } from "../report/table.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { comparePoints } from "../statistics/compare_points.ts";

/** How the figures of a run can be written. */
export const ROW_FORMATS = ["table", "markdown", "csv", "json"] as const;

/** A table for a terminal, one for a page, values for a spreadsheet, or data for a program. */
export type RowFormat = typeof ROW_FORMATS[number];

/**
 * The figures of a run in one of the formats. `csv` and `json` hold seconds in full precision.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { rowsText } from "./rows_text.ts";
 * const [heading, row] = rowsText(summarize([sampleRecord]), "csv").split("\n");
 * if (!heading?.startsWith("scenario,point_id,") || !row?.includes("2.01e-7")) throw new Error(row);
 * ```
 */
export function rowsText(rows: readonly PointSummary[], format: RowFormat): string {
  switch (format) {
    case "table":
      return tableText(rows);
    case "markdown":
      return markdownText(rows);
    case "csv":
      return csvText(rows);
    case "json":
      return JSON.stringify(rows, undefined, 2);
  }
}

/** The columns of `csv`, each with its value. */
const COLUMNS: readonly (readonly [
  heading: string,
  valueOf: (row: PointSummary) => string | number | undefined,
])[] = [
  ["scenario", ({ scenario }) => scenario],
  ["point_id", ({ pointId }) => pointId],
  ["samples", ({ sampleCount }) => sampleCount],
  ["rounds", ({ roundCount }) => roundCount],
  ["latency_s", ({ latencySeconds }) => latencySeconds.center],
  ["latency_lo_s", ({ latencySeconds }) => latencySeconds.lo],
  ["latency_hi_s", ({ latencySeconds }) => latencySeconds.hi],
  ["confidence", ({ latencySeconds }) => latencySeconds.confidence],
  ["floor", ({ control }) => control],
  ["ratio", ({ ratioToControl }) => ratioToControl?.center],
  ["ratio_lo", ({ ratioToControl }) => ratioToControl?.lo],
  ["ratio_hi", ({ ratioToControl }) => ratioToControl?.hi],
  ["bytes_per_s", ({ bytesPerSecond }) => bytesPerSecond?.center],
  ["calls_per_turn", ({ callsPerTurn }) => callsPerTurn],
  ["call_p50_s", ({ singleCalls }) => singleCalls?.p50Seconds],
  ["call_p90_s", ({ singleCalls }) => singleCalls?.p90Seconds],
  ["call_p99_s", ({ singleCalls }) => singleCalls?.p99Seconds],
  ["call_p999_s", ({ singleCalls }) => singleCalls?.p999Seconds],
  ["call_max_s", ({ singleCalls }) => singleCalls?.maxSeconds],
  ["clock_s", ({ singleCalls }) => singleCalls?.clockSeconds],
  ["adapter", ({ adapter }) => adapter],
  ["warnings", ({ warnings }) => warnings.join("; ")],
];

function csvText(rows: readonly PointSummary[]): string {
  const lines = rows.map((row) => COLUMNS.map(([, valueOf]) => csvCell(valueOf(row))));
  return [COLUMNS.map(([heading]) => heading), ...lines].map((cells) => cells.join(","))
    .join("\n");
}

/** As RFC 4180 says: quotes around what holds a quote, a comma or a line end. */
function csvCell(value: string | number | undefined): string {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownText(rows: readonly PointSummary[]): string {
  return [...Map.groupBy(rows, ({ scenario }) => scenario).values()].map((some) =>
    [
      `**${some[0]!.question}**`,
      "",
      `| ${some[0]!.scenario} | a call | interval | x floor | interval |`,
      "| --- | --: | --: | --: | --: |",
      ...some.map(markdownRow),
    ].join("\n")
  ).join("\n\n");
}

function markdownRow({ pointId, latencySeconds, ratioToControl }: PointSummary): string {
  const ratio = ratioToControl
    ? [threeDigits(ratioToControl.center), rangeText(ratioToControl, threeDigits)]
    : ["-", "-"];
  const latency = [durationText(latencySeconds.center), rangeText(latencySeconds, durationText)];
  return `| ${[pointId || "-", ...latency, ...ratio].join(" | ")} |`;
}

const SHOWN = ["p50Seconds", "p90Seconds", "p99Seconds", "p999Seconds", "maxSeconds"] as const;
const HEADINGS = ["p50", "p90", "p99", "p99.9", "longest", "calls"];

/**
 * What the table of means leaves out: how long single calls took, the clock's own time included, and
 * bytes a second. Empty where a run has neither.
 */
export function callsText(rows: readonly PointSummary[]): string {
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  return [...byScenario.values()].flatMap((some) => {
    const sorted = some.toSorted((left, right) => comparePoints(left.point, right.point));
    return [singleCallsText(sorted), bytesText(sorted)].filter((text) => text !== "");
  }).join("\n\n");
}

function singleCallsText(rows: readonly PointSummary[]): string {
  const lines = rows.flatMap(({ pointId, singleCalls: calls }) =>
    calls
      ? [[
        pointId || "-",
        ...SHOWN.map((field) => durationText(calls[field])),
        `${calls.callCount}`,
      ]]
      : []
  );
  if (lines.length === 0) return "";
  const clocks = rows.flatMap(({ singleCalls }) => singleCalls?.clockSeconds ?? []);
  const clock = durationText(Math.max(...clocks));
  const [{ callsPerTurn, scenario }] = rows as [PointSummary];
  const what = callsPerTurn === 1 ? "single calls" : "single turns";
  const table = aligned([[what, ...HEADINGS], ...lines]).map((line) => `  ${line}`);
  return [`${scenario}, up to ${clock} of each time is the clock's:`, ...table].join("\n");
}

function bytesText(rows: readonly PointSummary[]): string {
  const lines = rows.flatMap(({ pointId, bytesPerSecond: bytes }) =>
    bytes ? [`  ${pointId || "-"}: ${unitText(bytes.center, "B/s")}`] : []
  );
  return lines.length === 0 ? "" : [`${rows[0]!.scenario}, payload:`, ...lines].join("\n");
}
