/**
 * The types of the lab: what its functions take and return.
 *
 * @module
 */
// Scenarios.
export type { Figure, Where } from "../scenarios/scenario.ts";
export type { Assignment, Work } from "../scenarios/partner/partner.ts";
// Sweeps.
export type { SoftwareGpu } from "../bench/adapters/software_gpu.ts";
export type { BenchRecords } from "../bench/deno_bench/bench_records.ts";
export type { Noise } from "../bench/machine/noise.ts";
export type {
  PrecisionLimits,
  STOP_RULES,
  StopReason,
  StopRule,
} from "../bench/sample/stopping.ts";
export type { measureIsolated, PointRequest } from "../bench/sweep/isolated_point.ts";
export type { Machine, Placement } from "../bench/machine/machine.ts";
export type { PointBudget } from "../bench/sample/measure_point.ts";
export type { PlannedPoint, Shard } from "../bench/sweep/plan_sweep.ts";
export type { RunContext, SweepStep, SweepTime } from "../bench/sweep/run_sweep.ts";
// Records.
export type {
  Measurement,
  PointContext,
  Samples,
  ScenarioFacts,
  UnmeasuredPoint,
} from "../bench/record/record.ts";
export type { RecordLines } from "../bench/record/writer.ts";
export type { SingleCalls } from "../bench/sample/single_calls.ts";
export type { Loaded } from "./load/load.ts";
// What they say.
export type { Interval } from "./statistics/interval.ts";
export type { CompareOptions, Comparison, Difference } from "./statistics/compare.ts";
export type {
  ComparedPoint,
  COMPARISON_FORMATS,
  ComparisonFormat,
  RunComparison,
} from "./report/compare_runs.ts";
export type { FoundBetween } from "./report/finding.ts";
export type { Judgement, TargetVerdict } from "./report/judge_targets.ts";
export type { ReportOptions } from "./report/report_page.ts";
export type { ROW_FORMATS, RowFormat } from "./export/rows_text.ts";
// Pictures.
export type { AxisChartOptions } from "./charts/axis_chart.ts";
export type { ChartFigure, ChartPlan } from "./charts/panel/chart_plans.ts";
export type { FigureUnit } from "./charts/panel/figure_panel.ts";
export type { ChartOptions, NamedChart } from "./charts/make_charts.ts";
export type { ChartSpec } from "./charts/render.ts";
