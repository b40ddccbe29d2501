import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import type { PointSummary } from "../statistics/summary.ts";
import { ecdfChart } from "./distribution_charts.ts";
import type { ChartSpec } from "./render.ts";

/** Steps of a curve: the last is the longest call, the one before it the 99.9th percentile. */
const STEPS = 1000;
/** More curves than these hide one another. */
const CURVES_MAX = 6;
const NANOSECONDS = 1e9;

/**
 * How long single calls took, as a curve for each point: where the batches of the other figures show
 * means, this shows the calls that somebody has to wait for.
 *
 * @param rows of one scenario; the first of them that timed single calls are drawn
 * @returns nothing when none has
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { singleCallsChart } from "./single_calls_chart.ts";
 * if (singleCallsChart(summarize([sampleRecord]))) throw new Error("none were timed");
 * ```
 */
export function singleCallsChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const timed = rows.flatMap(({ scenario, pointId, singleCalls }) =>
    singleCalls ? [{ name: pointId || scenario, histogram: singleCalls.histogram }] : []
  );
  if (timed.length === 0) return undefined;
  const series = timed.slice(0, CURVES_MAX).map(({ name, histogram }) => ({
    name,
    seconds: stepsOf(histogram),
  }));
  const { scenario, callsPerTurn } = rows[0]!;
  const what = callsPerTurn === 1 ? "call" : "turn";
  return ecdfChart(series, {
    question: `How long does a single ${what} of ${scenario} take?`,
    what: `Single ${what}s, with the clock's own time in them`,
    leftOut: timed.length - series.length,
  });
}

function stepsOf(text: string): number[] {
  const histogram = decodeFromCompressedBase64(text);
  return Array.from(
    { length: STEPS },
    (_, step) => histogram.getValueAtPercentile(100 * (step + 1) / STEPS) / NANOSECONDS,
  );
}
