import { BURST_POLLS } from "./tuning.ts";

/**
 * How a side waits. A choice of its own, apart from the protocol, and so an axis of a sweep.
 *
 * | name | polls | then |
 * | --- | --- | --- |
 * | `spin` | without pause | goes on; fastest, needs a processor of its own |
 * | `spin-pause` | with the processor's pause hint between polls | goes on |
 * | `backoff` | with pauses that double up to 64 | goes on |
 * | `park` | once | sleeps until woken; tens of microseconds to wake, burns nothing |
 * | `adaptive` | for some microseconds | sleeps; the default: right also with fewer processors than workers |
 */
export const WAITER_NAMES = ["spin", "spin-pause", "backoff", "park", "adaptive"] as const;
/** One of {@linkcode WAITER_NAMES}. */
export type WaiterName = typeof WAITER_NAMES[number];

const BACKOFF_PAUSES_MAX = 64;

/** What a name means. */
export interface Strategy {
  readonly burstPolls: number;
  readonly pausesMin: number;
  readonly pausesMax: number;
  readonly parks: boolean;
}

/** The strategy of each name. */
export const STRATEGIES: Record<WaiterName, Strategy> = {
  spin: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: false },
  "spin-pause": { burstPolls: 0, pausesMin: 1, pausesMax: 1, parks: false },
  backoff: { burstPolls: 0, pausesMin: 1, pausesMax: BACKOFF_PAUSES_MAX, parks: false },
  park: { burstPolls: 1, pausesMin: 0, pausesMax: 0, parks: true },
  adaptive: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: true },
};

/** Pauses `pauses` times; returns how often the next time. */
export function pauseUpTo(pauses: number, pausesMax: number): number {
  for (let count = 0; count < pauses; count++) Atomics.pause();
  return Math.min(pauses * 2, pausesMax);
}

/** @throws {TypeError} when no strategy has the name */
export function checkWaiterName(name: string): asserts name is WaiterName {
  if ((WAITER_NAMES as readonly string[]).includes(name)) return;
  throw new TypeError(
    `Cannot wait as the waiter must be one of ${WAITER_NAMES.join(", ")}: current value is ${name}`,
  );
}
