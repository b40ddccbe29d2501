/**
 * What records say: intervals, ratios, comparisons, tables, targets, charts, a report.
 *
 * @module
 */
export { Chart } from "./charts/chart.ts";
export { chartsOf, type NamedChart } from "./charts/charts_of.ts";
export { compareLatencies, type Comparison } from "./statistics/compare.ts";
export { gpuEpochChart, type GpuEpochRow, gpuEpochRows } from "./charts/gpu_epoch_chart.ts";
export { gpuLiveChart, type GpuLiveRow, gpuLiveRows } from "./charts/gpu_live_chart.ts";
export { gpuLockChart, type GpuLockRow, gpuLockRows } from "./charts/gpu_lock_chart.ts";
export { gpuServerChart, type GpuServerRow, gpuServerRows } from "./charts/gpu_server_chart.ts";
export { type Interval, medianInterval } from "./statistics/interval.ts";
export { type Loaded, loadRecords, parseRecords } from "./load/load.ts";
export {
  manyClientsChart,
  type ManyClientsRow,
  manyClientsRows,
} from "./charts/many_clients_chart.ts";
export { type NearFloor, nearFloor } from "./statistics/near_floor.ts";
export { publishRun } from "./report/publish.ts";
export { inverse, pairedRatio, pairedRatios, quotient } from "./statistics/ratio.ts";
export { type ChartSpec, renderPng, renderSvg } from "./charts/render.ts";
export { contextText, reportPage } from "./report/report_page.ts";
export { roundTripChart, type RoundTripRow, roundTripRows } from "./charts/round_trip_charts.ts";
export { runCharts, runTargetsText } from "./report/run_view.ts";
export { type PointSummary, summarize } from "./statistics/summary.ts";
export { tableText } from "./report/table.ts";
export {
  type Judgement,
  judgeTargets,
  targetsText,
  type TargetVerdict,
} from "./report/judge_targets.ts";
export { waitingChart, type WaitingRow, waitingRows } from "./charts/waiting_chart.ts";
