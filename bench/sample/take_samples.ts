import type { Trial } from "../../scenarios/scenario.ts";
import type { StoppingCriterion } from "./stopping.ts";
import { median } from "simple-statistics";
import { durationText } from "../record/record.ts";

/** A trial that is warm, and how many calls make one of its samples. */
export interface WarmTrial {
  readonly trial: Trial;
  readonly callsPerSample: number;
}

/** When sampling ends, and by which clocks. */
export interface SamplingOptions {
  readonly criterion: StoppingCriterion;
  readonly clock: Clock;
  /** How long this thread has waited for a processor; always 0 when absent. */
  readonly waitedSeconds?: () => number;
  /** Is told of each sample in whose turn the thread was without a processor for a part of the time. */
  readonly onPreempted?: (sample: number) => void;
}

/** So little is what interrupts take. */
const PREEMPTED_SHARE = 0.02;

/**
 * Samples several trials in turn, so that a change of the machine meets all of them: sample `i` of
 * one trial pairs with sample `i` of each other. Every second round runs in the opposite order, so
 * that a steady drift of the machine favours none of them.
 *
 * @param trials the trial, then the floor that the criterion takes its ratio to, then references
 * @returns seconds a call, in the order taken, for each trial
 */
export async function takeSamples(
  trials: readonly WarmTrial[],
  options: SamplingOptions,
): Promise<number[][]> {
  const { criterion, clock, waitedSeconds = () => 0, onPreempted } = options;
  const samples = trials.map((): number[] => []);
  const forward = trials.map((_, index) => index);
  const begin = clock();
  for (let round = 0; criterion.reason === undefined; round++) {
    const [wallSeconds, waited] = [clock(), waitedSeconds()];
    for (const index of round % 2 === 0 ? forward : forward.toReversed()) {
      const { trial, callsPerSample: callCount } = trials[index]!;
      samples[index]!.push(await timeBatch(trial, { callCount, clock }) / callCount);
    }
    const lost = waitedSeconds() - waited;
    if (lost > PREEMPTED_SHARE * (clock() - wallSeconds)) onPreempted?.(round);
    const floor = samples[1]?.[round] ?? 1;
    criterion.add(samples[0]![round]! / floor, clock() - begin);
  }
  return samples;
}

/** Seconds since some moment; never goes back. Tests pass a clock that they move themselves. */
export type Clock = () => number;

/** The clock that measurements use. */
export function clockSeconds(): number {
  return performance.now() / 1000;
}

/**
 * Calls that run untimed before a batch, as a share of it. The trial that ran before has filled the
 * caches and the branch predictors with its own data: these calls bring them back to this trial.
 */
const UNTIMED_SHARE = 1 / 8;

/**
 * Times one batch of calls, and leaves the trial at rest.
 *
 * @returns seconds of the whole batch
 */
export async function timeBatch(
  trial: Trial,
  options: { readonly callCount: number; readonly clock: Clock },
): Promise<number> {
  const { callCount, clock } = options;
  trial.wake?.();
  try {
    await trial.run(Math.ceil(callCount * UNTIMED_SHARE));
    const begin = clock();
    const running = trial.run(callCount);
    // Awaited only where there is a promise: an await costs a turn of the event loop, and a
    // synchronous run must not be charged for it.
    if (running) await running;
    return clock() - begin;
  } finally {
    trial.rest?.();
  }
}

/** Where counting ends when no count makes a batch long enough: the clock stands still then. */
const CALLS_MAX = 1 << 26;
/** From this share of the wanted length on, the time of a batch says how many calls it should have. */
const LENGTH_SHARE_MIN = 1 / 4;
/** Batches of one count, of which the fastest counts: an interruption makes a batch look too long. */
const TRIES = 3;

/**
 * How many calls make a batch of about `sampleSeconds`. Starts with one call and doubles the count
 * until the batch takes a good part of that time, because one call may be shorter than a step of
 * the clock.
 */
export async function callsPerBatch(
  trial: Trial,
  options: { readonly sampleSeconds: number; readonly clock: Clock },
): Promise<number> {
  const { sampleSeconds, clock } = options;
  for (let callCount = 1;; callCount *= 2) {
    const seconds = await fastestBatch(trial, { callCount, clock });
    if (seconds < sampleSeconds * LENGTH_SHARE_MIN && callCount < CALLS_MAX) continue;
    return Math.min(CALLS_MAX, Math.max(1, Math.round(callCount * sampleSeconds / seconds)));
  }
}

async function fastestBatch(
  trial: Trial,
  options: { readonly callCount: number; readonly clock: Clock },
): Promise<number> {
  let fastest = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    fastest = Math.min(fastest, await timeBatch(trial, options));
  }
  return fastest;
}

/** The median of this many batches is compared with the median of as many before them. */
const WINDOW = 4;
/** A trial that gets faster by less than this share from window to window is warm. */
const FASTER_SHARE = 0.03;

/** Short batches warm the code as well as long ones, and the end of the warm-up is seen sooner. */
const BATCH_SECONDS_MAX = 0.005;

/** No processor makes a call in less: a batch that is faster did not make its calls. */
const CALL_SECONDS_MIN = 1e-11;

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
