import { median } from "simple-statistics";
import type { Trial } from "../../scenarios/scenario.ts";
import { callsPerBatch } from "./batch.ts";
import type { Clock } from "./clock.ts";
import { timeBatch } from "./lap.ts";

/** Batches whose median is compared with that of as many before them. */
const WINDOW = 4;
/** Code that gets faster by less than this from window to window is warm. */
const FASTER_SHARE = 0.03;

/** Many short batches warm as well as few long ones, and show sooner that they did. */
const BATCH_SECONDS_MAX = 0.005;

/** What a trial is like once it is warm. */
export interface Warmth {
  /** Calls of a batch of the wanted length, at the warm speed. */
  readonly callsPerSample: number;
  /** Batches that it took, or that there was time for. */
  readonly batchCount: number;
  /** Whether the trial stopped getting faster before the time was up. */
  readonly isSettled: boolean;
}

/**
 * Runs a trial until it gets no faster: compilers, caches and the partner have come to rest then.
 * Batches grow as the calls get faster, so that the last ones are what a sample will be.
 */
export async function warmUp(
  trial: Trial,
  options: { readonly sampleSeconds: number; readonly secondsMax: number; readonly clock: Clock },
): Promise<Warmth> {
  const { sampleSeconds, secondsMax, clock } = options;
  const end = clock() + secondsMax;
  const batchSeconds = Math.min(sampleSeconds, BATCH_SECONDS_MAX);
  let callCount = await callsPerBatch(trial, { sampleSeconds: batchSeconds, clock });
  const secondsPerCall: number[] = [];
  let isSettled = false;
  while (!isSettled && (clock() < end || secondsPerCall.length === 0)) {
    secondsPerCall.push(await timeBatch(trial, { callCount, clock }) / callCount);
    callCount = callsIn(batchSeconds, secondsPerCall);
    isSettled = isSteady(secondsPerCall);
  }
  const callsPerSample = callsIn(sampleSeconds, secondsPerCall);
  return { callsPerSample, batchCount: secondsPerCall.length, isSettled };
}

/** By the fastest of the last batches: the others were interrupted, or not warm yet. */
function callsIn(seconds: number, secondsPerCall: readonly number[]): number {
  return Math.max(1, Math.round(seconds / Math.min(...secondsPerCall.slice(-WINDOW))));
}

/** Whether the last window is hardly faster than the one before. */
function isSteady(secondsPerCall: readonly number[]): boolean {
  if (secondsPerCall.length < 2 * WINDOW) return false;
  const before = median(secondsPerCall.slice(-2 * WINDOW, -WINDOW));
  return median(secondsPerCall.slice(-WINDOW)) >= before * (1 - FASTER_SHARE);
}
