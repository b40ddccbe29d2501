import type { Axes } from "./axis.ts";

/** Some axes with the values that are meant; an axis that is not named may have any value. */
export type Where<A extends Axes = Axes> = { readonly [Name in keyof A]?: A[Name][number] };

/**
 * Which figure of a point is judged. Ratios to something sampled in the same run, because seconds mean
 * nothing on another machine; the bytes of the heap are the exception, and what was promised in seconds.
 *
 * - `timesFloor`: the time of a call, in that of the scenario's floor.
 * - `secondsOverFloor`: the seconds of a call beyond those of the scenario's floor: of use where what is
 *   added was promised, whatever it is added to.
 * - `timesFasterThan`: the time of a reference, in that of a call.
 * - `timesPoint`: the time of a call, in that of a call at another point.
 * - `timesFasterThanPoint`: the time of a call at another point, in that of a call here.
 * - `meanTimesReference`: the time of a call, in that of a reference: the geometric mean over the
 *   points that the target is about, once all of them were measured.
 * - `callsPerSecond`: calls a second, those of `callsPerTurn`.
 * - `heapGrowth`: bytes allocated for each call, on the side that allocates more.
 *
 * The other point is this one with the axes of `point` moved.
 */
export type Figure<A extends Axes = Axes> =
  | { readonly kind: "timesFloor" }
  | { readonly kind: "heapGrowth" }
  | { readonly kind: "secondsOverFloor" }
  | { readonly kind: "callsPerSecond" }
  | { readonly kind: "timesFasterThan"; readonly reference: string }
  | {
    readonly kind: "meanTimesReference";
    readonly reference: string;
    /** How many points there are: without one of them it would be another mean. */
    readonly pointCount: number;
  }
  | { readonly kind: "timesPoint" | "timesFasterThanPoint"; readonly point: Where<A> };

/**
 * A figure that this project means to reach: data of the scenario that it judges.
 *
 * @example
 * ```ts
 * import type { Target } from "./target.ts";
 * const axes = { portCount: [1, 64], waiting: ["spin", "park"] } as const;
 * export const manyPorts: Target<typeof axes> = {
 *   text: "64 ports, in calls of 1 port",
 *   where: { portCount: 64 }, // with every way of waiting
 *   figure: { kind: "timesPoint", point: { portCount: 1 } },
 *   bound: "at most",
 *   limit: 1.3,
 * };
 * ```
 */
export interface Target<A extends Axes = Axes> {
  /** What the figure is, for a person. */
  readonly text: string;
  /**
   * The points that the target is about, by the axes that it means. Where several points of a run
   * match, all of them must reach the target: the worst one is told. So an axis that is added later
   * widens a target that does not name it, and cannot make it vanish.
   */
  readonly where: Where<A>;
  /** What is judged at those points. */
  readonly figure: Figure<A>;
  /** On which side of the limit the figure must be. */
  readonly bound: "at most" | "at least";
  /** In the unit of the figure: times, seconds, calls a second, or bytes. */
  readonly limit: number;
}
