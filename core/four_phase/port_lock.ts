import type { Words } from "../memory/words.ts";

/**
 * One side's locks: whoever has the lock of a port alone may write that side's outbox. The other side
 * never looks at them. Bounded.
 */
export class PortLocks {
  readonly #words: Words;
  readonly #lockWord: number;

  constructor(words: Words, lockWord: number) {
    this.#words = words;
    this.#lockWord = lockWord;
  }

  /** Takes the lock if it is free. */
  tryLock(index: number): boolean {
    // Sync: pairs with unlock(): the taker sees every outbox write and packet access of the last
    // holder. With a load and a store instead, two could take it.
    return this.#words.compareExchange(this.#lockWord + index, 0, 1) === 0;
  }

  /** Drops the lock; called by its holder. */
  unlock(index: number): void {
    // Sync: pairs with tryLock(): comes after the holder's last outbox write, which the next holder
    // could otherwise not see and write over.
    this.#words.store(this.#lockWord + index, 0);
  }
}
