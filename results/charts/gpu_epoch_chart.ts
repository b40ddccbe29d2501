import { type CallCost, callCost } from "../statistics/call_cost.ts";
import { callCostChart } from "./gpu_charts.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart. */
export interface GpuEpochRow extends CallCost {
  readonly waveCount: number;
  /** How results come back, and how many calls each wave makes in an epoch. */
  readonly series: string;
  readonly adapter: string;
}

/** What the chart draws of a run. */
export function gpuEpochRows(summaries: readonly PointSummary[]): GpuEpochRow[] {
  return summaries.flatMap((summary) => {
    const { scenario, point, adapter = "unknown" } = summary;
    if (scenario !== "gpu_epoch") return [];
    const [waveCount, callsPerWave] = [Number(point.waveCount), Number(point.callsPerWave)];
    const cost = callCost(summary, waveCount * callsPerWave);
    const series = `${point.readback}, ${callsPerWave} a wave`;
    return cost ? [{ waveCount, series, adapter, ...cost }] : [];
  });
}

/** What a call costs in epochs of more and more waves; dashed, the raw readback of the same bytes. */
export function gpuEpochChart(rows: readonly GpuEpochRow[]): ChartSpec {
  return callCostChart(rows, {
    question: "What does an epoch cost as more waves call the host in it?",
    floor: "a raw submit and readback of the same bytes",
    count: { field: "waveCount", title: "waves that call in one epoch" },
    color: { field: "series", type: "nominal", title: "readback, calls" },
  });
}
