import type { Scenario } from "../../scenarios/scenario.ts";
import type { PointBudget } from "../sample/measure_point.ts";

/** Starting the Workers of a point and loading their code. */
const START_SECONDS = 0.15;
const POINT_SECONDS_MIN = 0.1;
/** What a point with long samples gets, in shares of an ordinary one. */
const LONG_SHARES = 2;

/** Long against a step of the clock, short against what else the machine does. */
const SAMPLE_SECONDS = 0.002;
const SAMPLES_MIN = 30;
/** Enough for an interval, where each sample takes many times longer. */
const LONG_SAMPLES_MIN = 12;
const SAMPLES_MAX = 600;
/** A median known to half a percent is better than two runs agree. */
const RELATIVE_ERROR_MAX = 0.005;
const HEAP_CALLS = 1_000_000;

/** For a look whether everything runs: its figures mean nothing. */
const QUICK: PointBudget = {
  seconds: 0.1,
  sampleSeconds: 0.0005,
  samplesMin: 6,
  samplesMax: 8,
  relativeErrorMax: 0.1,
  heapCallsMax: 0,
};

/**
 * Divides the time of a sweep among its points.
 *
 * @param scenarios the scenario of each planned point
 * @returns the budget of a point of a scenario
 */
export function divideBudget(
  scenarios: readonly Scenario[],
  sweep: { readonly seconds: number; readonly isQuick: boolean },
): (scenario: Scenario) => PointBudget {
  if (sweep.isQuick) return () => QUICK;
  const shareCount = scenarios.reduce((sum, scenario) => sum + sharesOf(scenario), 0);
  const secondsToShare = sweep.seconds - START_SECONDS * scenarios.length;
  return (scenario) => ({
    seconds: Math.max(POINT_SECONDS_MIN, secondsToShare * sharesOf(scenario) / shareCount),
    sampleSeconds: SAMPLE_SECONDS,
    samplesMin: scenario.sampleSecondsMin ? LONG_SAMPLES_MIN : SAMPLES_MIN,
    samplesMax: SAMPLES_MAX,
    relativeErrorMax: RELATIVE_ERROR_MAX,
    heapCallsMax: HEAP_CALLS,
  });
}

function sharesOf({ sampleSecondsMin }: Scenario): number {
  return sampleSecondsMin === undefined ? 1 : LONG_SHARES;
}
