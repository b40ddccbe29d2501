import type { Words } from "../memory/words.ts";
import {
  checkWaiterName,
  pauseUpTo,
  STRATEGIES,
  type Strategy,
  type WaiterName,
} from "./strategy.ts";

/** Waits for a port's inbox; {@linkcode InboxWaiter} is the usual one. */
export interface PortWaiter {
  /** Returns when the inbox of the port is no longer `foreign`, or throws what `guard` throws. */
  wait(index: number, foreign: number, guard: () => void): void;
  /** As `wait`, without blocking the event loop. */
  waitAsync(index: number, foreign: number, guard: () => void): Promise<void>;
}

/** Polls between two looks at deadline, signal and the channel's state. */
const GUARD_POLLS = 256;
/** A sleeper looks around this often, whatever happens. */
const PARK_MILLISECONDS = 50;

/**
 * Waits for the other side to give a port's buffer back.
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

  constructor(
    words: Words,
    boxes: { readonly inboxWord: number; readonly parkedWord: number },
    name: WaiterName,
  ) {
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
