import { shortNumber, type Winner } from "../report/answer.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { COLORS } from "./axis_chart.ts";
import { pointText, valuesOf, wordsOf } from "./panel/chart_plans.ts";
import { chartTitle } from "./panel/figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/** What a field says where no value is surely fastest. */
const NOBODY = "not sure";

/**
 * A map of winners: which value of the compared axis is fastest over the other axes, and how many times
 * faster than the next. The axis with most values lies below, the others are beside the rows.
 *
 * @param winners of one scenario
 * @param options `rows` are those of the scenario; `answer` is the title
 * @returns nothing for fewer than two places, which a sentence says better
 */
export function winnerMap(
  winners: readonly Winner[],
  options: { readonly rows: readonly PointSummary[]; readonly answer: string },
): ChartSpec | undefined {
  const { rows, answer } = options;
  const [{ compares, question }] = rows as [PointSummary];
  if (winners.length < 2 || compares === undefined) return undefined;
  const others = Object.keys(winners[0]!.at).filter((axis) => valuesOf(rows, axis).length > 1)
    .toSorted((left, right) => valuesOf(rows, right).length - valuesOf(rows, left).length);
  const [below, ...beside] = others as [string, ...string[]];
  const values = winners.map(({ at, way, timesFasterThan: [next], isSure }) => ({
    place: at[below],
    row: pointText(Object.fromEntries(beside.map((axis) => [axis, at[axis]!]))),
    winner: isSure ? String(way) : NOBODY,
    label: isSure ? `${way}\n${shortNumber(next![1].center)}×` : NOBODY,
    text: `${pointText(at)}: ${way} ${shortNumber(next![1].center)} times faster than ${next![0]}`,
  }));
  const longest = Math.max(...values.map(({ winner }) => winner.length));
  return {
    title: chartTitle(answer, [
      question,
      `A field has the fastest ${wordsOf(compares)}, and how many times faster than the next it is`,
    ]),
    description: `${answer} Map of the fastest ${wordsOf(compares)} over ` +
      `${others.map(wordsOf).join(", ")}, ${winners.length} fields.`,
    data: { values },
    width: { step: Math.max(80, 10 * longest) },
    height: { step: 48 },
    encoding: {
      x: {
        field: "place",
        type: "ordinal",
        title: wordsOf(below),
        sort: valuesOf(rows, below),
        axis,
      },
      y: { field: "row", type: "nominal", title: null, axis },
    },
    layer: [fieldLayer(valuesOf(rows, compares).map(String)), textLayer],
  };
}

const axis = { labelAngle: 0, grid: false, ticks: false, domain: false };

function fieldLayer(ways: readonly string[]): ChartSpec {
  const domain = [...ways, NOBODY];
  const range = [...ways.map((_, index) => COLORS[index % COLORS.length]), "#d8d8d8"];
  return {
    mark: { type: "rect", stroke: "white", strokeWidth: 2, opacity: 0.45 },
    encoding: {
      color: {
        field: "winner",
        type: "nominal",
        scale: { domain, range },
        legend: { title: null, orient: "bottom", columns: 3 },
      },
      tooltip: { field: "text" },
    },
  };
}

const textLayer: ChartSpec = {
  mark: { type: "text", fontSize: 13, lineBreak: "\n", dy: -8, color: "black" },
  encoding: { text: { field: "label" } },
};
