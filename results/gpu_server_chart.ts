import { type CallCost, callCost } from "./call_cost.ts";
import { intervalLayers } from "./interval_layers.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "./summary.ts";

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
  const x = {
    field: "batchCount",
    type: "quantitative",
    scale: { type: "log", base: 4 },
    axis: { values: [1, 4, 16, 64, 256, 1024, 4096], format: "d" },
    title: "calls in one dispatch",
  };
  const y = {
    type: "quantitative",
    scale: { type: "log" },
    axis: { format: "~s" },
    title: "nanoseconds a call",
  };
  const color = {
    field: "laneCount",
    type: "ordinal",
    title: "lanes",
    scale: { scheme: "viridis" },
  };
  return {
    title: {
      text: "What does a batch cost when the GPU serves calls of the host?",
      subtitle: [
        `Median and 95 % interval a call, on ${rows[0]?.adapter ?? "?"}`,
        "Dashed: the same bytes there and back through a bare dispatch",
      ],
      anchor: "start",
    },
    width: 480,
    height: 300,
    data: { values: rows },
    layer: [
      {
        mark: { type: "line", strokeDash: [5, 4], opacity: 0.8 },
        encoding: { x, y: { ...y, field: "floorNanoseconds" }, color },
      },
      ...intervalLayers({
        x,
        y,
        color,
        fields: { center: "callNanoseconds", lo: "loNanoseconds", hi: "hiNanoseconds" },
        isJoined: true,
      }),
    ],
  };
}
