import type { Words } from "../memory/words.ts";

/**
 * One of the booleans of all slots, a bit each. Written by compare-exchange only, as in the original:
 * neighbours share the word, and none of their updates may be lost. Bounded, given that no other
 * thread takes the word in between; somebody always gets on.
 */
export class SlotBits {
  readonly #words: Words;
  readonly #firstWord: number;

  constructor(words: Words, firstWord: number) {
    this.#words = words;
    this.#firstWord = firstWord;
  }

  /** Whether the slot's bit is set. */
  has(index: number): boolean {
    // Sync: pairs with trySet() and tryClear(): seeing the bit makes what was written before visible.
    return (this.#words.load(this.#wordOf(index)) >>> (index & 31) & 1) === 1;
  }

  /** Sets the bit; false when it was set. Of several that try, one is told true. */
  trySet(index: number): boolean {
    return this.#tryFlip(index, 0);
  }

  /** Clears the bit; false when it was clear. */
  tryClear(index: number): boolean {
    return this.#tryFlip(index, 1);
  }

  #tryFlip(index: number, from: 0 | 1): boolean {
    const word = this.#wordOf(index);
    const bit = 1 << (index & 31);
    let held = this.#words.load(word);
    for (;;) {
      if ((held >>> (index & 31) & 1) !== from) return false;
      // Sync: publishes what was written before. With a load and a store instead, the bit of another
      // slot that changes in between would change back.
      const seen = this.#words.compareExchange(word, held, held ^ bit);
      if (seen === held) return true;
      held = seen;
    }
  }

  #wordOf(index: number): number {
    return this.#firstWord + (index >>> 5);
  }
}
