import { intervalLayers } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart. */
export interface GpuLiveRow {
  /** Ports, lanes and lock of the point. */
  readonly where: string;
  readonly lock: string;
  readonly ratio: number;
  readonly ratioLo: number;
  readonly ratioHi: number;
  readonly adapter: string;
}

/** What the chart draws of a run, small points first. */
export function gpuLiveRows(summaries: readonly PointSummary[]): GpuLiveRow[] {
  const size = ({ point }: PointSummary) => Number(point.laneCount) * 1e6 + Number(point.portCount);
  return summaries.toSorted((left, right) => size(left) - size(right)).flatMap(
    ({ scenario, point, adapter = "unknown", ratioToControl }) => {
      if (scenario !== "gpu_live" || !ratioToControl) return [];
      const { center, lo, hi } = ratioToControl;
      const where = `${point.portCount} ports, ${point.laneCount} lanes`;
      return [{
        where,
        lock: String(point.lock),
        ratio: center,
        ratioLo: lo,
        ratioHi: hi,
        adapter,
      }];
    },
  );
}

/** Calls between two workgroups of one dispatch, in bare ping-pongs between two others. */
export function gpuLiveChart(rows: readonly GpuLiveRow[]): ChartSpec {
  return {
    title: {
      text: "What does a call cost when client and server run in one dispatch?",
      subtitle: [
        `Median and 95 % interval, on ${rows[0]?.adapter ?? "?"}`,
        "1: a bare ping-pong of two atomics between two workgroups, sampled in turn",
      ],
      anchor: "start",
    },
    width: 480,
    height: 260,
    data: { values: rows },
    layer: intervalLayers({
      x: { field: "where", type: "nominal", title: null, sort: null, axis: { labelAngle: -20 } },
      y: { type: "quantitative", scale: { zero: true }, title: "times the ping-pong" },
      color: { field: "lock", type: "nominal", title: "lock" },
      fields: { center: "ratio", lo: "ratioLo", hi: "ratioHi" },
      isJoined: false,
    }),
  };
}
