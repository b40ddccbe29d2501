import { medianSorted, probit } from "simple-statistics";
import { CONFIDENCE, type Interval, medianInterval } from "./interval.ts";

/** What two sets of samples say about each other. */
export interface Comparison {
  /** How the candidate differs from the baseline. */
  readonly verdict: "faster" | "slower" | "no difference detected";
  /** The candidate's latency in the baseline's; holds 1 exactly when no difference was detected. */
  readonly ratio: Interval;
  /** The median of the baseline, in seconds. */
  readonly baseline: Interval;
  /** The median of the candidate, in seconds. */
  readonly candidate: Interval;
}

/** Below this the normal approximation of the rank test is too coarse. */
const SAMPLES_MIN = 8;

/**
 * Compares latencies that were not taken in pairs: two runs, two commits, two machines.
 *
 * By the rank test of Mann and Whitney: the interval of the ratio holds every factor that the test
 * would not refuse at 95 % confidence (the estimator of Hodges and Lehmann). It assumes that the
 * samples are independent and that the two distributions differ by a factor, and nothing about their
 * shape. A difference that is not detected may still be there: the interval says how large it can be.
 *
 * @throws {RangeError} when there are no samples, or one is not a positive number
 *
 * @example
 * ```ts
 * import { compareLatencies } from "./compare.ts";
 * const before = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109];
 * const after = before.map((nanoseconds) => nanoseconds * 0.8);
 * if (compareLatencies(before, after).verdict !== "faster") throw new Error("a fifth less");
 * if (compareLatencies(before, before).verdict !== "no difference detected") throw new Error("same");
 * ```
 */
export function compareLatencies(
  baselineSeconds: readonly number[],
  candidateSeconds: readonly number[],
): Comparison {
  const baseline = medianInterval(baselineSeconds);
  const candidate = medianInterval(candidateSeconds);
  const ratio = ratioInterval(baselineSeconds, candidateSeconds);
  const verdict = ratio.hi < 1 ? "faster" : ratio.lo > 1 ? "slower" : "no difference detected";
  return { verdict, ratio, baseline, candidate };
}

function ratioInterval(baseline: readonly number[], candidate: readonly number[]): Interval {
  const ratios = candidate.flatMap((one) => baseline.map((other) => ratioOf(one, other)));
  ratios.sort((left, right) => left - right);
  const rank = refusedRank(baseline.length, candidate.length);
  return {
    center: medianSorted(ratios),
    lo: ratios[rank]!,
    hi: ratios.at(-1 - rank)!,
    confidence: CONFIDENCE,
    warnings: fewSamplesWarnings(Math.min(baseline.length, candidate.length)),
  };
}

function ratioOf(candidate: number, baseline: number): number {
  if (candidate > 0 && baseline > 0) return candidate / baseline;
  throw new RangeError(
    `Cannot compare latencies as they must be positive: current values are ${candidate} and ${baseline}`,
  );
}

/** How many of the sorted ratios at each end the test refuses (normal approximation of its law). */
function refusedRank(baselineCount: number, candidateCount: number): number {
  const product = baselineCount * candidateCount;
  const deviation = Math.sqrt(product * (baselineCount + candidateCount + 1) / 12);
  return Math.max(0, Math.floor(product / 2 - probit((1 + CONFIDENCE) / 2) * deviation));
}

function fewSamplesWarnings(sampleCount: number): string[] {
  if (sampleCount >= SAMPLES_MIN) return [];
  return [`Too few samples to compare: ${sampleCount}, where ${SAMPLES_MIN} are the least`];
}
