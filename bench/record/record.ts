import type { Point } from "../../scenarios/axis.ts";
import type { Machine } from "../machine/machine.ts";
import type { Placement } from "../machine/placement.ts";
import type { StopReason } from "../sample/stopping.ts";

/** Grows when a field changes its meaning. New fields do not count: readers ignore unknown ones. */
export const RECORD_VERSION = 1;

/** Raw samples of one trial: seconds a call, each the mean of a batch, in the order taken. */
export interface Samples {
  /** Calls of the batch behind each sample. */
  readonly callsPerSample: number;
  readonly latencySeconds: readonly number[];
}

/** What was measured at one point, apart from where and when. */
export interface Measurement extends Samples {
  /** Name of the floor; absent when the samples have none. */
  readonly control?: string;
  readonly controlCallsPerSample?: number;
  /** Sample `i` was taken right beside `latencySeconds[i]`; empty without a control. */
  readonly controlSeconds: readonly number[];
  /** Further trials, by name, whose samples pair in the same way. */
  readonly references: Readonly<Record<string, Samples>>;
  /**
   * Bytes that the measuring isolate allocated for each call, nothing subtracted for what its
   * collector took back, in the window of the calls where that was least; and its partner's.
   * Absent when there were too few calls to tell.
   */
  readonly heapGrowthBytesPerCall?: number;
  readonly partnerHeapGrowthBytesPerCall?: number;
  /** Calls behind the two fields above. */
  readonly heapCallCount?: number;
  /** Why there are not more samples; absent when they were not taken here. */
  readonly stopReason?: StopReason;
  /** Where the two threads were kept; absent when the scheduler decided. */
  readonly placement?: Placement;
  /** What the GPU adapter calls itself, when one was used. */
  readonly adapter?: string;
  /** What is doubtful about this record, in sentences. */
  readonly warnings: readonly string[];
}

/** One line of a records file: all samples of a point, with their context. Base units only. */
export interface RunRecord extends Measurement {
  readonly recordVersion: number;
  /** Shared by all records of one invocation. */
  readonly runId: string;
  /** When the invocation began: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Orders the points of the sweep. */
  readonly seed: number;
  /** Counts visits of the same point in fresh processes, from 0. */
  readonly round: number;
  readonly scenario: string;
  readonly question: string;
  readonly point: Point;
  readonly pointId: string;
  readonly machine: Machine;
}
