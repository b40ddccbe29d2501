import { quantileSorted } from "simple-statistics";
import { percentText } from "../../bench/record/record.ts";

/** A figure and the range in which the true value lies. The unit is that of the samples. */
export interface Interval {
  /** The figure itself: a median, or what was computed from medians. */
  readonly center: number;
  /** The low end of the range. */
  readonly lo: number;
  /** The high end of the range. */
  readonly hi: number;
  /** How often an interval made like this holds the true value, 0 to 1; 0 when nothing is known. */
  readonly confidence: number;
  /** Why the interval may be wrong, in sentences. */
  readonly warnings: readonly string[];
}

/** What an interval should cover when nothing else is said. */
export const CONFIDENCE = 0.95;
/** Fewer samples than these are too few to tell whether neighbours move together. */
const NEIGHBOURS_SAMPLES_MIN = 20;
const ALIKE_SHARE_MAX = 0.8;

/**
 * The median with a confidence interval from the order of the samples. Assumes that the samples are
 * independent and from one distribution, and no shape of it: the interval runs from the `k`-th
 * smallest to the `k`-th largest sample, `k` by the binomial distribution (a fair coin decides on
 * which side of the median a sample falls). Outliers stay in; they hardly move it.
 *
 * @param samples in the order taken, because neighbours that move together are not independent
 * @throws {RangeError} when there is no sample, or one is not finite
 */
export function medianInterval(
  samples: readonly number[],
  options: { readonly confidence?: number } = {},
): Interval {
  checkSamples(samples);
  const { confidence: wanted = CONFIDENCE } = options;
  const sorted = samples.toSorted((left, right) => left - right);
  const center = quantileSorted(sorted, 0.5);
  const { rank, confidence } = orderStatistic(sorted.length, wanted);
  return {
    center,
    lo: sorted[rank]!,
    hi: sorted.at(-1 - rank)!,
    confidence,
    warnings: [...sizeWarnings({ confidence }, wanted), ...neighbourWarnings(samples, center)],
  };
}

function checkSamples(samples: readonly number[]): void {
  if (samples.length === 0) {
    throw new RangeError("Cannot make an interval as there must be a sample: there is none");
  }
  const wrong = samples.find((sample) => !Number.isFinite(sample));
  if (wrong === undefined) return;
  throw new RangeError(
    `Cannot make an interval as every sample must be a finite number: one is ${wrong}`,
  );
}

/**
 * The largest rank `k` (0 is the smallest sample) for which the interval from the k-th smallest to
 * the k-th largest sample still holds the median often enough, and how often it does: it misses
 * when at most `k` of `sampleCount` fair coins show heads, or at most `k` show tails.
 */
function orderStatistic(sampleCount: number, wanted: number): { rank: number; confidence: number } {
  // In logarithms, because a half to the power of a thousand is 0 for a double.
  let logTerm = -sampleCount * Math.LN2;
  let tail = Math.exp(logTerm);
  let found = { rank: 0, confidence: 1 - 2 * tail };
  for (let rank = 1; 2 * rank < sampleCount; rank++) {
    logTerm += Math.log((sampleCount - rank + 1) / rank);
    tail += Math.exp(logTerm);
    if (1 - 2 * tail < wanted) break;
    found = { rank, confidence: 1 - 2 * tail };
  }
  return found;
}

function sizeWarnings({ confidence }: { confidence: number }, wanted: number): string[] {
  if (confidence >= wanted) return [];
  return [
    `Too few samples for ${percentText(wanted)} confidence: all of them together give ${
      percentText(confidence)
    }`,
  ];
}

/** Independent neighbours lie on the same side of the median half of the time. */
function neighbourWarnings(samples: readonly number[], center: number): string[] {
  if (samples.length < NEIGHBOURS_SAMPLES_MIN) return [];
  const sides = samples.map((sample) => Math.sign(sample - center)).filter((side) => side !== 0);
  const alike = sides.filter((side, index) => index > 0 && side === sides[index - 1]).length;
  const share = alike / Math.max(1, sides.length - 1);
  if (share <= ALIKE_SHARE_MAX) return [];
  return [
    `Neighbouring samples lie on the same side of the median in ${
      percentText(share)
    } of cases: they ` +
    "depend on each other, and the interval is narrower than the truth",
  ];
}
