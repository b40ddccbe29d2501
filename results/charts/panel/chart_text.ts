import type { AxisValue } from "../../../scenarios/axis.ts";
import type { Interval } from "../../statistics/interval.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import type { ChartPlan } from "./chart_plans.ts";
import { figureText, type FigureUnit } from "./figure_channel.ts";
import { FIELD, type FigureRow } from "./figure_panel.ts";
import { wordsOf } from "./words.ts";

/** A figure of a row that a chart shows. */
export interface Figure {
  readonly unit: FigureUnit;
  readonly title: string;
  readonly intervalOf: (row: PointSummary) => Interval | undefined;
  /** What the figure is compared with: seconds of the floor, or the line at 1. */
  readonly floorOf?: (row: PointSummary) => number | undefined;
  /** One line, which says what 1 or the dashed line is. */
  readonly noteOf: (row: PointSummary) => string | undefined;
}

/** What is drawn, for those who put it into words. */
export interface Drawing {
  readonly plan: ChartPlan;
  readonly figure: Figure;
  readonly values: readonly FigureRow[];
}

/** `201 ns (190 ns to 210 ns)`. */
export function intervalText({ center, lo, hi }: Interval, unit: FigureUnit): string {
  const [middle, low, high] = [center, lo, hi].map((value) => figureText(unit, value));
  return `${middle} (${low} to ${high})`;
}

/** `64 lanes` for a count, the text itself for a name. */
export function seriesText(axis: string, value: AxisValue): string {
  if (typeof value === "string") return value;
  if (!axis.endsWith("Count")) return `${wordsOf(axis)} ${value}`;
  return `${value} ${wordsOf(axis).replace(/ count$/, value === 1 ? "" : "s")}`;
}

/**
 * The lines below the title: what the marks mean, and which points they are.
 *
 * @param leftOut points of the scenario that the chart does not show
 */
export function subtitleOf({ plan, figure, values }: Drawing, leftOut: number): string[] {
  const { rows, constants } = plan;
  const { adapter } = rows[0]!;
  const few = values.some((row) => Number(row[FIELD.rounds]) < ROUNDS_MIN);
  const places = Object.entries(constants).map(([axis, value]) => `${wordsOf(axis)} ${value}`);
  const note = figure.noteOf(rows[0]!);
  return [
    `Median and ${few ? "range" : "interval"} of ${roundsText(rows)}` +
    `${few ? `; hollow: fewer than ${ROUNDS_MIN}, too few to be sure` : ""}`,
    ...note === undefined ? [] : [note],
    [
      ...adapter === undefined ? [] : [`On ${adapter}`],
      ...places.length === 0 ? [] : [`at ${places.join(", ")}`],
      ...leftOutText(leftOut),
    ].join("; ").replace(/^a/, "A"),
  ].filter((line) => line !== "");
}

/** What a chart says of the points that it does not show; nothing when it shows all. */
export function leftOutText(count: number): string[] {
  return count === 0 ? [] : [`${countText(count, "other point")} not shown here`];
}

function roundsText(rows: readonly PointSummary[]): string {
  const counts = rows.map(({ roundCount }) => roundCount);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? countText(least, "round") : `${least} to ${most} rounds`;
}

/** `1 round`, `2 rounds`. */
function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** What a reader who does not see the chart wants to know first. */
export function altText({ plan, figure, values }: Drawing): string {
  const sorted = values.toSorted((left, right) =>
    Number(left[FIELD.center]) - Number(right[FIELD.center])
  );
  const { place, color, facet, rows } = plan;
  const over = [place, color, facet].flatMap((axis) => axis === undefined ? [] : wordsOf(axis));
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map((row) => row[FIELD.text]);
  const range = rows.length === 1 ? `${least}` : `From ${least}, to ${most}`;
  return `${rows[0]!.question} Chart of ${figure.title}` +
    `${over.length === 0 ? "" : ` over ${over.join(", ")}`}, ${
      countText(rows.length, "point")
    }. ${range}.`;
}
