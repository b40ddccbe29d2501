import type { Trial } from "../../scenarios/scenario.ts";

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
