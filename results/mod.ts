/**
 * What records say: intervals, ratios, comparisons, tables, targets, charts, a report.
 *
 * @module
 */
export { Chart } from "./chart.ts";
export { chartsOf, type NamedChart } from "./charts.ts";
export { compareLatencies, type Comparison } from "./compare.ts";
export { gpuEpochChart, type GpuEpochRow, gpuEpochRows } from "./gpu_epoch_chart.ts";
export { gpuLiveChart, type GpuLiveRow, gpuLiveRows } from "./gpu_live_chart.ts";
export { gpuLockChart, type GpuLockRow, gpuLockRows } from "./gpu_lock_chart.ts";
export { gpuServerChart, type GpuServerRow, gpuServerRows } from "./gpu_server_chart.ts";
export { type Interval, medianInterval } from "./interval.ts";
export { type Loaded, loadRecords, parseRecords } from "./load.ts";
export { manyClientsChart, type ManyClientsRow, manyClientsRows } from "./many_clients_chart.ts";
export { type NearFloor, nearFloor } from "./near_floor.ts";
export { publishRun } from "./publish.ts";
export { inverse, pairedRatio, pairedRatios, quotient } from "./ratio.ts";
export { type ChartSpec, renderPng, renderSvg } from "./render.ts";
export { contextText, reportPage } from "./report_page.ts";
export { roundTripChart, type RoundTripRow, roundTripRows } from "./round_trip_chart.ts";
export { runCharts, runTargetsText } from "./run_view.ts";
export { type PointSummary, summarize } from "./summary.ts";
export { tableText } from "./table.ts";
export { type Target, targets, targetsText, type TargetVerdict, verdictOf } from "./target.ts";
export { waitingChart, type WaitingRow, waitingRows } from "./waiting_chart.ts";
