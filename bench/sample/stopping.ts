import { median, medianAbsoluteDeviation } from "simple-statistics";

/** Why sampling ended: the figure is precise enough, or a limit of samples or time was reached. */
export type StopReason = "precise" | "samples" | "time";

/** Says when there are enough samples. Must say so in the end, whatever the samples are. */
export interface StoppingCriterion {
  /** @param elapsedSeconds since sampling began */
  add(value: number, elapsedSeconds: number): void;
  /** Undefined while more samples are wanted. */
  readonly reason: StopReason | undefined;
}

/** Limits of {@linkcode PrecisionCriterion}. */
export interface PrecisionLimits {
  /** Fewer than this are never precise enough. */
  readonly samplesMin: number;
  readonly samplesMax: number;
  readonly secondsMax: number;
  /** Standard error of the median, as a share of it, that is precise enough. */
  readonly relativeErrorMax: number;
}

/** Standard error of a median in standard errors of a mean, and a deviation in medians of it. */
const ERROR_OF_MEDIAN = Math.sqrt(Math.PI / 2);
const DEVIATION_OF_MAD = 1.4826;
/** Even when the time is over: the median of fewer has no interval worth the name. */
const SAMPLES_FEWEST = 6;
/** Samples between two looks: a criterion that looks after each one stops on lucky streaks. */
const LOOK_EVERY = 10;

/**
 * Stops once the median is known to a share of itself, by its robust standard error. Noise that
 * never settles ends at the limit of samples or of time, which no sample can move.
 *
 * It only decides how long to look. What is published is an interval of the samples themselves,
 * which assumes no shape.
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
    if (count < samplesMin || count % LOOK_EVERY !== 0) return undefined;
    return relativeErrorOfMedian(this.#values) <= relativeErrorMax ? "precise" : undefined;
  }
}

/** The standard error of the median as a share of it, by the deviation that outliers do not move. */
export function relativeErrorOfMedian(values: readonly number[]): number {
  const deviation = DEVIATION_OF_MAD * medianAbsoluteDeviation([...values]);
  return ERROR_OF_MEDIAN * deviation / Math.sqrt(values.length) / Math.abs(median([...values]));
}
