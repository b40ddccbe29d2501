import { durationText, threeDigits } from "../../bench/record/duration_text.ts";
import { aligned } from "../report/table.ts";
import { comparePoints } from "../statistics/compare_points.ts";
import type { PointSummary } from "../statistics/summary.ts";

const HEADINGS = ["p50", "p90", "p99", "p99.9", "longest", "calls"];

/**
 * What the table of means leaves out: how long single calls took, the clock's own time included, and
 * bytes a second. Empty where a run has neither.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { callsText } from "./calls_text.ts";
 * const text = callsText(summarize([{ ...sampleRecord, bytesPerCall: 64 }]));
 * if (!text.includes("318 MB/s")) throw new Error(text);
 * ```
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
        ...[
          calls.p50Seconds,
          calls.p90Seconds,
          calls.p99Seconds,
          calls.p999Seconds,
          calls.maxSeconds,
        ].map(durationText),
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
    bytes ? [`  ${pointId || "-"}: ${byteRateText(bytes.center)}`] : []
  );
  return lines.length === 0 ? "" : [`${rows[0]!.scenario}, payload:`, ...lines].join("\n");
}

const RATES = [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [0, "B/s"]] as const;

/** Bytes a second as text, with three digits: `2.10 GB/s`. A kilobyte has 1000 bytes. */
export function byteRateText(bytesPerSecond: number): string {
  const [size, unit] = RATES.find(([size]) => bytesPerSecond >= size) ?? RATES.at(-1)!;
  return `${threeDigits(bytesPerSecond / (size || 1))} ${unit}`;
}
