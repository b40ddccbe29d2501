import { PORT_PLACES, type PortPlaces } from "../memory/regions.ts";
import type { Words } from "../memory/words.ts";
import type { WaitEnd } from "./wait_end.ts";
import {
  checkWaiterName,
  pauseUpTo,
  STRATEGIES,
  type Strategy,
  type WaiterName,
} from "./strategy.ts";
import { GUARD_POLLS } from "./tuning.ts";

/** What may end a wait before its time. */
export interface WaitGuard {
  /** Called now and then, and before every sleep; throws when the wait has to end. */
  check(): void;
  /** The longest sleep until `check` would throw by itself; `Infinity` without a deadline. */
  readonly leftMilliseconds: number;
  /** Ends an asynchronous wait when it is aborted, which then touches the port no more. */
  readonly signal?: AbortSignal | undefined;
  /** As `signal`, for what the port itself ends: by its close, for example. */
  readonly end?: WaitEnd | undefined;
}

/** Waits for a port's inbox; {@linkcode InboxWaiter} is the usual one. */
export interface PortWaiter {
  /** Whether `wait` is refused; absent where it is not. */
  readonly isAsyncOnly?: boolean;
  /** Returns when the inbox of the port is no longer `foreign`, or throws what the guard throws. */
  wait(index: number, foreign: number, guard: WaitGuard): void;
  /** As `wait`, without blocking the event loop. */
  waitAsync(index: number, foreign: number, guard: WaitGuard): Promise<void>;
}

const POLLS = GUARD_POLLS; // see tuning.ts
/** The bit of a parked word that says that this side sleeps; a protocol may keep other bits there. */
const PARKED = 1;
/** In place of the value to sleep on, which is never 0: there is a reason not to sleep. */
const AWAKE = 0;

/** Where a waiter looks, and where it says that it sleeps. */
export interface WaitBoxes {
  readonly inboxWord: number;
  /** A word a port when absent. */
  readonly inboxPlaces?: PortPlaces;
  readonly parkedWord: number;
}

/**
 * Waits for the other side to give a port's buffer back.
 *
 * A waiter that sleeps does so on its own parked word and not on the inbox: whoever wants it awake
 * clears that word, which only means "look again". So a shutdown can wake a sleeper whose inbox does
 * not change, and no wake is lost between its last look and its sleep. Nothing but the guard's
 * deadline limits a sleep.
 *
 * @example
 * ```ts
 * import { checkWaiterName } from "./strategy.ts";
 * checkWaiterName("adaptive");
 * ```
 */
export class InboxWaiter implements PortWaiter {
  readonly #words: Words;
  readonly #inboxWord: number;
  readonly #parkedWord: number;
  readonly #strategy: Strategy;
  readonly #up: number;
  readonly #down: number;
  readonly #shiftMask: number;
  readonly #valueMask: number;

  constructor(words: Words, boxes: WaitBoxes, name: WaiterName) {
    checkWaiterName(name);
    this.#words = words;
    this.#inboxWord = boxes.inboxWord;
    this.#parkedWord = boxes.parkedWord;
    this.#strategy = STRATEGIES[name];
    const { up, down, shiftMask, valueMask } = boxes.inboxPlaces ?? PORT_PLACES.word;
    this.#up = up;
    this.#down = down;
    this.#shiftMask = shiftMask;
    this.#valueMask = valueMask;
  }

  /** Returns when the port's inbox is no longer `foreign`. Blocks. */
  wait(index: number, foreign: number, guard: WaitGuard): void {
    const word = this.#inboxWord + (index << this.#up >> this.#down);
    const shift = index & this.#shiftMask;
    // Sync: pairs with the other side's toggle(); returning on a flip makes its packet visible.
    for (let poll = this.#strategy.burstPolls; poll > 0; poll--) {
      if ((this.#words.load(word) >>> shift & this.#valueMask) !== foreign) return;
    }
    this.#waitLong(index, foreign, guard);
  }

  #waitLong(index: number, foreign: number, guard: WaitGuard): void {
    const { pausesMin, pausesMax, parks } = this.#strategy;
    let pauses = pausesMin;
    for (let poll = 0; this.#inbox(index) === foreign; poll++) {
      if (parks) this.#park(index, foreign, guard);
      else {
        if (poll % POLLS === 0) guard.check();
        pauses = pauseUpTo(pauses, pausesMax);
      }
    }
  }

  #park(index: number, foreign: number, guard: WaitGuard): void {
    const word = this.#parkedWord + index;
    try {
      const announced = this.#announce(index, foreign, guard);
      if (announced !== AWAKE) this.#words.wait(word, announced, guard.leftMilliseconds);
    } finally {
      this.#words.and(word, ~PARKED);
    }
  }

  /** Says that this side is about to sleep and looks once more; returns the word to sleep on. */
  #announce(index: number, foreign: number, guard: WaitGuard): number {
    // Sync: pairs with Mailboxes.wakePeer() and Channel's wake-up of everybody: they change the inbox
    // or the state first and clear the parked word then; we set it first and look then. Looking
    // first, we could miss the change, and set the word after it was cleared: asleep for good.
    const before = this.#words.or(this.#parkedWord + index, PARKED);
    guard.check();
    return this.#inbox(index) === foreign ? before | PARKED : AWAKE;
  }

  #inbox(index: number): number {
    const inboxes = this.#words.load(this.#inboxWord + (index << this.#up >> this.#down));
    return inboxes >>> (index & this.#shiftMask) & this.#valueMask;
  }

  /** As {@linkcode wait}, without blocking the event loop. */
  async waitAsync(index: number, foreign: number, guard: WaitGuard): Promise<void> {
    const word = this.#parkedWord + index;
    let isAborted = false;
    const wake = () => {
      isAborted = true;
      this.#wakeSelf(word);
    };
    guard.end?.onEnd(wake);
    guard.signal?.addEventListener("abort", wake);
    try {
      while (!isAborted && this.#inbox(index) === foreign) {
        const announced = this.#announce(index, foreign, guard);
        if (announced === AWAKE) break;
        await this.#words.waitAsync(word, announced, guard.leftMilliseconds);
      }
    } finally {
      guard.signal?.removeEventListener("abort", wake);
      guard.end?.onEnd(undefined);
      // Once it is aborted the port may be another's, whose mark this would take away.
      if (!isAborted) this.#words.and(word, ~PARKED);
    }
    guard.end?.check();
    if (isAborted) guard.signal!.throwIfAborted();
  }

  #wakeSelf(word: number): void {
    // Sync: as a waker's: the signal is aborted already, and the wait looks at that after the wake.
    this.#words.and(word, ~PARKED);
    this.#words.notify(word);
  }
}
