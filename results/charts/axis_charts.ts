import type { PointSummary } from "../statistics/summary.ts";
import { axisChart, type AxisChartOptions } from "./panel/axis_chart.ts";
import type { Figure } from "./panel/chart_text.ts";
import { wordsOf } from "./panel/words.ts";
import type { ChartSpec } from "./render.ts";

/**
 * What a call costs over the axes of a sweep, with the floor dashed where there is one. All charts of
 * this file show intervals, and hollow dots where too few rounds stand behind them; which axis does
 * what is the choice of `chartPlans`.
 *
 * @param rows of one scenario, one at least
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { latencyChart } from "./axis_charts.ts";
 * const spec = latencyChart(summarize([sampleRecord]));
 * if (!JSON.stringify(spec?.title).includes(sampleRecord.question)) throw new Error("the question");
 * ```
 */
export function latencyChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  return axisChart(rows, LATENCY, options);
}

const LATENCY: Figure = {
  unit: "seconds",
  title: "time a call",
  intervalOf: (row) => row.latencySeconds,
  floorOf: (row) => row.controlSeconds?.center,
  noteOf: ({ control }) =>
    control && `Dashes: the floor, ${wordsOf(control)}, sampled in turn with the calls`,
};

/**
 * Calls a second over the axes of a sweep.
 *
 * @param rows of one scenario, one at least
 */
export function throughputChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  return axisChart(rows, THROUGHPUT, options);
}

const THROUGHPUT: Figure = {
  unit: "rate",
  title: "calls a second",
  intervalOf: (row) => row.callsPerSecond,
  noteOf: () => undefined,
};

/**
 * Bytes a second over the axes of a sweep.
 *
 * @param rows of one scenario, one at least
 * @returns nothing when no row has them
 */
export function bandwidthChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  return axisChart(rows, BANDWIDTH, options);
}

const BANDWIDTH: Figure = {
  unit: "rate",
  title: "bytes a second",
  intervalOf: (row) => row.bytesPerSecond,
  noteOf: () => undefined,
};

/**
 * What a call costs in floors of the same moment, over the axes of a sweep, with a line at 1.
 *
 * @param rows of one scenario, one at least
 * @returns nothing when no row has a floor
 */
export function ratioChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  return axisChart(rows, RATIO, options);
}

const RATIO: Figure = {
  unit: "ratio",
  title: "times the floor",
  intervalOf: (row) => row.ratioToControl,
  noteOf: ({ control }) => `1 is the floor: ${wordsOf(control!)}, sampled in turn with the calls`,
};

/**
 * How many times faster than a reference, over the axes of a sweep, with a line at 1.
 *
 * @param rows of one scenario, one at least
 * @param options `reference` is its name in the records
 * @returns nothing when no row has the reference
 */
export function referenceChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions & { readonly reference: string },
): ChartSpec | undefined {
  const name = wordsOf(options.reference);
  return axisChart(rows, {
    unit: "ratio",
    title: `calls a second, ${name} = 1`,
    intervalOf: (row) => row.timesFasterThan[options.reference],
    noteOf: () => `1 is ${name}, sampled in turn`,
  }, options);
}

/**
 * The processor time that a call takes of both sides together, over the axes of a sweep, with the time of
 * the call dashed: a side that waits in a busy loop takes as much as that by itself.
 *
 * @param rows of one scenario, one at least
 * @returns nothing when no row has it
 */
export function cpuTimeChart(
  rows: readonly PointSummary[],
  options: AxisChartOptions = {},
): ChartSpec | undefined {
  return axisChart(rows, CPU_TIME, options);
}

const CPU_TIME: Figure = {
  unit: "seconds",
  title: "processor time a call",
  intervalOf: (row) => row.cpuSeconds,
  floorOf: (row) => row.latencySeconds.center,
  noteOf: () => "Of both sides together; dashes: the time of the call",
};
