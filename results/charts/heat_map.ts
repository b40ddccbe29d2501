import { ROUNDS_MIN } from "../statistics/over_rounds.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { type ChartPlan, chartPlans, pointText, valuesOf, wordsOf } from "./panel/chart_plans.ts";
import { chartTitle, FIELD, figureRow, figureText } from "./panel/figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/**
 * A figure over two axes at once, as colours with the figure in each field: times the floor where every
 * row has one, else the time of a call. A figure in brackets has too few rounds behind it.
 *
 * @param rows of one scenario, one at least
 * @param options `plan` says which axes; the first of `chartPlans` when absent
 * @returns nothing when no two axes were swept together
 */
export function heatMap(
  rows: readonly PointSummary[],
  options: { readonly plan?: ChartPlan } = {},
): ChartSpec | undefined {
  const plan = options.plan ?? chartPlans(rows)[0];
  const { place, color, facet, constants } = plan;
  if (place === undefined || color === undefined || facet !== undefined) return undefined;
  const unit = plan.rows.every(({ ratioToControl }) => ratioToControl) ? "ratio" : "seconds";
  const values = plan.rows.map((row) => {
    const interval = unit === "ratio" ? row.ratioToControl! : row.latencySeconds;
    const number = figureText(unit, interval.center);
    const text = row.roundCount < ROUNDS_MIN ? `(${number})` : number;
    return figureRow(row.point, { interval, roundCount: row.roundCount, text });
  });
  const centers = values.map((row) => Number(row[FIELD.center]));
  const what = unit === "ratio" ? `times the floor, ${wordsOf(rows[0]!.control!)}` : "time a call";
  const notes = `In brackets: fewer than ${ROUNDS_MIN} rounds, too few to be sure`;
  return {
    title: chartTitle(rows[0]!.question, [
      [`Median: ${what}`, pointText(constants)].filter(Boolean).join("; "),
      ...values.some((row) => Number(row[FIELD.rounds]) < ROUNDS_MIN) ? [notes] : [],
    ]),
    description: `${rows[0]!.question} Heat map of ${what} over ${wordsOf(place)} and ` +
      `${wordsOf(color)}, ${values.length} fields.`,
    data: { values },
    width: { step: 74 },
    height: { step: 34 },
    ...fieldsOf(plan, Math.sqrt(Math.min(...centers) * Math.max(...centers))),
  };
}

/** Dark fields have white text: those above the middle of the colours. */
function fieldsOf({ rows, place, color }: ChartPlan, middle: number): ChartSpec {
  const axisOf = (axis: string) => ({
    field: axis,
    type: "ordinal",
    title: wordsOf(axis),
    sort: valuesOf(rows, axis),
    axis: { labelAngle: 0, grid: false },
  });
  const scale = { type: "log", scheme: "blues" };
  const shade = { field: FIELD.center, type: "quantitative", scale, legend: null };
  const ink = { condition: { test: `datum.${FIELD.center} > ${middle}`, value: "white" } };
  return {
    encoding: { x: axisOf(place!), y: axisOf(color!) },
    layer: [
      { mark: { type: "rect", stroke: "white", strokeWidth: 2 }, encoding: { color: shade } },
      {
        mark: { type: "text", fontSize: 13 },
        encoding: { text: { field: FIELD.text }, color: { ...ink, value: "black" } },
      },
    ],
  };
}
