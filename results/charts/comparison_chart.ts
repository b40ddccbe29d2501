import type { ComparedPoint, RunComparison } from "../report/compare_runs.ts";
import { threeDigits } from "../../bench/record/duration_text.ts";
import { figureChannel } from "./panel/figure_channel.ts";
import { chartTitle, figureLayers, figureRow } from "./panel/figure_panel.ts";
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
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { compareRuns } from "../report/compare_runs.ts";
 * import { comparisonChart } from "./comparison_chart.ts";
 * const rounds = [0, 1].map((round) => ({ ...sampleRecord, round }));
 * const spec = comparisonChart(compareRuns(rounds, rounds));
 * if (!JSON.stringify(spec?.title).includes("1 same")) throw new Error("a run and itself");
 * ```
 */
export function comparisonChart({ points, confidence }: RunComparison): ChartSpec | undefined {
  const known = points.filter(({ ratio }) => ratio.hi < Infinity)
    .toSorted((left, right) => right.ratio.center - left.ratio.center);
  if (known.length === 0) return undefined;
  const counts = Object.entries(Object.groupBy(points, ({ verdict }) => verdict))
    .map(([verdict, some]) => `${some!.length} ${verdict}`).join(", ");
  const question = "How do the two runs differ?";
  const numbers = known.flatMap(({ ratio }) => [ratio.lo, ratio.hi, 1]);
  const sort = known.map(nameOf);
  return {
    title: chartTitle(question, [
      `${counts}; all verdicts together are right in ${100 * confidence} % of such comparisons`,
      ...known.length === points.length
        ? []
        : [`${points.length - known.length} points with a single round are not shown`],
    ]),
    description: `${question} ${counts}. From ${textOf(known[0]!)}, to ${textOf(known.at(-1)!)}.`,
    data: { values: known.map(rowOf) },
    width: 420,
    height: { step: 24 },
    layer: figureLayers({
      place: { field: "name", type: "nominal", sort, title: null, axis: { labelLimit: 420 } },
      figure: figureChannel({ unit: "ratio", title: "time after, in time before" }, numbers),
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
  };
}

function nameOf({ scenario, pointId }: ComparedPoint): string {
  return `${scenario} ${pointId}`.trim();
}

function rowOf(point: ComparedPoint) {
  const names = { name: nameOf(point), verdict: point.verdict };
  const roundCount = Math.min(...point.roundCounts);
  return figureRow(names, { interval: point.ratio, roundCount, text: textOf(point) });
}

function textOf(point: ComparedPoint): string {
  return `${nameOf(point)} at ${threeDigits(point.ratio.center)} times (${point.verdict})`;
}
