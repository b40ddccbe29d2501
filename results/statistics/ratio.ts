import type { Interval } from "./interval.ts";

/**
 * The ratio of each pair, in the order taken. What slowed the machine down slowed both samples of a pair,
 * so it cancels out.
 *
 * @throws {RangeError} when the samples do not pair
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
 */
export function scaled({ center, lo, hi, ...rest }: Interval, factor: number): Interval {
  return { ...rest, center: center * factor, lo: lo * factor, hi: hi * factor };
}

/**
 * One over the interval: calls a second from seconds a call, "times faster" from "times as long".
 */
export function inverse({ center, lo, hi, ...rest }: Interval): Interval {
  return { ...rest, center: 1 / center, lo: 1 / hi, hi: 1 / lo };
}
