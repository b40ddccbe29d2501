import { BURST_POLLS } from "./tuning.ts";

/**
 * How a side waits: a choice that is independent of the protocol, and therefore an axis of a sweep.
 *
 * | name | polls | then |
 * | --- | --- | --- |
 * | `spin` | without pause | continues; fastest, needs a processor of its own |
 * | `spin-pause` | with the processor's pause hint between polls | continues |
 * | `backoff` | with pauses that double up to 64 | continues |
 * | `park` | once | sleeps until woken, which takes tens of microseconds; uses no processor |
 * | `adaptive` | for some microseconds | sleeps; the default, also good with fewer processors than workers |
 */
export const WAITER_NAMES = ["spin", "spin-pause", "backoff", "park", "adaptive"] as const;
/** One of {@linkcode WAITER_NAMES}. */
export type WaiterName = typeof WAITER_NAMES[number];

const BACKOFF_PAUSES_MAX = 64;

export interface Strategy {
  readonly burstPolls: number;
  readonly pausesMin: number;
  readonly pausesMax: number;
  readonly parks: boolean;
}

export const STRATEGIES: Record<WaiterName, Strategy> = {
  spin: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: false },
  "spin-pause": { burstPolls: 0, pausesMin: 1, pausesMax: 1, parks: false },
  backoff: { burstPolls: 0, pausesMin: 1, pausesMax: BACKOFF_PAUSES_MAX, parks: false },
  park: { burstPolls: 1, pausesMin: 0, pausesMax: 0, parks: true },
  adaptive: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: true },
};

/** Pauses `pauses` times; returns the number for the next time. */
export function pauseUpTo(pauses: number, pausesMax: number): number {
  for (let count = 0; count < pauses; count++) Atomics.pause();
  return Math.min(pauses * 2, pausesMax);
}

/** @throws {TypeError} when the name is unknown */
export function checkWaiterName(name: string): asserts name is WaiterName {
  if ((WAITER_NAMES as readonly string[]).includes(name)) return;
  throw new TypeError(
    `Cannot wait as the waiter must be one of ${WAITER_NAMES.join(", ")}: current value is ${name}`,
  );
}

/** Passes a server's time between searches that found nothing, until it should sleep. */
export class ServerIdler {
  readonly #strategy: Strategy;
  #idleSearches = 0;
  #pauses = 0;

  constructor(name: WaiterName) {
    checkWaiterName(name);
    this.#strategy = STRATEGIES[name];
    this.reset();
  }

  /** Call when there was work. */
  reset(): void {
    this.#idleSearches = 0;
    this.#pauses = this.#strategy.pausesMin;
  }

  /** Call when there was none: pauses as the strategy says; returns whether to sleep now. */
  wantsSleep(): boolean {
    this.#pauses = pauseUpTo(this.#pauses, this.#strategy.pausesMax);
    return this.#strategy.parks && ++this.#idleSearches >= this.#strategy.burstPolls;
  }
}
