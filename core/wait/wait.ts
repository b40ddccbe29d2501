import type { Mailboxes } from "../toggle/mailbox.ts";
import type { Words } from "../memory/words.ts";

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
export type WaiterName = typeof WAITER_NAMES[number];

/** Limits of one wait. */
export interface WaitOptions {
  /** Gives up after this long, with a `TimeoutError`. Unlimited when absent. */
  readonly timeoutSeconds?: number;
  /**
   * Gives up when aborted, with the signal's reason. While a worker blocks, its event loop stands
   * still: a blocking wait sees a signal that was aborted before it began or by a callback, the
   * asynchronous waits see it at any time.
   */
  readonly signal?: AbortSignal;
}

/** Waits for a port's inbox; {@linkcode InboxWaiter} is the usual one. */
export interface PortWaiter {
  /** Returns when the inbox of the port is no longer `foreign`, or throws what `guard` throws. */
  wait(index: number, foreign: number, guard: () => void): void;
  /** As `wait`, without blocking the event loop. */
  waitAsync(index: number, foreign: number, guard: () => void): Promise<void>;
}

/** Polls before a strategy's slow part begins; chosen so that a call between two running workers ends before it. */
const BURST_POLLS = 2_000;
/** Polls between two looks at deadline, signal and the channel's state. */
const GUARD_POLLS = 256;
const BACKOFF_PAUSES_MAX = 64;
/** A sleeper looks around this often, whatever happens. */
const PARK_MILLISECONDS = 50;

interface Strategy {
  readonly burstPolls: number;
  readonly pausesMin: number;
  readonly pausesMax: number;
  readonly parks: boolean;
}

const STRATEGIES: Record<WaiterName, Strategy> = {
  spin: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: false },
  "spin-pause": { burstPolls: 0, pausesMin: 1, pausesMax: 1, parks: false },
  backoff: { burstPolls: 0, pausesMin: 1, pausesMax: BACKOFF_PAUSES_MAX, parks: false },
  park: { burstPolls: 1, pausesMin: 0, pausesMax: 0, parks: true },
  adaptive: { burstPolls: BURST_POLLS, pausesMin: 0, pausesMax: 0, parks: true },
};

/**
 * Waits for the other side to give a port's buffer back.
 *
 * @example
 * ```ts
 * import { checkWaiterName } from "./wait.ts";
 * checkWaiterName("adaptive");
 * ```
 */
export class InboxWaiter implements PortWaiter {
  readonly #words: Words;
  readonly #inboxWord: number;
  readonly #parkedWord: number;
  readonly #strategy: Strategy;

  constructor(words: Words, boxes: Mailboxes, name: WaiterName) {
    checkWaiterName(name);
    this.#words = words;
    this.#inboxWord = boxes.inboxWord;
    this.#parkedWord = boxes.parkedWord;
    this.#strategy = STRATEGIES[name];
  }

  /**
   * Returns when the port's inbox is no longer `foreign`. Blocks.
   *
   * @param guard called now and then; ends the wait by throwing
   */
  wait(index: number, foreign: number, guard: () => void): void {
    const word = this.#inboxWord + index;
    // Sync: pairs with the other side's toggle(); returning on a flip makes its packet visible.
    for (let poll = this.#strategy.burstPolls; poll > 0; poll--) {
      if (this.#words.load(word) !== foreign) return;
    }
    this.#waitLong(index, foreign, guard);
  }

  #waitLong(index: number, foreign: number, guard: () => void): void {
    const { pausesMin, pausesMax, parks } = this.#strategy;
    const word = this.#inboxWord + index;
    let pauses = pausesMin;
    for (let poll = 0; this.#words.load(word) === foreign; poll++) {
      if (poll % GUARD_POLLS === 0 || parks) guard();
      if (parks) this.#park(index, foreign, guard);
      else pauses = pauseUpTo(pauses, pausesMax);
    }
  }

  #park(index: number, foreign: number, guard: () => void): void {
    // Sync: pairs with Mailboxes.wakePeer(): announced before the comparison that the wait makes,
    // so that a flip either stops the sleep or finds us announced. The guard looks once more,
    // because whoever shuts the channel down wakes only those it finds announced.
    this.#words.store(this.#parkedWord + index, 1);
    try {
      guard();
      this.#words.wait(this.#inboxWord + index, foreign, PARK_MILLISECONDS);
    } finally {
      this.#words.store(this.#parkedWord + index, 0);
    }
  }

  /** As {@linkcode wait}, without blocking the event loop. */
  async waitAsync(index: number, foreign: number, guard: () => void): Promise<void> {
    const word = this.#inboxWord + index;
    while (this.#words.load(word) === foreign) {
      // Sync: as #park().
      this.#words.store(this.#parkedWord + index, 1);
      try {
        guard();
        await this.#words.waitAsync(word, foreign, PARK_MILLISECONDS);
      } finally {
        this.#words.store(this.#parkedWord + index, 0);
      }
    }
  }
}

/** How a server passes the time between searches that found nothing, up to the point of sleep. */
export class ServerIdler {
  readonly #strategy: Strategy;
  #idleSearches = 0;
  #pauses = 0;

  constructor(name: WaiterName) {
    checkWaiterName(name);
    this.#strategy = STRATEGIES[name];
    this.reset();
  }

  /** There was work. */
  reset(): void {
    this.#idleSearches = 0;
    this.#pauses = this.#strategy.pausesMin;
  }

  /** There was none: pauses as the strategy has it, and says whether to sleep now. */
  wantsSleep(): boolean {
    this.#pauses = pauseUpTo(this.#pauses, this.#strategy.pausesMax);
    return this.#strategy.parks && ++this.#idleSearches >= this.#strategy.burstPolls;
  }
}

/** Pauses `pauses` times; returns how often the next time. */
function pauseUpTo(pauses: number, pausesMax: number): number {
  for (let count = 0; count < pauses; count++) Atomics.pause();
  return Math.min(pauses * 2, pausesMax);
}

/**
 * A function that throws when a wait has to end: at its deadline or on its signal.
 *
 * @throws {RangeError} when the timeout is not a number of at least 0
 */
export function deadlineGuard(what: string, options: WaitOptions): () => void {
  const { timeoutSeconds = Infinity, signal } = options;
  if (!(timeoutSeconds >= 0)) {
    throw new RangeError(
      `Cannot ${what} as timeoutSeconds must be at least 0: current value is ${timeoutSeconds}`,
    );
  }
  const deadlineMilliseconds = performance.now() + timeoutSeconds * 1000;
  return () => {
    signal?.throwIfAborted();
    if (performance.now() < deadlineMilliseconds) return;
    throw new DOMException(`Cannot ${what} within ${timeoutSeconds} s`, "TimeoutError");
  };
}

/** @throws {TypeError} when no strategy has the name */
export function checkWaiterName(name: string): asserts name is WaiterName {
  if ((WAITER_NAMES as readonly string[]).includes(name)) return;
  throw new TypeError(
    `Cannot wait as the waiter must be one of ${WAITER_NAMES.join(", ")}: current value is ${name}`,
  );
}
