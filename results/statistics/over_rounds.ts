import { type Interval, medianInterval } from "./interval.ts";

/** With fewer rounds an interval would hold the true median in less than nine of ten cases. */
export const ROUNDS_MIN = 5;
/** Medians of rounds that differ by more than this get a warning. */
const ROUNDS_RATIO_MAX = 1.05;

/**
 * A figure from the samples of several rounds: the median of the rounds' medians.
 *
 * Each round is a fresh process with a speed of its own, however many samples it takes. So the rounds
 * are what the interval counts: from {@linkcode ROUNDS_MIN} on, it is that of their medians by their
 * order, at 94 % or more. With fewer, it runs from the lowest to the highest end of the rounds' own
 * intervals, its confidence is what the number of rounds alone warrants (0 for one, 50 % for two), and
 * a warning says so.
 *
 * @param samplesByRound in the order taken
 * @throws {RangeError} when there is no sample, or one is not finite
 */
export function overRounds(samplesByRound: readonly (readonly number[])[]): Interval {
  const rounds = samplesByRound.map((samples) => medianInterval(samples));
  const centers = rounds.map(({ center }) => center);
  const warnings = [...countWarnings(rounds.length), ...spreadWarnings(centers)];
  const byOrder = { ...medianInterval(centers), warnings };
  if (rounds.length >= ROUNDS_MIN) return byOrder;
  const lo = Math.min(...rounds.map((round) => round.lo));
  const hi = Math.max(...rounds.map((round) => round.hi));
  return { ...byOrder, lo, hi };
}

function countWarnings(roundCount: number): string[] {
  if (roundCount >= ROUNDS_MIN) return [];
  return [
    `Too few rounds for an interval: ${roundCount}, where ${ROUNDS_MIN} are needed; the range is ` +
    "that of their samples",
  ];
}

function spreadWarnings(centers: readonly number[]): string[] {
  const spread = Math.max(...centers) / Math.min(...centers);
  if (spread <= ROUNDS_RATIO_MAX) return [];
  return [`The medians of ${centers.length} rounds differ by a factor of ${spread.toPrecision(3)}`];
}
