/**
 * What records say: intervals, ratios, comparisons, tables, targets, charts, a report.
 *
 * @module
 */
export type { RunRecord } from "../bench/record/record.ts";
export { Chart } from "./charts/chart.ts";
export { type ChartOptions, chartsOf, type NamedChart } from "./charts/charts_of.ts";
export { comparisonChart } from "./charts/comparison_chart.ts";
export { ecdfChart, histogramChart, type SampleSeries } from "./charts/distribution_charts.ts";
export { heatMap } from "./charts/heat_map.ts";
export type { AxisChartOptions } from "./charts/panel/axis_chart.ts";
export { type ChartPlan, chartPlans } from "./charts/panel/chart_plans.ts";
export {
  bandwidthChart,
  cpuTimeChart,
  latencyChart,
  ratioChart,
  referenceChart,
  throughputChart,
} from "./charts/axis_charts.ts";
export { type ChartSpec, renderPng, renderSvg } from "./charts/render.ts";
export { singleCallsChart } from "./charts/single_calls_chart.ts";
export { byteRateText, callsText } from "./export/calls_text.ts";
export { ROW_FORMATS, type RowFormat, rowsText } from "./export/rows_text.ts";
export { type Loaded, loadRecords, parseRecords } from "./load/load.ts";
export {
  type Judgement,
  judgeTargets,
  targetsText,
  type TargetVerdict,
} from "./report/judge_targets.ts";
export { type ComparedPoint, compareRuns, type RunComparison } from "./report/compare_runs.ts";
export {
  COMPARISON_FORMATS,
  type ComparisonFormat,
  comparisonText,
} from "./report/comparison_text.ts";
export { compareAt, type Finding, findingText, type FoundBetween } from "./report/finding.ts";
export { publishRun } from "./report/publish.ts";
export { contextText, type ReportOptions, reportPage } from "./report/report_page.ts";
export { tableText } from "./report/table.ts";
export { unmeasuredText } from "./report/unmeasured_text.ts";
export {
  type CompareOptions,
  compareRounds,
  type Comparison,
  type Difference,
} from "./statistics/compare.ts";
export { type Interval, medianInterval } from "./statistics/interval.ts";
export { overRounds, ROUNDS_MIN } from "./statistics/over_rounds.ts";
export { inverse, pairedRatio, pairedRatios, quotient } from "./statistics/ratio.ts";
export { pooledCalls } from "./statistics/pooled_calls.ts";
export { type PointSummary, secondsPerCall, summarize } from "./statistics/summary.ts";
