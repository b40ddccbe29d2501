import type { Interval } from "./interval.ts";

/**
 * The range of the median of values that come one after another, which may be looked at after each of
 * them: over all looks together it misses the truth on either side with at most the probability `tail`.
 * An interval that is made for one look is not that sure: who looks until it says something is often
 * wrong.
 *
 * Somebody bets against each median that it might be, as much on each side of it as the values so far
 * suggest (a uniform mixture of stakes): were it the median, the capital would be a supermartingale, and
 * exceed `1 / tail` with that probability at most (J. Ville, 1939; S. Howard and A. Ramdas, Sequential
 * estimation of quantiles with applications to A/B testing, 2022). What has lost its capital is out of
 * the range. Nothing is assumed but that each value is as likely to lie above the median as below,
 * whatever the values before were: bad rounds, tails and drift may be as they like.
 *
 * @param values in the order taken
 * @param tail more than 0 and less than 0.5
 * @returns the ends; infinite while nothing is sure, which takes {@linkcode surestCount} values
 *
 * @example
 * ```ts
 * import { medianSequence } from "./sequence.ts";
 * const { lo, hi } = medianSequence([5, 1, 9, 3, 10, 2, 8, 4, 7, 6], 0.01);
 * if (lo !== 1 || hi !== 10) throw new Error("ten decide as little as that");
 * ```
 */
export function medianSequence(
  values: readonly number[],
  tail: number,
): Pick<Interval, "lo" | "hi"> {
  const sorted: number[] = [];
  let [lo, hi] = [-Infinity, Infinity];
  for (const value of values) {
    const above = sorted.findIndex((one) => one > value);
    sorted.splice(above < 0 ? sorted.length : above, 0, value);
    const rank = outerRank(sorted.length, tail);
    // A side that was out once stays out: the bet against it was won.
    lo = Math.max(lo, sorted[rank] ?? -Infinity);
    hi = Math.min(hi, sorted.at(-1 - rank) ?? Infinity);
  }
  return { lo, hi };
}

/** How many values, all on one side, make that side sure. */
export function surestCount(tail: number): number {
  let count = 1;
  while (capitalOf(count, count) < 1 / tail) count++;
  return count;
}

/** The rank of the lowest value that the median may have, 0 for the least; one that is not there if none. */
function outerRank(count: number, tail: number): number {
  let rank = 0;
  // The values from this rank on lie above what is bet against.
  while (2 * rank < count && capitalOf(count, count - rank) >= 1 / tail) rank++;
  return rank === 0 ? count : rank - 1;
}

/**
 * What a stake of 1 has become where `above` of `count` values lie above the median that is bet against:
 * the mean over all chances from a half to 1 that a value lies above it,
 * 2^(count + 1) / ((count + 1) binomial(count, above)) times the chance that of `count + 1` fair coins
 * at most `above` show heads.
 */
function capitalOf(count: number, above: number): number {
  let logBinomial = 0;
  for (let step = 1; step <= above; step++) logBinomial += Math.log((count - above + step) / step);
  let term = -(count + 1) * Math.LN2;
  let heads = Math.exp(term);
  for (let coin = 1; coin <= above; coin++) {
    term += Math.log((count + 2 - coin) / coin);
    heads += Math.exp(term);
  }
  return Math.exp((count + 1) * Math.LN2 - Math.log(count + 1) - logBinomial) * Math.min(1, heads);
}
