import type { Words } from "../memory/words.ts";

/**
 * Wakes servers that sleep because no port has work. Carries no data: the mailboxes do.
 *
 * Arming the bell announces a sleep on it and reads its value. A server arms, clears the hints, looks at
 * every mailbox once more, and only then sleeps. A client that finds its hint clear sets it and rings.
 * Without the look after arming, or with a bell that keeps its value, a ring could be lost and the server
 * would sleep on (as in ROCm/rocm-systems#8192).
 */
export class Doorbell {
  readonly #words: Words;
  readonly #sleepersWord: number;
  readonly #bellWord: number;

  constructor(
    words: Words,
    place: { readonly sleepersWord: number; readonly bellWord: number },
  ) {
    this.#words = words;
    this.#sleepersWord = place.sleepersWord;
    this.#bellWord = place.bellWord;
  }

  /** Wakes every sleeping server, if there is one. Bounded. */
  ring(): void {
    // Sync: pairs with arm(). Called after the toggle and the hint: either we see the sleeper, or its look
    // after arming sees our toggle. If we loaded before the toggle, both could miss.
    if (this.#words.load(this.#sleepersWord) === 0) return;
    this.wakeAll();
  }

  /** As {@linkcode ring}, without trusting the count of sleepers, which the other side may write. */
  wakeAll(): void {
    // Sync: pairs with the comparison in sleep(). A notify alone between the sleeper's last look and its
    // sleep would be lost.
    this.#words.add(this.#bellWord, 1);
    this.#words.notify(this.#bellWord);
  }

  /** Announces a sleeper; returns the value to sleep on. */
  arm(): number {
    // Sync: pairs with ring(). Called before the last look at the mailboxes, never after.
    this.#words.add(this.#sleepersWord, 1);
    return this.#words.load(this.#bellWord);
  }

  /** Sleeps until the bell was rung after {@linkcode arm}, at most `milliseconds`. Blocks. */
  sleep(armed: number, milliseconds = Infinity): void {
    this.#words.wait(this.#bellWord, armed, milliseconds);
  }

  /** As {@linkcode sleep}, without blocking. */
  sleepAsync(armed: number, milliseconds = Infinity): Promise<void> {
    return this.#words.waitAsync(this.#bellWord, armed, milliseconds);
  }

  /** Ends the sleep announced by {@linkcode arm}. */
  disarm(): void {
    this.#words.add(this.#sleepersWord, -1);
  }
}
