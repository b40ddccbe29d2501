import { comparePoints } from "../statistics/compare_points.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { threeDigits } from "../../bench/record/record.ts";
import { wordsOf } from "./panel/chart_plans.ts";
import { chartTitle } from "./panel/figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/** The axis of a scenario each of whose points is the one before and a step more. */
const AXIS = "step";
/** Blue for what a step adds, vermilion for what one saves. */
const COLORS = { domain: [true, false], range: ["#0072B2", "#D55E00"] };

/**
 * What each step adds, in floors: a bar from the median of the step before to its own, with the interval of
 * its own. The names of the steps begin with their numbers, which keep the order.
 *
 * @param rows of one scenario
 * @returns nothing where a point has another axis than `step`, or a row has no floor
 */
export function waterfallChart(rows: readonly PointSummary[]): ChartSpec | undefined {
  const isOfSteps = rows.every(({ point, ratioToControl }) =>
    ratioToControl !== undefined && Object.keys(point).join() === AXIS
  );
  if (!isOfSteps) return undefined;
  const sorted = rows.toSorted((left, right) => comparePoints(left.point, right.point));
  const values = sorted.map(({ point, ratioToControl }, at) => {
    const { center: to, lo, hi } = ratioToControl!;
    const from = at === 0 ? 0 : sorted[at - 1]!.ratioToControl!.center;
    const name = String(point[AXIS]).replace(/^\d+_/, at === 0 ? "" : "+ ");
    const text = at === 0
      ? threeDigits(to)
      : (to < from ? "-" : "+") + Math.abs(to - from).toFixed(2);
    return { name: wordsOf(name), from, to, lo, hi, isMore: to >= from, text };
  });
  const { question, control } = rows[0]!;
  const [first, last] = [values[0]!, values.at(-1)!];
  const y = { field: "name", type: "nominal", title: null, sort: null };
  const figure = { type: "quantitative", title: "times the floor" };
  const channel = (field: string) => ({ field, ...figure });
  return {
    title: chartTitle(question, [
      `1 is the floor: ${
        wordsOf(control!)
      }; lines are the intervals of the sums, bars what a step adds`,
    ]),
    description: `${question} From ${threeDigits(first.to)} times the floor with ${first.name} to ${
      threeDigits(last.to)
    } in ${values.length} steps.`,
    data: { values },
    width: 540,
    height: { step: 30 },
    encoding: { y },
    layer: [
      {
        mark: { type: "bar", size: 16 },
        encoding: {
          x: channel("from"),
          x2: { field: "to" },
          color: { field: "isMore", type: "nominal", scale: COLORS, legend: null },
        },
      },
      { mark: "rule", encoding: { x: channel("lo"), x2: { field: "hi" } } },
      {
        mark: { type: "text", align: "left", dx: 6 },
        encoding: { x: channel("hi"), text: { field: "text" } },
      },
    ],
  };
}
