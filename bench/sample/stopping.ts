import { median, medianAbsoluteDeviation } from "simple-statistics";

/**
 * Why sampling ended: the figure is precise enough; its noise is known and more samples would show
 * the same; or the limit of samples or of time was reached.
 */
export type StopReason = "precise" | "settled" | "samples" | "time";

/** The rules that end sampling before its limits, by the names that options use. */
export const STOP_RULES = ["precision", "noise", "budget"] as const;

/**
 * When sampling may end before its limits: when the interval is narrow enough (`precision`), when the
 * noise has settled (`noise`), or never (`budget`).
 */
export type StopRule = typeof STOP_RULES[number];

/** Says when there are enough samples. It must say so at some time, whatever the samples are. */
export interface StoppingCriterion {
  /**
   * Takes one more sample.
   *
   * @param elapsedSeconds since sampling began
   */
  add(value: number, elapsedSeconds: number): void;
  /** Undefined while more samples are wanted. */
  readonly reason: StopReason | undefined;
}

/** Limits of {@linkcode PrecisionCriterion}. */
export interface PrecisionLimits {
  /** With fewer samples the median does not count as precise. */
  readonly samplesMin: number;
  /** Sampling ends with this many samples. */
  readonly samplesMax: number;
  /** Sampling ends after this time, but not before there are six samples. */
  readonly secondsMax: number;
  /** The median is precise when its standard error is at most this share of the median. */
  readonly relativeErrorMax: number;
  /** Which rules may end sampling, the first that is met; `precision` when absent. */
  readonly stopRules?: readonly StopRule[];
}

/** For normal samples: standard error of the median, divided by the standard error of the mean. */
const ERROR_OF_MEDIAN = Math.sqrt(Math.PI / 2);
/** For normal samples: standard deviation, divided by the median absolute deviation (MAD). */
const DEVIATION_OF_MAD = 1.4826;
/** Taken even when the time is over: six is the least that an interval of 95 % can be drawn from. */
const SAMPLES_FEWEST = 6;
/**
 * The error is computed after every so many samples. After each single one it would sooner or later
 * be small by chance, and sampling would end too early.
 */
const SAMPLES_PER_TEST = 10;
/** The noise has settled when so many estimates in a row, each after more samples, */
const SETTLED_TESTS = 5;
/** differ by less than this share: further samples would show the same noise. */
const SETTLED_SHARE = 0.05;

/**
 * Ends sampling when the standard error of the median is a small share of the median, or when the
 * noise itself, the deviation of single samples, no longer changes: which of the two is an option.
 * Both are estimated from the median absolute deviation, which a few outliers do not change. Samples
 * that stay noisy end at the limit of samples or of time.
 *
 * The criterion only decides how many samples are taken. The published interval is computed from the
 * samples alone, without an assumption about their distribution.
 */
export class PrecisionCriterion implements StoppingCriterion {
  readonly #limits: PrecisionLimits;
  readonly #values: number[] = [];
  /** Of the last tests: standard deviation of a sample, as a share of the median. */
  readonly #deviations: number[] = [];
  #elapsedSeconds = 0;
  #early: StopReason | undefined;

  /** Starts without samples. */
  constructor(limits: PrecisionLimits) {
    this.#limits = limits;
  }

  add(value: number, elapsedSeconds: number): void {
    this.#values.push(value);
    this.#elapsedSeconds = elapsedSeconds;
    this.#early = this.#values.length % SAMPLES_PER_TEST === 0 ? this.#test() : undefined;
  }

  get reason(): StopReason | undefined {
    const count = this.#values.length;
    const { samplesMin, samplesMax, secondsMax } = this.#limits;
    if (count >= samplesMax) return "samples";
    if (this.#elapsedSeconds >= secondsMax && count >= SAMPLES_FEWEST) return "time";
    return count < samplesMin ? undefined : this.#early;
  }

  #test(): StopReason | undefined {
    const { relativeErrorMax, stopRules = ["precision"] } = this.#limits;
    const error = relativeErrorOfMedian(this.#values);
    this.#deviations.push(error * Math.sqrt(this.#values.length));
    if (stopRules.includes("precision") && error <= relativeErrorMax) return "precise";
    return stopRules.includes("noise") && this.#isSettled() ? "settled" : undefined;
  }

  #isSettled(): boolean {
    const last = this.#deviations.slice(-SETTLED_TESTS);
    if (last.length < SETTLED_TESTS) return false;
    return Math.max(...last) - Math.min(...last) <= SETTLED_SHARE * Math.max(...last);
  }
}

/**
 * The standard error of the median as a share of the median, estimated from the median absolute
 * deviation, which a few outliers do not change.
 */
export function relativeErrorOfMedian(values: readonly number[]): number {
  const deviation = DEVIATION_OF_MAD * medianAbsoluteDeviation([...values]);
  return ERROR_OF_MEDIAN * deviation / Math.sqrt(values.length) / Math.abs(median([...values]));
}
