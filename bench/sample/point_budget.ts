import type { Point } from "../../scenarios/axis.ts";
import type { NoiseMeter } from "../machine/noise.ts";
import type { Clock } from "./batch.ts";
import type { PrecisionLimits } from "./stopping.ts";

/** How much time and how many samples a point may take. */
export interface PointBudget extends Omit<PrecisionLimits, "secondsMax"> {
  /** For everything that is timed: warm-up, samples, counting of allocations. */
  readonly seconds: number;
  /** The wanted length of a sample. */
  readonly sampleSeconds: number;
  /**
   * Calls in which allocated bytes are counted, for a scenario that says that it allocates nothing;
   * 0 for no counting.
   */
  readonly heapCallsMax: number;
  /** Calls that are timed one by one at most; 0 when absent. */
  readonly singleCallsMax?: number;
}

/** What is measured, and how. */
export interface PointOptions {
  /** A value for each axis of the scenario. */
  readonly point: Point;
  /** Time and samples that the point may take. */
  readonly budget: PointBudget;
  /** In place of the clock of the machine. */
  readonly clock?: Clock;
  /** Begins to watch what disturbs the machine; in place of `NoiseMeter.start`. */
  readonly watch?: () => Pick<NoiseMeter, "stop">;
}
