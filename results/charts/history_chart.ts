import { historyText, type PointHistory } from "../report/runs/history.ts";
import { COLORS } from "./axis_chart.ts";
import { chartTitle, FIELD, figureChannel, figureRow, figureText } from "./panel/figure_panel.ts";
import type { ChartSpec } from "./render.ts";

/** Lines of a chart at most: those that changed most. */
const LINES_MAX = 6;

/**
 * How points moved over runs: a line for each, with intervals, and a mark where its level changes, with
 * how many times as long a call takes from there on.
 *
 * @param histories of one scenario and one machine, one at least; those that changed most first
 */
export function historyChart(histories: readonly PointHistory[]): ChartSpec {
  const drawn = histories.slice(0, LINES_MAX);
  const runs = new Map(
    drawn.flatMap(({ entries }) => entries).map(({ runId, startedAt, commit }) => [
      `${startedAt} ${runId}`,
      commit.slice(0, 7),
    ]),
  );
  const order = [...runs.keys()].sort();
  const isRatio = drawn.every((one) => one.isRatio);
  const unit = isRatio ? "ratio" : "seconds";
  const values = drawn.flatMap(({ name, entries, changes }) =>
    entries.map(({ runId, startedAt, commit, figure }, index) => {
      const change = changes.find(({ at }) => at === index);
      const key = `${startedAt} ${runId}`;
      const text = `${name}, ${commit.slice(0, 12)}: ${figureText(unit, figure.center)}`;
      return {
        ...figureRow({ run: order.indexOf(key) + 1, name }, {
          ...{ interval: figure, roundCount: 1, text },
        }),
        commit: runs.get(key)!,
        ...change && { change: `× ${change.ratio.toPrecision(3)}` },
      };
    })
  );
  const figure = figureChannel(
    { unit, title: isRatio ? "times the floor" : "time a call" },
    drawn.flatMap(({ entries }) => entries.flatMap(({ figure: { lo, hi } }) => [lo, hi])),
  );
  const place = {
    field: "run",
    type: "ordinal",
    title: "commit, run by run",
    axis: { labelExpr: `${JSON.stringify(order.map((key) => runs.get(key)))}[datum.value - 1]` },
  };
  const question = `How did ${drawn[0]!.scenario} move over ${order.length} runs?`;
  const changed = drawn.filter(({ changes }) => changes.length > 0).length;
  const left = histories.length - drawn.length;
  return {
    title: chartTitle(question, [
      `${changed} of ${drawn.length} points changed: a triangle marks where`,
      ...left === 0 ? [] : [`${left} points that changed less are not shown`],
    ]),
    description: `${question} ${drawn.map(historyText).join("; ")}.`,
    data: { values },
    width: 540,
    height: 260,
    layer: layersOf({ place, figure }),
  };
}

function layersOf({ place, figure }: { readonly place: ChartSpec; readonly figure: ChartSpec }) {
  const legend = { orient: "bottom", columns: 1, title: null, labelLimit: 500 };
  const color = { field: "name", type: "nominal", scale: { range: COLORS }, legend };
  const center = { x: place, y: { ...figure, field: FIELD.center }, color };
  const range = { y: { ...figure, field: FIELD.lo }, y2: { field: FIELD.hi } };
  const isChange = { filter: "isValid(datum.change)" };
  return [
    { mark: { type: "rule", strokeWidth: 3, opacity: 0.4 }, encoding: { ...center, ...range } },
    { mark: "line", encoding: center },
    {
      mark: { type: "point", filled: true, size: 45 },
      encoding: { ...center, tooltip: { field: FIELD.text } },
    },
    {
      transform: [isChange],
      mark: { type: "point", shape: "triangle-up", size: 220, strokeWidth: 2.5, yOffset: 0 },
      encoding: center,
    },
    {
      transform: [isChange],
      mark: { type: "text", dy: -18, fontSize: 13, fontWeight: "bold" },
      encoding: { ...center, text: { field: "change" } },
    },
  ];
}
