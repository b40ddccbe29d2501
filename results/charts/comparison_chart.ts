import { type ComparedPoint, type RunComparison, verdictCounts } from "../report/compare_runs.ts";
import { countText, percentText, pointName, threeDigits } from "../../bench/record/record.ts";
import { chartTitle, figureChannel, figureLayers, figureRow } from "./panel/figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/** Blue and vermilion are told apart by everybody; undecided is grey. */
const VERDICT_COLORS = {
  faster: "#0072B2",
  slower: "#D55E00",
  same: "#009E73",
  undecided: "#888888",
} as const;

/**
 * How two runs differ, a line for each point: after in before, with the interval that its verdict is
 * made of, and a line at 1. The largest changes for the worse are on top.
 *
 * @returns nothing when no point has rounds enough to be compared
 */
export function comparisonChart({ points, confidence }: RunComparison): ChartSpec | undefined {
  const known = points.filter(({ ratio }) => ratio.hi < Infinity)
    .toSorted((left, right) => right.ratio.center - left.ratio.center);
  if (known.length === 0) return undefined;
  const counts = verdictCounts(points);
  const question = "How do the two runs differ?";
  const place = { field: "name", type: "nominal", sort: known.map(pointName), axis: null };
  return {
    title: chartTitle(question, [
      `${counts}; where nothing has changed, ${percentText(1 - confidence)} of such comparisons ` +
      "have a false alarm at most",
      ...known.length === points.length
        ? []
        : [`Without ${countText(points.length - known.length, "point")} of a single round`],
    ]),
    description: `${question} ${counts}. From ${textOf(known[0]!)}, to ${textOf(known.at(-1)!)}.`,
    data: { values: known.map(rowOf) },
    width: 540,
    height: { step: 40 },
    layer: [
      ...figureLayers({
        place,
        figure: figureOf(known),
        color: {
          field: "verdict",
          type: "nominal",
          title: null,
          scale: { domain: Object.keys(VERDICT_COLORS), range: Object.values(VERDICT_COLORS) },
          legend: { orient: "bottom" },
        },
        floor: { datum: 1 },
        isHorizontal: true,
      }),
      namesOver(place),
    ],
  };
}

/** An interval that reaches further than this from all centres is cut: it says that nothing is known. */
const REACH = 4;

function figureOf(points: readonly ComparedPoint[]): ChartSpec {
  const centers = [1, ...points.map(({ ratio }) => ratio.center)];
  const least = Math.max(
    Math.min(...points.map(({ ratio }) => ratio.lo), 1),
    Math.min(...centers) / REACH,
  );
  const most = Math.min(
    Math.max(...points.map(({ ratio }) => ratio.hi), 1),
    Math.max(...centers) * REACH,
  );
  const title = "time after, in time before";
  const figure = figureChannel({ unit: "ratio", title }, [least, most]);
  const scale = { ...Object(figure.scale), domain: [least, most], clamp: true };
  const axis = Object(figure.axis) as { readonly values?: readonly number[] };
  const values = axis.values?.filter((tick) => tick >= least && tick <= most);
  return { ...figure, scale, axis: { ...axis, ...(values && { values }) } };
}

/** The name of a point above its interval, where it has room on a narrow page too. */
function namesOver(place: ChartSpec): ChartSpec {
  return {
    mark: { type: "text", align: "left", baseline: "bottom", dy: -7, fontSize: 11.5 },
    encoding: { y: place, x: { value: 2 }, text: { field: "name" } },
  };
}

function rowOf(point: ComparedPoint) {
  const names = { name: pointName(point), verdict: point.verdict };
  const roundCount = Math.min(...point.roundCounts);
  return figureRow(names, { interval: point.ratio, roundCount, text: textOf(point) });
}

function textOf(point: ComparedPoint): string {
  return `${pointName(point)} at ${threeDigits(point.ratio.center)} times (${point.verdict})`;
}
