/** Seconds since some moment; never goes back. */
export type Clock = () => number;

/** The clock that measurements use. */
export function clockSeconds(): number {
  return performance.now() / 1000;
}

const STEP_TRIES = 1000;

/**
 * The smallest step that the clock was seen to take: what a sample has to be long against.
 *
 * @example
 * ```ts
 * import { clockSeconds, clockStepSeconds } from "./clock.ts";
 * if (!(clockStepSeconds(clockSeconds) < 0.001)) throw new Error("too coarse to measure with");
 * ```
 */
export function clockStepSeconds(clock: Clock): number {
  let step = Infinity;
  for (let attempt = 0; attempt < STEP_TRIES; attempt++) {
    const begin = clock();
    let end = clock();
    while (end === begin) end = clock();
    step = Math.min(step, end - begin);
  }
  return step;
}
