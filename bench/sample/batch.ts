import type { Trial } from "../../scenarios/scenario.ts";
import type { Clock } from "./clock.ts";
import { timeBatch } from "./lap.ts";

const CALLS_MAX = 1 << 26;
/** A batch this much of the wanted length is long enough to tell how many calls it takes. */
const TELLING_SHARE = 1 / 4;
/** The fastest of these counts: one that was interrupted makes a single call look long enough. */
const TRIES = 3;

/**
 * How many calls make a batch of about `sampleSeconds`: doubled from one until a batch is long
 * enough to tell, because one call may be shorter than a step of the clock.
 */
export async function callsPerBatch(
  trial: Trial,
  options: { readonly sampleSeconds: number; readonly clock: Clock },
): Promise<number> {
  const { sampleSeconds, clock } = options;
  for (let callCount = 1;; callCount *= 2) {
    const seconds = await fastestBatch(trial, { callCount, clock });
    if (seconds < sampleSeconds * TELLING_SHARE && callCount < CALLS_MAX) continue;
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
