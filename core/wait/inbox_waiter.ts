import { PORT_PLACES, type PortPlaces } from "../memory/regions.ts";
import type { Words } from "../memory/words.ts";
import type { Deadline } from "./deadline.ts";
import type { WaitEnd } from "./wait_end.ts";
import {
  checkWaiterName,
  pauseUpTo,
  STRATEGIES,
  type Strategy,
  type WaiterName,
} from "./strategy.ts";
import { GUARD_POLLS } from "./tuning.ts";

/** May end a wait early. */
export interface WaitGuard {
  /** Called now and then, and before every sleep. Throws when the wait has to end. */
  check(): void;
  /** The time after which `check` would throw; `Infinity` without a deadline. */
  readonly leftMilliseconds: number;
  /** Ends an asynchronous wait when it is aborted; the wait then no longer touches the port. */
  readonly signal?: AbortSignal | undefined;
  /** As `signal`, for waits that the port itself ends, by its close for example. */
  readonly end?: WaitEnd | undefined;
}

/** A guard by a deadline, and by what else may end the wait: see {@linkcode WaitGuard.check}. */
export class Guard implements WaitGuard {
  readonly check: () => void;
  readonly #deadline: Deadline | undefined;
  readonly end: WaitEnd | undefined;

  constructor(check: () => void, deadline: Deadline | undefined, end?: WaitEnd) {
    this.check = check;
    this.#deadline = deadline;
    this.end = end;
  }

  get leftMilliseconds(): number {
    return this.#deadline?.leftMilliseconds ?? Infinity;
  }

  get signal(): AbortSignal | undefined {
    return this.#deadline?.signal;
  }
}

/** The guard of a wait without a limit. */
export const NO_GUARD: WaitGuard = { check: () => {}, leftMilliseconds: Infinity };

/** Waits for a port's inbox; {@linkcode InboxWaiter} is the usual one. */
export interface PortWaiter {
  /** Whether `wait` always throws. False when absent. */
  readonly isAsyncOnly?: boolean;
  /** Returns when the inbox of the port is no longer `foreign`, or throws what the guard throws. */
  wait(index: number, foreign: number, guard: WaitGuard): void;
  /** As `wait`, without blocking the event loop. */
  waitAsync(index: number, foreign: number, guard: WaitGuard): Promise<void>;
}

const POLLS = GUARD_POLLS; // see tuning.ts
/** The bit of a parked word that says that this side sleeps; a protocol may keep other bits there. */
const PARKED = 1;
/** Stands for "do not sleep" where a value to sleep on is expected, which is never 0. */
const AWAKE = 0;

/** The words at which a waiter looks, and in which it marks that it sleeps. */
export interface WaitBoxes {
  readonly inboxWord: number;
  /** One word for each port when absent. */
  readonly inboxPlaces?: PortPlaces;
  readonly parkedWord: number;
}

/**
 * Waits for the other side to give a port's buffer back.
 *
 * A waiter sleeps on its own parked word and not on the inbox. To wake it, others clear that word, which
 * only means "look again". So a shutdown can wake a sleeper whose inbox does not change, and no wake is
 * lost between its last look and its sleep. Only the guard's deadline limits a sleep.
 */
export class InboxWaiter implements PortWaiter {
  readonly #words: Words;
  readonly #inboxWord: number;
  readonly #parkedWord: number;
  readonly #strategy: Strategy;
  readonly #stride: number;
  readonly #down: number;
  readonly #shiftMask: number;
  readonly #valueMask: number;

  constructor(words: Words, boxes: WaitBoxes, name: WaiterName) {
    checkWaiterName(name);
    this.#words = words;
    this.#inboxWord = boxes.inboxWord;
    this.#parkedWord = boxes.parkedWord;
    this.#strategy = STRATEGIES[name];
    const { stride, down, shiftMask, valueMask } = boxes.inboxPlaces ?? PORT_PLACES.word;
    this.#stride = stride;
    this.#down = down;
    this.#shiftMask = shiftMask;
    this.#valueMask = valueMask;
  }

  /** Returns when the port's inbox is no longer `foreign`. Blocks. */
  wait(index: number, foreign: number, guard: WaitGuard): void {
    const word = this.#inboxWord + (Math.imul(index, this.#stride) >> this.#down);
    const shift = index & this.#shiftMask;
    // Sync: pairs with the other side's toggle(): after a flip its packet is visible.
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

  /** Marks that this side is about to sleep and looks once more; returns the value to sleep on. */
  #announce(index: number, foreign: number, guard: WaitGuard): number {
    // Sync: pairs with Mailboxes.wakePeer() and with a stop of the channel. They change the inbox or the
    // state first and then clear the parked word; we set the word first and then look. If we looked first,
    // we could miss the change, set the word after it was cleared, and sleep forever.
    const before = this.#words.or(this.#parkedWord + index, PARKED);
    guard.check();
    return this.#inbox(index) === foreign ? before | PARKED : AWAKE;
  }

  #inbox(index: number): number {
    const inboxes = this.#words.load(
      this.#inboxWord + (Math.imul(index, this.#stride) >> this.#down),
    );
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
      // After an abort the port may belong to another call, whose mark this would remove.
      if (!isAborted) this.#words.and(word, ~PARKED);
    }
    guard.end?.check();
    if (isAborted) guard.signal!.throwIfAborted();
  }

  #wakeSelf(word: number): void {
    // Sync: as in a waker. The signal is aborted already, and the wait looks at it after the wake.
    this.#words.and(word, ~PARKED);
    this.#words.notify(word);
  }
}
