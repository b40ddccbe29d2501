import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart. */
export interface ManyClientsRow {
  readonly clientCount: number;
  readonly portCount: number;
  readonly waiting: string;
  readonly timesOneClient: number;
  readonly timesOneClientLo: number;
  readonly timesOneClientHi: number;
}

/** What the chart draws of a run. */
export function manyClientsRows(summaries: readonly PointSummary[]): ManyClientsRow[] {
  return summaries.flatMap(({ scenario, point, timesFasterThan }) => {
    const times = timesFasterThan["one_client"];
    if (scenario !== "many_clients" || !times) return [];
    return [{
      clientCount: Number(point.clientCount),
      portCount: Number(point.portCount),
      waiting: String(point.waiting),
      timesOneClient: times.center,
      timesOneClientLo: times.lo,
      timesOneClientHi: times.hi,
    }];
  });
}

/**
 * How the calls a second of all clients together compare with those of one alone.
 *
 * @example
 * ```ts
 * import { manyClientsChart, manyClientsRows } from "./many_clients_chart.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { sweepRecords } from "../testdata/sweep_records.ts";
 * const spec = manyClientsChart(manyClientsRows(summarize(sweepRecords())));
 * if (spec.data === undefined) throw new Error("the rows are inside");
 * ```
 */
export function manyClientsChart(rows: readonly ManyClientsRow[]): ChartSpec {
  const x = {
    field: "clientCount",
    type: "ordinal",
    title: "client Workers",
    axis: { labelAngle: 0 },
  };
  const y = {
    type: "quantitative",
    title: "calls a second, one client = 1",
    scale: { zero: true },
  };
  const color = {
    field: "portCount",
    type: "ordinal",
    title: "ports",
    scale: { scheme: "viridis" },
  };
  return {
    title: {
      text: "How many calls a second does one server take from several clients?",
      subtitle: `Median and 95 % interval; all wait by ${
        rows[0]?.waiting ?? "?"
      }; dashed: one client`,
      anchor: "start",
    },
    width: 380,
    height: 240,
    data: { values: rows },
    layer: [
      { mark: { type: "rule", strokeDash: [5, 4], color: "gray" }, encoding: { y: { datum: 1 } } },
      {
        mark: { type: "rule", strokeWidth: 3, opacity: 0.5 },
        encoding: {
          x,
          y: { ...y, field: "timesOneClientLo" },
          y2: { field: "timesOneClientHi" },
          color,
        },
      },
      {
        mark: { type: "point", filled: true, size: 70 },
        encoding: { x, y: { ...y, field: "timesOneClient" }, color },
      },
    ],
  };
}
