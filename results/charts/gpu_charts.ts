import type { CallCost } from "../statistics/call_cost.ts";
import { intervalLayers } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/** What a chart of call costs over a count is made of. */
export interface CallCostPlan {
  readonly question: string;
  /** What the dashed line is. */
  readonly floor: string;
  /** The field that counts, and what it counts. */
  readonly count: { readonly field: string; readonly title: string };
  readonly color: ChartSpec;
}

/**
 * What a call costs as a turn makes more and more of them, from 1 to 4096, both axes logarithmic;
 * dashed, what the control costs, shared out over as many calls.
 */
export function callCostChart(
  rows: readonly (CallCost & { readonly adapter: string })[],
  plan: CallCostPlan,
): ChartSpec {
  const { question, floor, count, color } = plan;
  const x = {
    ...count,
    type: "quantitative",
    scale: { type: "log", base: 4 },
    axis: { values: [1, 4, 16, 64, 256, 1024, 4096], format: "d" },
  };
  const y = {
    type: "quantitative",
    scale: { type: "log" },
    axis: { format: "~s" },
    title: "nanoseconds a call",
  };
  const fields = { center: "callNanoseconds", lo: "loNanoseconds", hi: "hiNanoseconds" };
  return {
    title: {
      text: question,
      subtitle: [
        `Median and 95 % interval a call, on ${rows[0]?.adapter ?? "?"}`,
        `Dashed: ${floor}, sampled in turn`,
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
      ...intervalLayers({ x, y, color, fields, isJoined: true }),
    ],
  };
}
