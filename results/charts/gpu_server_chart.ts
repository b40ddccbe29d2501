import { type CallCost, callCost } from "../statistics/call_cost.ts";
import { callCostChart } from "./gpu_charts.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart. */
export interface GpuServerRow extends CallCost {
  readonly batchCount: number;
  readonly laneCount: number;
  readonly adapter: string;
}

/** What the chart draws of a run. */
export function gpuServerRows(summaries: readonly PointSummary[]): GpuServerRow[] {
  return summaries.flatMap((summary) => {
    const { scenario, point, adapter = "unknown" } = summary;
    if (scenario !== "gpu_server") return [];
    const batchCount = Number(point.batchCount);
    const cost = callCost(summary, batchCount);
    return cost ? [{ batchCount, laneCount: Number(point.laneCount), adapter, ...cost }] : [];
  });
}

/** What a call of the host to the GPU costs as batches grow. */
export function gpuServerChart(rows: readonly GpuServerRow[]): ChartSpec {
  return callCostChart(rows, {
    question: "What does a batch cost when the GPU serves calls of the host?",
    floor: "the same bytes there and back through a bare dispatch",
    count: { field: "batchCount", title: "calls in one dispatch" },
    color: { field: "laneCount", type: "ordinal", title: "lanes", scale: { scheme: "viridis" } },
  });
}
