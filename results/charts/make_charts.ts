import type { RunRecord } from "../../bench/record/record.ts";
import { winnersOf, winnersText } from "../report/answer.ts";
import { questionOrder } from "../report/question_order.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { axisChart, type AxisChartOptions, FIGURES, referenceFigure } from "./axis_chart.ts";
import { Chart } from "./chart.ts";
import { type ChartFigure, chartPlans, wordsOf } from "./panel/chart_plans.ts";
import { waterfallChart } from "./waterfall_chart.ts";
import { winnerMap } from "./winner_map.ts";

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
export interface ChartOptions extends Omit<AxisChartOptions, "plan" | "answer"> {
  /**
   * What the rows were summed up from. With them, charts of a scenario that compares have its answer as
   * their title, and a map of winners beside them.
   */
  readonly records?: readonly RunRecord[];
}

/**
 * The charts of a run. For each scenario, and for each of its axes that was moved alone: the time of a
 * call, and where there is a floor, how many times the floor that is; and how many times faster than
 * the reference that the answer is a comparison with. A scenario of steps has what each of them adds.
 * The scenarios are in the order in which a reader wants their answers, the main question first.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { makeCharts } from "./make_charts.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const names = makeCharts(summarize([sampleRecord])).map(({ name }) => name);
 * if (names.join() !== "round_trip,round_trip_ratio") throw new Error(names.join());
 * ```
 */
export function makeCharts(
  rows: readonly PointSummary[],
  options: ChartOptions = {},
): NamedChart[] {
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  return questionOrder(rows)
    .flatMap((scenario) => chartsOf(byScenario.get(scenario)!, options));
}

function chartsOf(
  rows: readonly PointSummary[],
  { records = [], ...options }: ChartOptions,
): NamedChart[] {
  const { scenario, mainReference: reference } = rows[0]!;
  const steps = waterfallChart(rows);
  const winners = winnersOf(records, scenario);
  const answer = winners.length === 0 ? undefined : winnersText(winners);
  const map = answer && winnerMap(winners, { rows, answer });
  const charts = chartPlans(rows).flatMap((plan, index) => {
    const axis = index === 0 ? "" : `_${plan.place}`;
    const question = index === 0 ? { ...answer !== undefined && { answer } } : {
      question: `What does a call cost, by ${wordsOf(plan.place!)}?`,
    };
    const draw = { ...options, ...question, plan };
    const drawn = (name: string, figure: ChartFigure) => {
      const spec = axisChart(rows, figure, draw);
      if (spec === undefined) return [];
      return [{ name: scenario + axis + name, scenario, chart: new Chart(spec) }];
    };
    return [
      drawn("", FIGURES.latency),
      // A floor in floors of its own says nothing.
      rows[0]!.control === scenario ? [] : drawn("_ratio", FIGURES.ratio),
      drawn("_cpu", FIGURES.cpuTime),
      drawn("_bytes", FIGURES.bandwidth),
      reference === undefined ? [] : drawn(`_${reference}`, referenceFigure(reference)),
    ].flat();
  });
  if (map) charts.unshift({ name: `${scenario}_winners`, scenario, chart: new Chart(map) });
  if (steps) charts.push({ name: `${scenario}_waterfall`, scenario, chart: new Chart(steps) });
  return charts;
}
