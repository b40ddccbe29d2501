import type { PointSummary } from "../statistics/summary.ts";
import { chartTitle, figureLayers, figureRow } from "./figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/**
 * How the calls a second of all clients together compare with those of one alone.
 *
 * @param rows of the scenario `many_clients`
 * @returns nothing when one client alone was not measured
 *
 * @example
 * ```ts
 * import { manyClientsChart } from "./many_clients_chart.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { sweepRecords } from "../testdata/sweep_records.ts";
 * const rows = summarize(sweepRecords()).filter(({ scenario }) => scenario === "many_clients");
 * if (!manyClientsChart(rows)?.layer) throw new Error("1 and 8 clients");
 * ```
 */
export function manyClientsChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const values = rows.flatMap(({ point, timesFasterThan }) => {
    const times = timesFasterThan["one_client"];
    return times ? [figureRow(point, times)] : [];
  });
  if (values.length === 0) return undefined;
  const { question, point: { waiting } } = rows[0]!;
  const axis = { labelAngle: 0 };
  const scale = { scheme: "viridis" };
  return {
    title: chartTitle(question, [
      `Median and 95 % interval; all wait by ${waiting}; dashed: one client`,
    ]),
    width: 380,
    height: 240,
    data: { values },
    layer: figureLayers({
      place: { field: "clientCount", type: "ordinal", title: "client Workers", axis },
      figure: {
        type: "quantitative",
        title: "calls a second, one client = 1",
        scale: { zero: true },
      },
      color: { field: "portCount", type: "ordinal", title: "ports", scale },
      floor: { datum: 1 },
    }),
  };
}
