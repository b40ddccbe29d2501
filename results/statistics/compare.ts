import { mean, median, sampleVariance } from "simple-statistics";
// @ts-types="./jstat.d.ts"
import jStat from "jstat";
import { CONFIDENCE, type Interval } from "./interval.ts";

/** How a candidate differs from its baseline. */
export type Difference = "faster" | "slower" | "same" | "undecided";

/** What two sets of rounds say about each other. */
export interface Comparison {
  /** How the candidate differs from the baseline. */
  readonly verdict: Difference;
  /** The candidate's latency in the baseline's. */
  readonly ratio: Interval;
  /** The typical latency of the baseline, in the unit of its samples. */
  readonly baseline: number;
  /** The typical latency of the candidate, in the same unit. */
  readonly candidate: number;
}

/** How sure a verdict has to be. */
export interface CompareOptions {
  /** How often an interval made like this holds the true ratio, 0 to 1; 0.95 when absent. */
  readonly confidence?: number;
  /** Two latencies are the same when they surely differ by less than this share; 0.05 when absent. */
  readonly sameWithin?: number;
}

/** A share by which nobody decides. */
export const SAME_WITHIN = 0.05;
/** With fewer there is nothing that says how far rounds lie apart. */
const ROUNDS_MIN = 2;

/**
 * Compares latencies that were not taken in pairs: two runs, two commits, two machines.
 *
 * Samples of one process move together: they share its memory, its compiled code, its cores. So the
 * rounds are what counts, each one a fresh process with one figure, the median of its samples; the
 * interval is that of Welch's t test on the logarithms of these medians. It assumes that rounds are
 * independent and that their medians scatter by a factor, and takes account of how few there are. The
 * verdict is `same` when the whole interval is within `sameWithin` of 1, and `undecided` when more
 * rounds would be needed to say anything. (B. Welch, The generalization of Student's problem, 1947;
 * T. Kalibera and R. Jones, Rigorous benchmarking in reasonable time, 2013.)
 *
 * @param baselineRounds a list of samples for each round, in the order taken
 * @throws {RangeError} when there is no sample, or one is not a positive number
 */
export function compareRounds(
  baselineRounds: readonly (readonly number[])[],
  candidateRounds: readonly (readonly number[])[],
  options: CompareOptions = {},
): Comparison {
  const { confidence = CONFIDENCE, sameWithin = SAME_WITHIN } = options;
  const [baseline, candidate] = [baselineRounds, candidateRounds].map(logMedians);
  const ratio = ratioInterval(baseline!, candidate!, confidence);
  return {
    verdict: verdictOf(ratio, sameWithin),
    ratio,
    baseline: Math.exp(mean(baseline!)),
    candidate: Math.exp(mean(candidate!)),
  };
}

/** The verdict that an interval of the ratio allows: see {@linkcode compareRounds}. */
export function verdictOf({ lo, hi }: Interval, sameWithin: number): Difference {
  if (lo > 1 / (1 + sameWithin) && hi < 1 + sameWithin) return "same";
  return hi < 1 ? "faster" : lo > 1 ? "slower" : "undecided";
}

function logMedians(rounds: readonly (readonly number[])[]): number[] {
  if (rounds.length === 0) {
    throw new RangeError("Cannot compare latencies as there must be a round: there is none");
  }
  const medians = rounds.map((round) => round.length === 0 ? NaN : median([...round]));
  const wrong = medians.find((one) => !(one > 0 && one < Infinity));
  if (wrong === undefined) return medians.map(Math.log);
  throw new RangeError(
    `Cannot compare latencies as every round must have positive ones: one median is ${wrong}`,
  );
}

function ratioInterval(
  baseline: readonly number[],
  candidate: readonly number[],
  confidence: number,
): Interval {
  const center = mean([...candidate]) - mean([...baseline]);
  const fewest = Math.min(baseline.length, candidate.length);
  if (fewest < ROUNDS_MIN) {
    const warnings = [`Too few rounds to compare: ${fewest}, where ${ROUNDS_MIN} are the least`];
    return { center: Math.exp(center), lo: 0, hi: Infinity, confidence: 0, warnings };
  }
  const { error, freedom } = welch(baseline, candidate);
  const width = error === 0 ? 0 : jStat.studentt.inv((1 + confidence) / 2, freedom) * error;
  const [lo, hi] = [Math.exp(center - width), Math.exp(center + width)];
  return { center: Math.exp(center), lo, hi, confidence, warnings: [] };
}

/** The standard error of the difference of two means, and the degrees of freedom behind it. */
function welch(one: readonly number[], other: readonly number[]) {
  const [first, second] = [one, other].map((values) => sampleVariance([...values]) / values.length);
  const freedom = (first! + second!) ** 2 /
    (first! ** 2 / (one.length - 1) + second! ** 2 / (other.length - 1));
  return { error: Math.sqrt(first! + second!), freedom };
}
