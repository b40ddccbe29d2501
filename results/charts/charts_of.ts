import { Chart } from "./chart.ts";
import { gpuEpochChart, gpuEpochRows } from "./gpu_epoch_chart.ts";
import { gpuLiveChart, gpuLiveRows } from "./gpu_live_chart.ts";
import { gpuLockChart, gpuLockRows } from "./gpu_lock_chart.ts";
import { gpuServerChart, gpuServerRows } from "./gpu_server_chart.ts";
import { manyClientsChart, manyClientsRows } from "./many_clients_chart.ts";
import type { ChartSpec } from "./render.ts";
import { roundTripChart, roundTripRows } from "./round_trip_charts.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { waitingChart, waitingRows } from "./waiting_chart.ts";

/** A chart with the name of its files. */
export interface NamedChart {
  readonly name: string;
  readonly chart: Chart;
}

/**
 * The charts that the summaries have something for, in the order of the report.
 *
 * @param options `note` is added to the subtitle of each
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { chartsOf } from "./charts_of.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const [first] = chartsOf(summarize([sampleRecord]));
 * if (first?.name !== "round_trip") throw new Error("a chart of the only point");
 * ```
 */
export function chartsOf(
  summaries: readonly PointSummary[],
  options: { readonly note?: string } = {},
): NamedChart[] {
  const named = chartMaker(options.note);
  return [
    ...named("round_trip", roundTripRows(summaries), roundTripChart),
    ...named("waiting", waitingRows(summaries), waitingChart),
    ...named("many_clients", manyClientsRows(summaries), manyClientsChart),
    ...named("gpu_epoch", gpuEpochRows(summaries), gpuEpochChart),
    ...named("gpu_live", gpuLiveRows(summaries), gpuLiveChart),
    ...named("gpu_lock", gpuLockRows(summaries), gpuLockChart),
    ...named("gpu_server", gpuServerRows(summaries), gpuServerChart),
  ];
}

function chartMaker(note: string | undefined) {
  return function named<Row>(
    name: string,
    rows: readonly Row[],
    specOf: (rows: readonly Row[]) => ChartSpec,
  ): NamedChart[] {
    return rows.length === 0 ? [] : [{ name, chart: new Chart(withNote(specOf(rows), note)) }];
  };
}

function withNote(spec: ChartSpec, note: string | undefined): ChartSpec {
  if (note === undefined) return spec;
  const title = spec.title as { readonly subtitle?: string | readonly string[] };
  return { ...spec, title: { ...title, subtitle: [title.subtitle ?? [], note].flat() } };
}
