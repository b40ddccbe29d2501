import type { ChartSpec } from "./render.ts";

/** Encodings of a chart whose dots carry their interval; fields are names of a row. */
export interface IntervalEncoding {
  readonly x: ChartSpec;
  /** Title, scale and axis of the figure; its fields are named below. */
  readonly y: ChartSpec;
  readonly color: ChartSpec;
  readonly fields: { readonly center: string; readonly lo: string; readonly hi: string };
  /** Whether neighbouring dots are joined: only where the axis between them means something. */
  readonly isJoined: boolean;
}

/**
 * Two layers: a rule from the low to the high end of each interval, and its centre.
 *
 * @example
 * ```ts
 * import { intervalLayers } from "./figure_panel.ts";
 * const layers = intervalLayers({
 *   x: { field: "ports", type: "quantitative" },
 *   y: { type: "quantitative", title: "ns a call" },
 *   color: { field: "lock", type: "nominal" },
 *   fields: { center: "callNanoseconds", lo: "loNanoseconds", hi: "hiNanoseconds" },
 *   isJoined: true,
 * });
 * if (layers.length !== 2) throw new Error("a rule and a dot");
 * ```
 */
export function intervalLayers(encoding: IntervalEncoding): ChartSpec[] {
  const { x, y, color, fields, isJoined } = encoding;
  return [
    {
      mark: { type: "rule", strokeWidth: 2, opacity: 0.6 },
      encoding: { x, y: { ...y, field: fields.lo }, y2: { field: fields.hi }, color },
    },
    {
      mark: isJoined ? { type: "line", point: true } : { type: "point", filled: true, size: 70 },
      encoding: { x, y: { ...y, field: fields.center }, color },
    },
  ];
}
