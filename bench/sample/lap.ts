import type { Trial } from "../../scenarios/scenario.ts";
import type { Clock } from "./clock.ts";

/** Part of a batch that runs untimed before it: caches and branch predictors come back to it. */
const LEAD_IN_SHARE = 1 / 8;

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
    await trial.run(Math.ceil(callCount * LEAD_IN_SHARE));
    const begin = clock();
    const running = trial.run(callCount);
    // An await costs a turn of the event loop, which a synchronous run does not have.
    if (running) await running;
    return clock() - begin;
  } finally {
    trial.rest?.();
  }
}
