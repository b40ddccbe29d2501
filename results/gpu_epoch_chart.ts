import { type CallCost, callCost } from "./call_cost.ts";
import { intervalLayers } from "./interval_layers.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "./summary.ts";

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
  const x = {
    field: "waveCount",
    type: "quantitative",
    scale: { type: "log", base: 4 },
    axis: { values: [1, 4, 16, 64, 256, 1024, 4096], format: "d" },
    title: "waves that call in one epoch",
  };
  const y = {
    type: "quantitative",
    scale: { type: "log" },
    axis: { format: "~s" },
    title: "nanoseconds a call",
  };
  const color = { field: "series", type: "nominal", title: "readback, calls" };
  return {
    title: {
      text: "What does an epoch cost as more waves call the host in it?",
      subtitle: [
        `Median and 95 % interval a call, on ${rows[0]?.adapter ?? "?"}`,
        "Dashed: a raw submit and readback of the same bytes, sampled in turn",
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
