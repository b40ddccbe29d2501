import { scenarios } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { perCall } from "../statistics/per_call.ts";
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

/** Scenarios whose answer is a comparison with one of their references. */
const REFERENCES: Readonly<Record<string, string>> = {
  many_clients: "one_client",
  contention: "cas",
  in_flight: "synchronous",
  native: "in_c",
  printf: "console_log",
  kernel_printf: "in_c",
};

/** What the charts of a run depend on besides its rows. */
export interface ChartOptions extends Omit<AxisChartOptions, "plan"> {
  /** The scenarios that the rows may be of; those of this project when absent. */
  readonly among?: readonly Scenario[];
}

/**
 * The charts of a run. For each scenario, and for each of its axes that was moved alone: the time of a
 * call, and where there is a floor, how many times the floor that is.
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
  const { scenario } = rows[0]!;
  const { among = scenarios, ...drawing } = options;
  const shared = rows.map((row) => perCall(row, among));
  const reference = REFERENCES[scenario];
  return chartPlans(shared).flatMap((plan, index) => {
    const axis = index === 0 ? "" : `_${plan.place}`;
    const question = index === 0 ? {} : {
      question: `What does a call cost, by ${wordsOf(plan.place!)}?`,
    };
    const draw = { ...drawing, ...question, plan };
    return [
      named(axis, latencyChart(shared, draw)),
      // A floor in floors of its own says nothing.
      ...rows[0]!.control === scenario ? [] : named(`${axis}_ratio`, ratioChart(shared, draw)),
      ...named(`${axis}_cpu`, cpuTimeChart(shared, draw)),
      ...named(`${axis}_bytes`, bandwidthChart(shared, draw)),
      ...reference === undefined ? [] : [
        named(`${axis}_${reference}`, referenceChart(shared, { ...draw, reference })),
      ],
    ].flat();
  });
}

function named(name: string, spec: ChartSpec | undefined): NamedSpec[] {
  return spec === undefined ? [] : [{ name, spec }];
}
