import type { PointSummary } from "../statistics/summary.ts";
import {
  bandwidthChart,
  cpuTimeChart,
  latencyChart,
  ratioChart,
  referenceChart,
} from "./axis_charts.ts";
import { Chart } from "./chart.ts";
import type { AxisChartOptions } from "./panel/axis_chart.ts";
import { chartPlans } from "./panel/chart_plans.ts";
import { wordsOf } from "./panel/words.ts";
import type { ChartSpec } from "./render.ts";

/** A chart with the name of its files. */
export interface NamedChart {
  /** That of its scenario, and what tells it from the others of it. */
  readonly name: string;
  /** The name of the scenario. */
  readonly scenario: string;
  /** What can be drawn. */
  readonly chart: Chart;
}

/** What the charts of a run depend on besides its rows. */
export type ChartOptions = Omit<AxisChartOptions, "plan">;

/**
 * The charts of a run. For each scenario, and for each of its axes that was moved alone: the time of a
 * call, and where there is a floor, how many times the floor that is; and how many times faster than
 * the reference that the answer is a comparison with.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { chartsOf } from "./charts_of.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const names = chartsOf(summarize([sampleRecord])).map(({ name }) => name);
 * if (names.join() !== "round_trip,round_trip_ratio") throw new Error(names.join());
 * ```
 */
export function chartsOf(
  rows: readonly PointSummary[],
  options: ChartOptions = {},
): NamedChart[] {
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  return [...byScenario.keys()].sort().flatMap((scenario) =>
    specsOf(byScenario.get(scenario)!, options).map(({ name, spec }) => ({
      name: `${scenario}${name}`,
      scenario,
      chart: new Chart(spec),
    }))
  );
}

interface NamedSpec {
  readonly name: string;
  readonly spec: ChartSpec;
}

function specsOf(rows: readonly PointSummary[], options: ChartOptions): NamedSpec[] {
  const { scenario, mainReference: reference } = rows[0]!;
  return chartPlans(rows).flatMap((plan, index) => {
    const axis = index === 0 ? "" : `_${plan.place}`;
    const question = index === 0 ? {} : {
      question: `What does a call cost, by ${wordsOf(plan.place!)}?`,
    };
    const draw = { ...options, ...question, plan };
    return [
      named(axis, latencyChart(rows, draw)),
      // A floor in floors of its own says nothing.
      ...rows[0]!.control === scenario ? [] : named(`${axis}_ratio`, ratioChart(rows, draw)),
      ...named(`${axis}_cpu`, cpuTimeChart(rows, draw)),
      ...named(`${axis}_bytes`, bandwidthChart(rows, draw)),
      ...reference === undefined ? [] : [
        named(`${axis}_${reference}`, referenceChart(rows, { ...draw, reference })),
      ],
    ].flat();
  });
}

function named(name: string, spec: ChartSpec | undefined): NamedSpec[] {
  return spec === undefined ? [] : [{ name, spec }];
}
