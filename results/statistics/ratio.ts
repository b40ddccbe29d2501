import { type Interval, medianInterval } from "./interval.ts";

/**
 * How many times as long one thing takes as another, from samples taken in pairs: the median of the
 * pairs' ratios. What slowed the machine down slowed both samples of a pair, so it cancels out.
 *
 * @throws {RangeError} when the samples do not pair, or there are none
 *
 * @example
 * ```ts
 * import { pairedRatio } from "./ratio.ts";
 * const calls = [200, 210, 800, 190, 205, 820]; // the cores moved apart for two samples
 * const floor = [100, 105, 400, 95, 102.5, 410];
 * if (pairedRatio(calls, floor).hi !== 2) throw new Error("always twice the floor");
 * ```
 */
export function pairedRatio(
  numerators: readonly number[],
  denominators: readonly number[],
): Interval {
  return medianInterval(pairedRatios(numerators, denominators));
}

/**
 * The ratio of each pair, in the order taken.
 *
 * @example
 * ```ts
 * import { pairedRatios } from "./ratio.ts";
 * if (pairedRatios([2, 9], [1, 3]).join() !== "2,3") throw new Error("pair by pair");
 * ```
 */
export function pairedRatios(
  numerators: readonly number[],
  denominators: readonly number[],
): number[] {
  if (numerators.length !== denominators.length) {
    throw new RangeError(
      `Cannot take the ratio as samples must pair: there are ${numerators.length} and ${denominators.length}`,
    );
  }
  return numerators.map((numerator, index) => numerator / denominators[index]!);
}

/**
 * The quotient of two figures that were measured apart, with the widest interval that their own
 * intervals allow. Its confidence is at least the product of theirs.
 *
 * @example
 * ```ts
 * import { medianInterval } from "./interval.ts";
 * import { quotient } from "./ratio.ts";
 * const [slow, fast] = [[4, 4, 4, 4, 4, 4], [2, 2, 2, 2, 2, 2]].map((s) => medianInterval(s));
 * if (quotient(slow!, fast!).center !== 2) throw new Error("4 / 2");
 * ```
 */
export function quotient(numerator: Interval, denominator: Interval): Interval {
  return {
    center: numerator.center / denominator.center,
    lo: numerator.lo / denominator.hi,
    hi: numerator.hi / denominator.lo,
    confidence: numerator.confidence * denominator.confidence,
    warnings: [...new Set([...numerator.warnings, ...denominator.warnings])],
  };
}

/**
 * The interval in another unit, or shared out: every bound times the factor.
 *
 * @param factor more than 0
 *
 * @example
 * ```ts
 * import { scaled } from "./ratio.ts";
 * const turn = { center: 8, lo: 4, hi: 12, confidence: 0.95, warnings: [] };
 * if (scaled(turn, 1 / 4).hi !== 3) throw new Error("four calls in a turn");
 * ```
 */
export function scaled({ center, lo, hi, ...rest }: Interval, factor: number): Interval {
  return { ...rest, center: center * factor, lo: lo * factor, hi: hi * factor };
}

/**
 * One over the interval: calls a second from seconds a call, "times faster" from "times as long".
 *
 * @example
 * ```ts
 * import { inverse } from "./ratio.ts";
 * const seconds = { center: 0.5, lo: 0.25, hi: 1, confidence: 0.95, warnings: [] };
 * if (inverse(seconds).hi !== 4) throw new Error("calls a second");
 * ```
 */
export function inverse({ center, lo, hi, ...rest }: Interval): Interval {
  return { ...rest, center: 1 / center, lo: 1 / hi, hi: 1 / lo };
}
