import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { Chart } from "../../charts/chart.ts";
import { chartsOf } from "../../charts/charts_of.ts";
import { ecdfChart } from "../../charts/distribution_charts.ts";
import { heatMap } from "../../charts/heat_map.ts";
import { singleCallsChart } from "../../charts/single_calls_chart.ts";
import type { RunRecord } from "../../../bench/record/record.ts";
import { type PointSummary, secondsPerCall } from "../../statistics/summary.ts";
import { escaped, jsonScript } from "./html.ts";

/** More curves than these hide one another. */
const CURVES_MAX = 6;

/** What a run's charts are made of. */
export interface ChartSources {
  readonly rows: readonly PointSummary[];
  readonly records: readonly RunRecord[];
  /** Names the row of a table that a dot leads to. */
  readonly idOf: (row: PointSummary) => string;
}

/** The charts of a run for the script of the page, each with its question and its words. */
export function chartFigures({ rows, records, idOf }: ChartSources): string {
  const linkOf = (row: PointSummary) => `#${idOf(row)}`;
  const charts = chartsOf(rows, { isInteractive: true, linkOf });
  const byScenario = Map.groupBy(charts, ({ scenario }) => scenario);
  return [...byScenario].flatMap(([scenario, some]) => {
    const own = rows.filter((row) => row.scenario === scenario);
    const [map, calls] = [heatMap(own), singleCallsChart(own)];
    return [
      ...some.map(({ chart }) => chart),
      ...[map, calls].flatMap((spec) => spec ? [new Chart(spec)] : []),
      scatterChart(own, records),
    ].map(chartFigure);
  }).join("\n");
}

function scatterChart(rows: readonly PointSummary[], records: readonly RunRecord[]): Chart {
  const series = rows.slice(0, CURVES_MAX).map(({ scenario, pointId }) => ({
    name: pointId || scenario,
    seconds: records.filter((one) => one.scenario === scenario && one.pointId === pointId)
      .flatMap(secondsPerCall),
  }));
  const question = `How do the samples of ${rows[0]!.scenario} scatter?`;
  return new Chart(ecdfChart(series, { question, leftOut: rows.length - series.length }));
}

/**
 * A chart for the script of the page. Its title is text of the page, which wraps where a picture's
 * title would be cut.
 */
export function chartFigure(chart: Chart): string {
  const { title, description: _, ...spec } = chart.spec;
  const { text, subtitle } = title as { text: string | string[]; subtitle: readonly string[] };
  const wide = "layer" in spec || "mark" in spec
    ? { width: "container", autosize: { type: "fit-x", contains: "padding" } }
    : {};
  const config = { ...Object(spec.config), aria: false }; // its place has the words
  const whole = { ...spec, ...wide, config } as unknown as TopLevelSpec;
  // Its only warning is of the heights that follow from rows, which are wanted.
  const { spec: compiled } = compile(whole, { logger: vega.logger(vega.Error) });
  return `<figure>
<figcaption><strong>${escaped([text].flat().join(" "))}</strong>
${subtitle.map((line) => `<span>${escaped(line)}</span>`).join("\n")}</figcaption>
<div class="chart" role="img" aria-label="${escaped(chart.alt)}"></div>
${jsonScript(compiled)}
</figure>`;
}
