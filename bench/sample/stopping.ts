import { median, medianAbsoluteDeviation } from "simple-statistics";

/** Why sampling ended: the figure is precise enough, or a limit of samples or time was reached. */
export type StopReason = "precise" | "samples" | "time";

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

/**
 * Ends sampling when the standard error of the median is a small share of the median. The error is
 * estimated from the median absolute deviation, which a few outliers do not change. Samples that
 * stay noisy end at the limit of samples or of time.
 *
 * The criterion only decides how many samples are taken. The published interval is computed from the
 * samples alone, without an assumption about their distribution.
 *
 * @example
 * ```ts
 * import { PrecisionCriterion } from "./stopping.ts";
 * const criterion = new PrecisionCriterion({
 *   samplesMin: 10,
 *   samplesMax: 100,
 *   secondsMax: 1,
 *   relativeErrorMax: 0.01,
 * });
 * for (let sample = 0; criterion.reason === undefined; sample++) criterion.add(1, sample * 0.01);
 * if (criterion.reason !== "precise") throw new Error("samples without noise");
 * ```
 */
export class PrecisionCriterion implements StoppingCriterion {
  readonly #limits: PrecisionLimits;
  readonly #values: number[] = [];
  #elapsedSeconds = 0;

  /** Starts without samples. */
  constructor(limits: PrecisionLimits) {
    this.#limits = limits;
  }

  add(value: number, elapsedSeconds: number): void {
    this.#values.push(value);
    this.#elapsedSeconds = elapsedSeconds;
  }

  get reason(): StopReason | undefined {
    const count = this.#values.length;
    const { samplesMin, samplesMax, secondsMax, relativeErrorMax } = this.#limits;
    if (count >= samplesMax) return "samples";
    if (this.#elapsedSeconds >= secondsMax && count >= SAMPLES_FEWEST) return "time";
    if (count < samplesMin || count % SAMPLES_PER_TEST !== 0) return undefined;
    return relativeErrorOfMedian(this.#values) <= relativeErrorMax ? "precise" : undefined;
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
