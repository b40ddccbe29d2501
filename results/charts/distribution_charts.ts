import { COLORS } from "./panel/axis_chart.ts";
import { figureChannel, figureText } from "./panel/figure_channel.ts";
import { chartTitle } from "./panel/figure_panel.ts";
import { leftOutText } from "./panel/chart_text.ts";
import type { ChartSpec } from "./render.ts";

/** Samples to draw together, with the name that tells them from others. */
export interface SampleSeries {
  /** What was sampled. */
  readonly name: string;
  /** Seconds a call, in any order. */
  readonly seconds: readonly number[];
}

/** A curve needs no more points than a screen has. */
const STEPS_MAX = 400;
const BINS = 40;

/**
 * How large a share of the samples took at most how long, as a curve for each series: medians and tails
 * can be read off, and no choice of bins hides a second peak.
 *
 * @param series one at least, each with a sample at least
 * @param options `what` says what a sample is, the mean of a batch when absent; `leftOut` is how many
 * points there are besides these series
 *
 * @example
 * ```ts
 * import { ecdfChart } from "./distribution_charts.ts";
 * const series = [{ name: "spin", seconds: [1e-7, 2e-7, 4e-7] }];
 * const spec = ecdfChart(series, { question: "How long are single calls?" });
 * if (!JSON.stringify(spec).includes("share of the samples")) throw new Error("shares");
 * ```
 */
export function ecdfChart(
  series: readonly SampleSeries[],
  options: { readonly question: string; readonly what?: string; readonly leftOut?: number },
): ChartSpec {
  const { what = "Samples, each the mean of a batch", leftOut = 0 } = options;
  const values = series.flatMap(({ name, seconds }) => {
    const sorted = seconds.toSorted((left, right) => left - right);
    return stepsOf(sorted.length).map((rank) => ({
      series: name,
      seconds: sorted[rank]!,
      share: (rank + 1) / sorted.length,
    }));
  });
  const share = { field: "share", type: "quantitative", title: "share of the samples" };
  return distribution(series, {
    ...options,
    values,
    mark: { type: "line", interpolate: "step-after" },
    share: { ...share, axis: { format: ".0%" }, scale: { domain: [0, 1] } },
    subtitles: [`${what}: the share that took at most so long`, ...leftOutText(leftOut)],
  });
}

/** The ranks that are drawn: all of few, every so manieth of many, and always the last. */
function stepsOf(count: number): number[] {
  const stride = Math.ceil(count / STEPS_MAX);
  const ranks = Array.from({ length: Math.ceil(count / stride) }, (_, step) => step * stride);
  return [...new Set([...ranks, count - 1])];
}

/**
 * How the samples of each series are distributed over bins of equal ratio, as shares.
 *
 * @param series one at least, each with a sample at least, all above 0
 *
 * @example
 * ```ts
 * import { histogramChart } from "./distribution_charts.ts";
 * const series = [{ name: "spin", seconds: [1e-7, 1.01e-7, 4e-7] }];
 * const spec = histogramChart(series, { question: "How long are single calls?" });
 * if (!JSON.stringify(spec.data).includes("0.6666")) throw new Error("two of three in one bin");
 * ```
 */
export function histogramChart(
  series: readonly SampleSeries[],
  options: { readonly question: string },
): ChartSpec {
  const all = series.flatMap(({ seconds }) => seconds).map(Math.log);
  const [least, most] = [all, all].map((some, side) =>
    some.reduce((one, other) => side === 0 ? Math.min(one, other) : Math.max(one, other))
  );
  const width = Math.max((most! - least!) / BINS, 1e-3);
  const values = series.flatMap(({ name, seconds }) => {
    const counts = new Array<number>(BINS + 1).fill(0);
    for (const one of seconds) {
      counts[Math.min(BINS, Math.floor((Math.log(one) - least!) / width))]! += 1;
    }
    return counts.map((count, bin) => ({
      series: name,
      seconds: Math.exp(least! + bin * width),
      share: count / seconds.length,
    }));
  });
  const share = {
    field: "share",
    type: "quantitative",
    title: "share of the samples",
    stack: null,
  };
  return distribution(series, {
    ...options,
    values,
    mark: { type: "area", interpolate: "step-after", opacity: 0.35, line: { strokeWidth: 1.5 } },
    share: { ...share, axis: { format: ".0%" } },
    subtitles: ["Samples in bins of equal ratio; each is the mean of a batch"],
  });
}

function distribution(
  series: readonly SampleSeries[],
  drawn: {
    readonly question: string;
    readonly subtitles: readonly string[];
    readonly values: readonly Readonly<Record<string, string | number>>[];
    readonly mark: ChartSpec;
    readonly share: ChartSpec;
  },
): ChartSpec {
  const seconds = drawn.values.map((value) => Number(value.seconds));
  const figure = figureChannel({ unit: "seconds", title: "time a call" }, seconds);
  const legend = series.length > 1
    ? { orient: "bottom", columns: 1, title: null, labelLimit: 500 }
    : null;
  return {
    title: chartTitle(drawn.question, drawn.subtitles),
    description: `${drawn.question} Distribution of ${series.map(medianText).join(", ")}.`,
    data: { values: drawn.values },
    width: 540,
    height: 260,
    mark: drawn.mark,
    encoding: {
      x: { ...figure, field: "seconds", scale: { type: "log", nice: false } },
      y: drawn.share,
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

function medianText({ name, seconds }: SampleSeries): string {
  const sorted = seconds.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)]!;
  return `${seconds.length} samples of ${name} with a median of ${figureText("seconds", middle)}`;
}
