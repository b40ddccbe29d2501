import { median } from "simple-statistics";
import type { Trial } from "../../scenarios/scenario.ts";
import { durationText } from "../record/duration_text.ts";
import { callsPerBatch, type Clock, timeBatch } from "./batch.ts";

/** The median of this many batches is compared with the median of as many before them. */
const WINDOW = 4;
/** A trial that gets faster by less than this share from window to window is warm. */
const FASTER_SHARE = 0.03;

/** Short batches warm the code as well as long ones, and the end of the warm-up is seen sooner. */
const BATCH_SECONDS_MAX = 0.005;

/** No processor makes a call in less: a batch that is faster did not make its calls. */
const CALL_SECONDS_MIN = 1e-11;

/** How a warm-up ended. */
export interface WarmUpReport {
  /** Calls of a batch of the wanted length, at the warm speed. */
  readonly callsPerSample: number;
  /** Batches that were run. */
  readonly batchCount: number;
  /** Whether the trial stopped getting faster before the time was up. */
  readonly isSettled: boolean;
}

/**
 * Runs a trial until it gets no faster: then its code is compiled, and the caches and the partner
 * are as they will be. The calls of a batch are counted anew after each batch, so that the batches
 * stay equally long while the calls get faster.
 *
 * @param options `name` says in an error whose trial it is
 * @throws {RangeError} when a batch takes no time, however many calls it is told to make
 */
export async function warmUp(
  trial: Trial,
  options: {
    readonly name: string;
    readonly sampleSeconds: number;
    readonly secondsMax: number;
    readonly clock: Clock;
  },
): Promise<WarmUpReport> {
  const { name, sampleSeconds, secondsMax, clock } = options;
  const end = clock() + secondsMax;
  const batchSeconds = Math.min(sampleSeconds, BATCH_SECONDS_MAX);
  let callCount = await callsPerBatch(trial, { sampleSeconds: batchSeconds, clock });
  const secondsPerCall: number[] = [];
  let isSettled = false;
  while (!isSettled && (clock() < end || secondsPerCall.length === 0)) {
    const seconds = await timeBatch(trial, { callCount, clock });
    if (seconds < CALL_SECONDS_MIN * callCount) refuse(name, { callCount, seconds });
    secondsPerCall.push(seconds / callCount);
    callCount = callsIn(batchSeconds, secondsPerCall);
    isSettled = isSteady(secondsPerCall);
  }
  const callsPerSample = callsIn(sampleSeconds, secondsPerCall);
  return { callsPerSample, batchCount: secondsPerCall.length, isSettled };
}

function refuse(name: string, batch: { readonly callCount: number; readonly seconds: number }) {
  throw new RangeError(
    `Cannot measure ${name} as its run() must make as many calls as it is told: ${batch.callCount} ` +
      `took ${durationText(batch.seconds)}`,
  );
}

/** Takes the speed of the fastest of the last batches: others were interrupted or not warm yet. */
function callsIn(seconds: number, secondsPerCall: readonly number[]): number {
  return Math.max(1, Math.round(seconds / Math.min(...secondsPerCall.slice(-WINDOW))));
}

/** Whether the last window is hardly faster than the one before. */
function isSteady(secondsPerCall: readonly number[]): boolean {
  if (secondsPerCall.length < 2 * WINDOW) return false;
  const before = median(secondsPerCall.slice(-2 * WINDOW, -WINDOW));
  return median(secondsPerCall.slice(-WINDOW)) >= before * (1 - FASTER_SHARE);
}
