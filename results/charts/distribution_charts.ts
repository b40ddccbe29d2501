import { COLORS } from "./axis_chart.ts";
import { chartTitle, figureChannel, figureText } from "./panel/figure_panel.ts";
import { leftOutText } from "./panel/chart_plans.ts";
import type { ChartSpec } from "./render.ts";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import type { PointSummary } from "../statistics/summary.ts";

/** Samples to draw together, with the name that tells them from others. */
export interface SampleSeries {
  /** What was sampled. */
  readonly name: string;
  /** Seconds a call, in any order. */
  readonly seconds: readonly number[];
}

/** A curve needs no more points than a screen has. */
const STEPS_MAX = 400;

/**
 * How large a share of the samples took at most how long, as a curve for each series: medians and tails
 * can be read off, and no choice of bins hides a second peak.
 *
 * @param series one at least, each with a sample at least
 * @param options `what` says what a sample is, the mean of a batch when absent; `leftOut` is how many
 * points there are besides these series
 */
export function ecdfChart(
  series: readonly SampleSeries[],
  options: { readonly question: string; readonly what?: string; readonly leftOut?: number },
): ChartSpec {
  const { question, what = "Samples, each the mean of a batch", leftOut = 0 } = options;
  const values = series.flatMap(({ name, seconds }) => {
    const sorted = seconds.toSorted((left, right) => left - right);
    return stepsOf(sorted.length).map((rank) => ({
      series: name,
      seconds: sorted[rank]!,
      share: (rank + 1) / sorted.length,
    }));
  });
  const share = { field: "share", type: "quantitative", title: "share of the samples" };
  const unit = { unit: "seconds", title: "time a call" } as const;
  const figure = figureChannel(unit, values.map(({ seconds }) => seconds));
  const legend = series.length > 1
    ? { orient: "bottom", columns: 1, title: null, labelLimit: 500 }
    : null;
  return {
    title: chartTitle(question, [
      `${what}: the share that took at most so long`,
      ...leftOutText(leftOut),
    ]),
    description: `${question} Distribution of ${series.map(medianText).join(", ")}.`,
    data: { values },
    width: 540,
    height: 260,
    mark: { type: "line", interpolate: "step-after" },
    encoding: {
      x: { ...figure, field: "seconds", scale: { type: "log", nice: false } },
      y: { ...share, axis: { format: ".0%" }, scale: { domain: [0, 1] } },
      color: {
        field: "series",
        type: "nominal",
        sort: series.map(({ name }) => name),
        scale: { range: COLORS },
        legend,
      },
    },
  };
}

/** The ranks that are drawn: all of few, every so manieth of many, and always the last. */
function stepsOf(count: number): number[] {
  const stride = Math.ceil(count / STEPS_MAX);
  const ranks = Array.from({ length: Math.ceil(count / stride) }, (_, step) => step * stride);
  return [...new Set([...ranks, count - 1])];
}

function medianText({ name, seconds }: SampleSeries): string {
  const sorted = seconds.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)]!;
  return `${seconds.length} samples of ${name} with a median of ${figureText("seconds", middle)}`;
}

/** Steps of a curve: the last is the longest call, the one before it the 99.9th percentile. */
const STEPS = 1000;
/** More curves than these hide one another. */
export const CURVES_MAX = 6;
const NANOSECONDS = 1e9;

/**
 * How long single calls took, as a curve for each point: where the batches of the other figures show
 * means, this shows the calls that somebody has to wait for.
 *
 * @param rows of one scenario; the first of them that timed single calls are drawn
 * @returns nothing when none has
 */
export function singleCallsChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const timed = rows.flatMap(({ scenario, pointId, singleCalls }) =>
    singleCalls ? [{ name: pointId || scenario, histogram: singleCalls.histogram }] : []
  );
  if (timed.length === 0) return undefined;
  const series = timed.slice(0, CURVES_MAX).map(({ name, histogram }) => ({
    name,
    seconds: percentilesIn(histogram),
  }));
  const { scenario, callsPerTurn } = rows[0]!;
  const what = callsPerTurn === 1 ? "call" : "turn";
  return ecdfChart(series, {
    question: `How long does a single ${what} of ${scenario} take?`,
    what: `Single ${what}s, with the clock's own time in them`,
    leftOut: timed.length - series.length,
  });
}

function percentilesIn(text: string): number[] {
  const histogram = decodeFromCompressedBase64(text);
  return Array.from(
    { length: STEPS },
    (_, step) => histogram.getValueAtPercentile(100 * (step + 1) / STEPS) / NANOSECONDS,
  );
}
