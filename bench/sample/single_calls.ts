import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { median } from "simple-statistics";
import type { Trial } from "../../scenarios/scenario.ts";
import type { Clock } from "./take_samples.ts";

/**
 * How long single calls took: what nobody sees in samples, each of which is the mean of a batch. The
 * clock is read before and after each call, so every value holds {@linkcode SingleCalls.clockSeconds}
 * of the clock itself, and a call finds the caches as the harness has left them.
 */
export interface SingleCalls {
  /** Calls that were timed. */
  readonly callCount: number;
  /** What two readings of the clock in a row are apart: a part of each value below. */
  readonly clockSeconds: number;
  /** Half of the calls took no longer. */
  readonly p50Seconds: number;
  /** Nine of ten calls took no longer. */
  readonly p90Seconds: number;
  /** 99 of 100 calls took no longer. */
  readonly p99Seconds: number;
  /** 999 of 1000 calls took no longer. */
  readonly p999Seconds: number;
  /** The longest call. */
  readonly maxSeconds: number;
  /**
   * All values, in nanoseconds with three digits: an HDR histogram in its compressed form, version 2,
   * as base64. Histograms of several records can be added.
   */
  readonly histogram: string;
}

export interface SingleCallLimits {
  readonly callsMax: number;
  readonly secondsMax: number;
  readonly clock: Clock;
}

/** Calls that run untimed first. */
const UNTIMED_CALLS = 32;
/** Calls between two looks at the time that is left. */
const CALLS_PER_LOOK = 64;
/** Fewer say nothing about one call in a hundred. */
const CALLS_MIN = 100;

/**
 * Times calls one by one. The times go into a histogram afterwards: recording a value takes longer
 * than many a call.
 *
 * @returns nothing when there was no time for a hundred calls
 */
export async function timeSingleCalls(
  trial: Trial,
  limits: SingleCallLimits,
): Promise<SingleCalls | undefined> {
  const { callsMax, secondsMax, clock } = limits;
  const seconds = new Float64Array(callsMax);
  let count = 0;
  trial.wake?.();
  try {
    await trial.run(UNTIMED_CALLS);
    const end = clock() + secondsMax;
    for (; count < callsMax; count++) {
      const begin = clock();
      const running = trial.run(1);
      if (running) await running;
      seconds[count] = clock() - begin;
      if (count % CALLS_PER_LOOK === 0 && clock() > end) break;
    }
  } finally {
    trial.rest?.();
  }
  return count < CALLS_MIN ? undefined : singleCallsOf(seconds.subarray(0, count), clock);
}

const NANOSECONDS = 1e9;
/** The longest time that a histogram takes: an hour. */
const LONGEST_NANOSECONDS = 3600 * NANOSECONDS;

/** An empty histogram of the kind that records hold. */
export function emptyHistogram(): ReturnType<typeof build> {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_NANOSECONDS,
    numberOfSignificantValueDigits: 3,
  });
}

function singleCallsOf(seconds: Float64Array, clock: Clock): SingleCalls {
  const histogram = emptyHistogram();
  for (const value of seconds) {
    histogram.recordValue(Math.min(LONGEST_NANOSECONDS, Math.round(value * NANOSECONDS)));
  }
  return {
    ...percentilesOf(histogram),
    clockSeconds: clockCostSeconds(clock),
    histogram: encodeIntoCompressedBase64(histogram),
  };
}

/** The figures that are shown of a histogram. */
export function percentilesOf(
  histogram: ReturnType<typeof build>,
): Omit<SingleCalls, "clockSeconds" | "histogram"> {
  const at = (percent: number) => histogram.getValueAtPercentile(percent) / NANOSECONDS;
  return {
    callCount: histogram.totalCount,
    p50Seconds: at(50),
    p90Seconds: at(90),
    p99Seconds: at(99),
    p999Seconds: at(99.9),
    maxSeconds: histogram.maxValue / NANOSECONDS,
  };
}

/** Pairs of readings that are compared. */
const CLOCK_TRIES = 1001;

function clockCostSeconds(clock: Clock): number {
  const costs = Array.from({ length: CLOCK_TRIES }, () => {
    const begin = clock();
    return clock() - begin;
  });
  return median(costs);
}
