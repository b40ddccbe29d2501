import type { Words } from "../memory/words.ts";

/** A boolean for each packet, in shared memory. A lock is a flag that its holder has raised. */
export interface Flags {
  /** Whether the packet's flag is up. */
  has(index: number): boolean;
  /** Raises the flag; false when it was up. Of several callers, one gets true. */
  trySet(index: number): boolean;
  /** Raises a flag that only the caller may write. */
  set(index: number): void;
  /** Lowers a flag that only the caller may write. */
  clear(index: number): void;
}

/** Flags of a word each, which a store raises and lowers. Bounded. */
export class WordFlags implements Flags {
  readonly #words: Words;
  readonly #firstWord: number;

  constructor(words: Words, firstWord: number) {
    this.#words = words;
    this.#firstWord = firstWord;
  }

  /** Whether the flag is up. The other side may have written anything: all but 0 counts as 1. */
  has(index: number): boolean {
    // Sync: pairs with set() and clear(): seeing the flag makes what was written before visible.
    return this.#words.load(this.#firstWord + index) !== 0;
  }

  trySet(index: number): boolean {
    // Sync: pairs with clear(): the caller sees everything that the last holder wrote. With a load and
    // a store instead, two callers could take it.
    return this.#words.compareExchange(this.#firstWord + index, 0, 1) === 0;
  }

  set(index: number): void {
    // Sync: publishes what was written before. Pairs with has().
    this.#words.store(this.#firstWord + index, 1);
  }

  clear(index: number): void {
    // Sync: after the holder's last access. Pairs with has() and trySet().
    this.#words.store(this.#firstWord + index, 0);
  }
}

/**
 * Flags of a bit each. Written only by compare-exchange, because neighbours share the word and none of
 * their updates may be lost. Lock-free: a thread repeats only when another has changed the word.
 */
export class BitFlags implements Flags {
  readonly #words: Words;
  readonly #firstWord: number;

  constructor(words: Words, firstWord: number) {
    this.#words = words;
    this.#firstWord = firstWord;
  }

  has(index: number): boolean {
    // Sync: pairs with the flips: seeing the bit makes what was written before visible.
    return (this.#words.load(this.#wordOf(index)) >>> (index & 31) & 1) === 1;
  }

  trySet(index: number): boolean {
    return this.#tryFlip(index, 0);
  }

  /** Lowers the flag; false when it was down. Of several callers, one gets true. */
  tryClear(index: number): boolean {
    return this.#tryFlip(index, 1);
  }

  set(index: number): void {
    this.#tryFlip(index, 0);
  }

  clear(index: number): void {
    this.#tryFlip(index, 1);
  }

  #tryFlip(index: number, from: 0 | 1): boolean {
    const word = this.#wordOf(index);
    const bit = 1 << (index & 31);
    let held = this.#words.load(word);
    for (;;) {
      if ((held >>> (index & 31) & 1) !== from) return false;
      // Sync: publishes what was written before. With a load and a store instead, a
      // change of another packet's bit in between would be undone.
      const seen = this.#words.compareExchange(word, held, held ^ bit);
      if (seen === held) return true;
      held = seen;
    }
  }

  #wordOf(index: number): number {
    return this.#firstWord + (index >>> 5);
  }
}
