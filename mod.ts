/**
 * portlab: the port protocol, the questions that are asked about it, and the answers.
 *
 * The lab is exported here: scenarios, sweeps, records, and what is read out of them. The calling APIs are
 * re-exported as namespaces, each named after its entry point. To make calls only, import `core/mod.ts` or
 * `core/connect/mod.ts`, which need no package.
 *
 * @module
 */
// What calls are made with.
export * as connect from "./core/connect/mod.ts";
export * as core from "./core/mod.ts";
export * as gpu from "./core/gpu/mod.ts";
export * as live from "./scenarios/live/mod.ts";
export * as printf from "./core/gpu/print/mod.ts";
export * as program from "./core/gpu/program/mod.ts";
export * as linear from "./core/linear/mod.ts";
export * as services from "./core/services/mod.ts";
export * as signature from "./core/signature/mod.ts";
export * as wgsl from "./core/signature/wgsl/mod.ts";
export * as internal from "./core/internal.ts";
// A question, and the trial that answers it.
export {
  type Axes,
  type AxisValue,
  type Control,
  type Point,
  type Scenario,
  scenario,
  type Target,
  type Trial,
  trial,
  type TrialOptions,
} from "./scenarios/mod.ts";
export { Partner, type PartnerModule, type PreparedWork } from "./scenarios/partner/partner.ts";
export { findScenario, loadScenarios, scenarios, usualScenarios } from "./scenarios/registry.ts";
// A sweep.
export { bringGpu } from "./bench/adapters/bring_gpu.ts";
export { benchRecords } from "./bench/deno_bench/bench_records.ts";
export { registerBenches } from "./bench/deno_bench/register_benches.ts";
export { describeMachine } from "./bench/machine/machine.ts";
export { planSweep, type SweepOptions } from "./bench/sweep/plan_sweep.ts";
export { sweep, type SweepResult } from "./bench/sweep/sweep.ts";
export { runSweep, type SweepRunOptions } from "./bench/sweep/run_sweep.ts";
// Records.
export type { RunRecord } from "./bench/record/record.ts";
export { RecordWriter } from "./bench/record/writer.ts";
export { loadRecords, parseRecords } from "./results/load/load.ts";
// What they say.
export { type PointSummary, summarize } from "./results/statistics/summary.ts";
export { answersOf } from "./results/report/answer.ts";
export { contextText, reportPage } from "./results/report/report_page.ts";
export { findingText } from "./results/report/finding.ts";
export { judgeTargets, targetsText } from "./results/report/judge_targets.ts";
export { tableText, unmeasuredText } from "./results/report/table.ts";
export { rowsText } from "./results/export/rows_text.ts";
// Two runs.
export { compareRuns, comparisonText } from "./results/report/compare_runs.ts";
// Pictures.
export { Chart } from "./results/charts/chart.ts";
export { makeCharts } from "./results/charts/make_charts.ts";
export { axisChart, FIGURES, referenceFigure } from "./results/charts/axis_chart.ts";
export { publishRun } from "./results/report/publish.ts";
