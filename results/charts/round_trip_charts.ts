import type { Interval } from "../statistics/interval.ts";
import type { ChartSpec } from "./render.ts";
import type { PointSummary } from "../statistics/summary.ts";

/** One dot of the chart; durations in nanoseconds, because axes show them so. */
export interface RoundTripRow {
  readonly portCount: number;
  readonly laneCount: number;
  readonly waiting: string;
  readonly latencyNanoseconds: number;
  readonly loNanoseconds: number;
  readonly hiNanoseconds: number;
  readonly floorNanoseconds: number;
  readonly ratio: number;
  readonly ratioLo: number;
  readonly ratioHi: number;
}

/** What the chart draws of a run: the points of the waiting that was swept most. */
export function roundTripRows(summaries: readonly PointSummary[]): RoundTripRow[] {
  const rows = summaries.flatMap(rowOf);
  const byWaiting = [...Map.groupBy(rows, ({ waiting }) => waiting).values()];
  return byWaiting.sort((left, right) => right.length - left.length)[0] ?? [];
}

function rowOf(summary: PointSummary): RoundTripRow[] {
  const { scenario, point, latencySeconds, controlSeconds, ratioToControl } = summary;
  if (scenario !== "round_trip" || !controlSeconds || !ratioToControl) return [];
  const latency = inNanoseconds(latencySeconds);
  return [{
    portCount: Number(point.portCount),
    laneCount: Number(point.laneCount),
    waiting: String(point.waiting),
    latencyNanoseconds: latency.center,
    loNanoseconds: latency.lo,
    hiNanoseconds: latency.hi,
    floorNanoseconds: inNanoseconds(controlSeconds).center,
    ratio: ratioToControl.center,
    ratioLo: ratioToControl.lo,
    ratioHi: ratioToControl.hi,
  }];
}

function inNanoseconds({ center, lo, hi }: Interval): { center: number; lo: number; hi: number } {
  return { center: center * 1e9, lo: lo * 1e9, hi: hi * 1e9 };
}

const PANEL = { width: 380, height: 260 } as const;

/**
 * What one call costs over ports, by lanes: in nanoseconds, and in floors of the same moment.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { roundTripChart, roundTripRows } from "./round_trip_charts.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const spec = roundTripChart(roundTripRows(summarize([sampleRecord])));
 * if (spec.data === undefined) throw new Error("the rows are inside");
 * ```
 */
export function roundTripChart(rows: readonly RoundTripRow[]): ChartSpec {
  const [clientWaiter = "?", serverWaiter = "?"] = rows[0]?.waiting.split("+") ?? [];
  return {
    title: {
      text: "What does one synchronous call cost as ports and lanes grow?",
      subtitle: [
        `Median and 95 % interval; the client waits by ${clientWaiter}, the server by ${serverWaiter}`,
        "Dashed: the floor, two bare flags between the same two threads, sampled in turn",
      ],
      anchor: "start",
    },
    data: { values: rows },
    hconcat: [
      {
        ...PANEL,
        layer: panelLayers({ y: "latencyNanoseconds", lo: "loNanoseconds", hi: "hiNanoseconds" }, {
          title: "nanoseconds a call",
          floor: { aggregate: "median", field: "floorNanoseconds", type: "quantitative" },
        }),
      },
      {
        ...PANEL,
        layer: panelLayers({ y: "ratio", lo: "ratioLo", hi: "ratioHi" }, {
          title: "times the floor",
          floor: { datum: 1 },
        }),
      },
    ],
  };
}

type Field = keyof RoundTripRow;

function panelLayers(
  fields: { readonly y: Field; readonly lo: Field; readonly hi: Field },
  options: { readonly title: string; readonly floor: ChartSpec },
): ChartSpec[] {
  const x = {
    field: "portCount",
    type: "quantitative",
    scale: { type: "log", base: 2 },
    axis: { values: [1, 4, 16, 64, 256, 1024, 4096], format: "d" },
    title: "ports",
  };
  const y = { field: fields.y, type: "quantitative", title: options.title };
  const color = {
    field: "laneCount",
    type: "ordinal",
    title: "lanes",
    scale: { scheme: "viridis" },
  };
  return [
    { mark: { type: "rule", strokeDash: [5, 4], color: "gray" }, encoding: { y: options.floor } },
    {
      mark: { type: "rule", strokeWidth: 2, opacity: 0.6 },
      encoding: { x, y: { ...y, field: fields.lo }, y2: { field: fields.hi }, color },
    },
    { mark: { type: "line", point: true }, encoding: { x, y, color } },
  ];
}
