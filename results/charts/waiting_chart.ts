import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One line of the chart. */
export interface WaitingRow {
  readonly waiting: string;
  readonly ratio: number;
  readonly ratioLo: number;
  readonly ratioHi: number;
}

/** What the chart draws of a run: one call on one port and one lane, by how it waits. */
export function waitingRows(summaries: readonly PointSummary[]): WaitingRow[] {
  return summaries.flatMap(({ scenario, point, ratioToControl }) => {
    const isOneCall = scenario === "round_trip" && point.portCount === 1 && point.laneCount === 1;
    if (!isOneCall || !ratioToControl) return [];
    const { center, lo, hi } = ratioToControl;
    return [{ waiting: String(point.waiting), ratio: center, ratioLo: lo, ratioHi: hi }];
  });
}

/**
 * What each way of waiting costs; on a logarithmic axis, because parking costs a hundredfold.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { waitingChart, waitingRows } from "./waiting_chart.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const spec = waitingChart(waitingRows(summarize([sampleRecord])));
 * if (spec.data === undefined) throw new Error("the rows are inside");
 * ```
 */
export function waitingChart(rows: readonly WaitingRow[]): ChartSpec {
  const x = { type: "quantitative", scale: { type: "log" }, title: "times the floor" };
  const y = { field: "waiting", type: "nominal", sort: { field: "ratio" }, title: null };
  return {
    title: {
      text: "What does each way of waiting cost?",
      subtitle: "Median and 95 % interval of one call on one port and one lane; client+server",
      anchor: "start",
    },
    width: 480,
    height: { step: 28 },
    data: { values: rows },
    layer: [
      {
        mark: { type: "rule", strokeWidth: 3, opacity: 0.5 },
        encoding: { x: { ...x, field: "ratioLo" }, x2: { field: "ratioHi" }, y },
      },
      {
        mark: { type: "point", filled: true, size: 70 },
        encoding: { x: { ...x, field: "ratio" }, y },
      },
    ],
  };
}
