import type { Scenario } from "../../scenarios/scenario.ts";
import type { PointBudget } from "../sample/point_budget.ts";
import type { StopRule } from "../sample/stopping.ts";

/** Time to start the process and the Workers of a point and to load their code. */
const START_SECONDS = 0.15;
/** The least time for a point, also when there are too many points for the sweep's time. */
const POINT_SECONDS_MIN = 0.1;
/** Time for a point with long samples, in times of another point. */
const LONG_SHARES = 2;

/** Long enough to hide the steps of the clock, short enough that few samples are interrupted. */
const SAMPLE_SECONDS = 0.002;
const SAMPLES_MIN = 30;
/** For scenarios whose samples take many times longer. Twelve still give an interval. */
const LONG_SAMPLES_MIN = 12;
const SAMPLES_MAX = 600;
/** Where the time alone is to end sampling: a record of some hundred kilobytes. */
const SAMPLES_MAX_BY_TIME = 6000;
/** Medians of two runs differ by more than half a percent, so more precision tells nothing. */
const RELATIVE_ERROR_MAX = 0.005;
const HEAP_CALLS = 1_000_000;
/** A hundred of them are the longest of a thousand each. */
const SINGLE_CALLS_MAX = 100_000;

/** For a sweep that only shows whether everything runs. Its figures mean nothing. */
const QUICK: PointBudget = {
  seconds: 0.1,
  sampleSeconds: 0.0005,
  samplesMin: 6,
  samplesMax: 8,
  relativeErrorMax: 0.1,
  heapCallsMax: 0,
  singleCallsMax: 1000,
};

/** How the time of a sweep is to be spent. */
export interface SweepTime {
  /** For the whole sweep; ignored by a quick one. */
  readonly seconds: number;
  /** Whether no visit begins when that time is over, but for the first; also of a quick sweep. */
  readonly isTimeHard?: boolean;
  /** Whether the sweep only has to show that everything runs; its figures mean nothing then. */
  readonly isQuick: boolean;
  /** Which rules may end the sampling of a point early; `precision` when absent. */
  readonly stopRules?: readonly StopRule[];
  /** What counts as precise: the standard error, as a share of the median; 0.005 when absent. */
  readonly relativeErrorMax?: number;
}

/**
 * Divides the time of a sweep among its points.
 *
 * @param scenarios the scenario of each planned point
 * @returns a function that gives the budget of each point of a scenario
 */
export function divideBudget(
  scenarios: readonly Scenario[],
  sweep: SweepTime,
): (scenario: Scenario) => PointBudget {
  if (sweep.isQuick) return () => QUICK;
  const { stopRules = ["precision"], relativeErrorMax = RELATIVE_ERROR_MAX } = sweep;
  const endsEarly = stopRules.some((rule) => rule !== "budget");
  const shareCount = scenarios.reduce((sum, scenario) => sum + sharesOf(scenario), 0);
  const secondsToShare = sweep.seconds - START_SECONDS * scenarios.length;
  return (scenario) => ({
    seconds: Math.max(POINT_SECONDS_MIN, secondsToShare * sharesOf(scenario) / shareCount),
    sampleSeconds: SAMPLE_SECONDS,
    samplesMin: scenario.sampleSecondsMin ? LONG_SAMPLES_MIN : SAMPLES_MIN,
    samplesMax: endsEarly ? SAMPLES_MAX : SAMPLES_MAX_BY_TIME,
    relativeErrorMax,
    stopRules,
    heapCallsMax: HEAP_CALLS,
    singleCallsMax: SINGLE_CALLS_MAX,
  });
}

function sharesOf({ sampleSecondsMin }: Scenario): number {
  return sampleSecondsMin === undefined ? 1 : LONG_SHARES;
}

/**
 * Seconds that the measured points of a sweep take at most, by their scenarios.
 *
 * @param sweep `of` are the scenarios of the points that are still to be measured; of all when absent
 */
export function sweepSecondsOf(
  scenarios: readonly Scenario[],
  sweep: SweepTime & { readonly of?: readonly Scenario[] },
): number {
  const budgetOf = divideBudget(scenarios, sweep);
  const { of: left = scenarios } = sweep;
  return left.reduce((sum, scenario) => sum + budgetOf(scenario).seconds + START_SECONDS, 0);
}

/** Visits that fit into a time that is hard, one at least. */
export function fittingVisits({ seconds }: Pick<SweepTime, "seconds">): number {
  return Math.max(1, Math.floor(seconds / (POINT_SECONDS_MIN + START_SECONDS)));
}

/**
 * The budgets of visits that are made one after another. Where the time is hard, those that come later
 * have what the earlier ones have left.
 */
export class Pace {
  readonly #left: Scenario[];
  readonly #sweep: SweepTime;
  readonly #budgetOf: (scenario: Scenario) => PointBudget;
  readonly #endMilliseconds: number;
  #isBegun = false;

  /**
   * Begins to count the time.
   *
   * @param scenarios those of all points of the sweep
   * @param sweep `of` are those of the visits that are to be made, in their order
   */
  constructor(
    scenarios: readonly Scenario[],
    sweep: SweepTime & { readonly of: readonly Scenario[] },
  ) {
    this.#left = [...sweep.of];
    this.#sweep = sweep;
    this.#budgetOf = divideBudget(scenarios, sweep);
    this.#endMilliseconds = sweep.isTimeHard ? performance.now() + 1000 * sweep.seconds : Infinity;
  }

  /** The budget of the next visit; nothing when there is no time for one. */
  next(): PointBudget | undefined {
    const seconds = (this.#endMilliseconds - performance.now()) / 1000;
    if (this.#isBegun && seconds < POINT_SECONDS_MIN + START_SECONDS) return undefined;
    this.#isBegun = true;
    const [scenario] = this.#left as [Scenario];
    const own = this.#budgetOf(scenario);
    const paced = divideBudget(this.#left, { ...this.#sweep, seconds })(scenario);
    this.#left.shift();
    return { ...own, seconds: Math.min(own.seconds, paced.seconds) };
  }
}
