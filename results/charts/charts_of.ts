import type { Point } from "../../scenarios/axis.ts";
import { scenarios } from "../../bench/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { Chart } from "./chart.ts";
import { defaultChart } from "./default_chart.ts";
import { manyClientsChart } from "./many_clients_chart.ts";
import type { ChartSpec } from "./render.ts";
import { roundTripChart, waitingChart } from "./round_trip_charts.ts";

/** A chart with the name of its files. */
export interface NamedChart {
  /** That of its scenario, or of the special chart. */
  readonly name: string;
  /** What can be drawn. */
  readonly chart: Chart;
}

/** Draws rows of one scenario, or nothing when they lack what it is about. */
type Draw = (rows: readonly PointSummary[]) => ChartSpec | undefined;

/** The charts that say more than the default one, each with its name: one line each. */
export const SPECIAL_CHARTS: readonly {
  readonly scenario: string;
  readonly name: string;
  readonly draw: Draw;
}[] = [
  { scenario: "round_trip", name: "round_trip", draw: roundTripChart },
  { scenario: "round_trip", name: "waiting", draw: waitingChart },
  { scenario: "many_clients", name: "many_clients", draw: manyClientsChart },
];

/** What the charts of a run depend on besides its rows. */
export interface ChartOptions {
  /** Lines to add below the title of the charts of these rows. */
  readonly notesOn?: (rows: readonly PointSummary[]) => readonly string[];
  /** The scenarios that the rows may be of; those of this project when absent. */
  readonly among?: readonly Scenario[];
}

/**
 * The charts of a run: of each scenario the special ones that it has rows for, else the default one.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { chartsOf } from "./charts_of.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const names = chartsOf(summarize([sampleRecord])).map(({ name }) => name);
 * if (names.join() !== "round_trip,waiting") throw new Error(names.join());
 * ```
 */
export function chartsOf(
  rows: readonly PointSummary[],
  options: ChartOptions = {},
): NamedChart[] {
  const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
  return [...byScenario.keys()].sort(byReport).flatMap((scenario) => {
    const own = byScenario.get(scenario)!;
    const notes = options.notesOn?.(own) ?? [];
    return specsOf(own, options).map(({ name, spec }) => ({
      name,
      chart: new Chart(withNotes(spec, notes)),
    }));
  });
}

/** Scenarios with special charts first, in the order of these; the others by their names. */
function byReport(left: string, right: string): number {
  const [first, second] = [left, right].map((name) =>
    SPECIAL_CHARTS.findIndex(({ scenario }) => scenario === name) >>> 0
  );
  return first! - second! || (left < right ? -1 : 1);
}

function specsOf(
  rows: readonly PointSummary[],
  { among = scenarios }: ChartOptions,
): { readonly name: string; readonly spec: ChartSpec }[] {
  const { scenario } = rows[0]!;
  const special = SPECIAL_CHARTS.filter((chart) => chart.scenario === scenario)
    .flatMap(({ name, draw }) => {
      const spec = draw(rows);
      return spec ? [{ name, spec }] : [];
    });
  if (special.length > 0) return special;
  const known = among.find(({ name }) => name === scenario);
  const callsPerTurn = (point: Point) => known?.callsPerTurn?.(point) ?? 1;
  return [{ name: scenario, spec: defaultChart(rows, { callsPerTurn }) }];
}

function withNotes(spec: ChartSpec, notes: readonly string[]): ChartSpec {
  const title = spec.title as { readonly subtitle: readonly string[] };
  return { ...spec, title: { ...title, subtitle: [...title.subtitle, ...notes] } };
}
