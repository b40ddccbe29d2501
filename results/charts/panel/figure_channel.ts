import { durationText, threeDigits } from "../../../bench/record/duration_text.ts";
import type { ChartSpec } from "../render.ts";

/** From this ratio of the largest to the smallest on, a logarithmic axis shows more. */
const LOG_RATIO = 8;
/** Dots keep this distance from the edges of a panel, in pixels. */
export const EDGE_PIXELS = 12;

/** What a figure counts: seconds, calls a second, or times another figure. */
export type FigureUnit = "seconds" | "rate" | "ratio";

/** Labels with the prefix that fits and its unit, as a person writes them: `10 ms`, `4.5 M/s`. */
const LABELS: Readonly<Record<FigureUnit, string>> = {
  seconds:
    "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), regexp('([^0-9.]?)$'), ' $1s')",
  rate:
    "datum.value === 0 ? '0' : replace(format(datum.value, '~s'), regexp('([^0-9.]?)$'), ' $1/s')",
  ratio: "format(datum.value, '~g')",
};

/** Whether values lie so far apart, all above 0, that a logarithmic axis suits them. */
export function spansRatios(values: readonly number[]): boolean {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) / least >= LOG_RATIO;
}

/**
 * Whether a figure is drawn on a logarithmic axis: ratios always, because twice as much and half as
 * much are equally far from 1; others where their values lie far apart.
 */
export function isLogarithmic(unit: FigureUnit, values: readonly number[]): boolean {
  return spansRatios(values) || (unit === "ratio" && Math.min(...values) > 0);
}

/**
 * The channel of a figure: its scale, and labels in the unit that fits. A linear axis begins at 0.
 *
 * @param values what the chart shows, one at least
 *
 * @example
 * ```ts
 * import { figureChannel } from "./figure_channel.ts";
 * const { scale } = figureChannel({ unit: "seconds", title: "time a call" }, [1e-7, 5e-5]);
 * if (JSON.stringify(scale) !== '{"type":"log","nice":false,"padding":12}') throw new Error("log");
 * ```
 */
export function figureChannel(
  { unit, title }: { readonly unit: FigureUnit; readonly title: string },
  values: readonly number[],
): ChartSpec {
  const shared = { type: "quantitative", title };
  const axis = { labelExpr: LABELS[unit], grid: true };
  if (!isLogarithmic(unit, values)) return { ...shared, scale: { zero: true }, axis };
  const scale = { type: "log", nice: false, padding: EDGE_PIXELS };
  const isWide = Math.max(...values) / Math.min(...values) > 2;
  return { ...shared, scale, axis: { ...axis, ...(isWide && { values: ticksOf(values) }) } };
}

/** Powers of ten; with 2 and 5 times these where there are few, and more where there is hardly one. */
function ticksOf(values: readonly number[]): number[] {
  const [first, last] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const decades = Array.from(
    { length: Math.ceil(last!) - Math.floor(first!) + 1 },
    (_, index) => Math.floor(first!) + index,
  );
  const span = last! - first!;
  const steps = span > 3 ? [1] : span > 1 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  return decades.flatMap((decade) => steps.map((step) => Number(`${step}e${decade}`)));
}

/** A value of a figure as text: `201 ns`, `4980000/s`, `2.02`. */
export function figureText(unit: FigureUnit, value: number): string {
  if (unit === "seconds") return durationText(value);
  return threeDigits(value) + (unit === "rate" ? "/s" : "");
}
