import { type CallCost, callCost } from "../statistics/call_cost.ts";
import { intervalLayers } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart. */
export interface GpuLockRow extends CallCost {
  readonly portCount: number;
  readonly lock: string;
  readonly adapter: string;
}

/** Waves of the scenario, each of which calls once in a turn. */
const WAVE_COUNT = 256;

/** What the chart draws of a run. */
export function gpuLockRows(summaries: readonly PointSummary[]): GpuLockRow[] {
  return summaries.flatMap((summary) => {
    const { scenario, point, adapter = "unknown" } = summary;
    if (scenario !== "gpu_lock") return [];
    const cost = callCost(summary, WAVE_COUNT);
    const place = { portCount: Number(point.portCount), lock: String(point.lock) };
    return cost ? [{ ...place, adapter, ...cost }] : [];
  });
}

/** Lock by lock, what a call costs while the waves of a kernel want more ports than there are. */
export function gpuLockChart(rows: readonly GpuLockRow[]): ChartSpec {
  return {
    title: {
      text: "What does the lock cost when 256 waves of a kernel want a port?",
      subtitle: `Median and 95 % interval a call, on ${rows[0]?.adapter ?? "?"}`,
      anchor: "start",
    },
    data: { values: rows },
    facet: { field: "portCount", type: "ordinal", title: "ports", header: { orient: "top" } },
    spec: {
      width: 150,
      height: 260,
      layer: intervalLayers({
        x: { field: "lock", type: "nominal", title: null, axis: { labelAngle: 0 } },
        y: { type: "quantitative", scale: { zero: true }, title: "nanoseconds a call" },
        color: { field: "lock", type: "nominal", title: "lock" },
        fields: { center: "callNanoseconds", lo: "loNanoseconds", hi: "hiNanoseconds" },
        isJoined: false,
      }),
    },
  };
}
