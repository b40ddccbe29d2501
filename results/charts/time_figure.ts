import type { ChartSpec } from "./render.ts";

/** From this ratio of the largest to the smallest on, a logarithmic axis shows more. */
const LOG_RATIO = 8;
/** Dots keep this distance from the edges of a panel, in pixels. */
export const EDGE_PIXELS = 12;

/** Whether values lie so far apart, all above 0, that a logarithmic axis suits them. */
export function spansRatios(values: readonly number[]): boolean {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) / least >= LOG_RATIO;
}

/**
 * The channel of a figure in seconds a call: its labels have the unit that fits, as in `250ns`,
 * `1.2µs`, `3ms`. The axis begins at 0, or is logarithmic where the times span ratios.
 *
 * @param seconds the times that the chart shows; without them the axis begins at 0
 *
 * @example
 * ```ts
 * import { timeFigure } from "./time_figure.ts";
 * const { scale } = timeFigure([1e-7, 5e-5]);
 * if (JSON.stringify(scale) !== '{"type":"log","nice":false,"padding":12}') throw new Error("log");
 * ```
 */
export function timeFigure(seconds: readonly number[] = []): ChartSpec {
  const shared = { type: "quantitative", title: "time a call" };
  const labelExpr = "format(datum.value, '~s') + 's'";
  if (!spansRatios(seconds)) return { ...shared, scale: { zero: true }, axis: { labelExpr } };
  const scale = { type: "log", nice: false, padding: EDGE_PIXELS };
  return { ...shared, scale, axis: { labelExpr, values: ticksOf(seconds) } };
}

/** Powers of ten, and 2 and 5 times these where there are few decades. */
function ticksOf(seconds: readonly number[]): number[] {
  const [first, last] = [Math.min(...seconds), Math.max(...seconds)].map(Math.log10);
  const decades = Array.from(
    { length: Math.ceil(last!) - Math.floor(first!) + 1 },
    (_, index) => Math.floor(first!) + index,
  );
  const steps = last! - first! > 3 ? [1] : [1, 2, 5];
  return decades.flatMap((decade) => steps.map((step) => Number(`${step}e${decade}`)));
}
