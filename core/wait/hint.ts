import type { Words } from "../memory/words.ts";

/** Stands for "no port" where an index is expected. */
export const NO_PORT = -1;

/** The region of a channel's hints, and the number of ports behind them. */
export interface HintRegion {
  readonly portCount: number;
  readonly hintWord: number;
  readonly hintWordCount: number;
  /** One hint bit stands for `1 << hintShift` ports. */
  readonly hintShift: number;
}

/** The questions that a search asks about a port. */
export interface PortLook {
  /** Whether there may be work that no one holds: an unordered look. */
  looksReady(index: number): boolean;
  /** Whether there is work: an ordered look. */
  owns(index: number): boolean;
}

/**
 * A bitmap of the ports that may have work. A server looks only at ports whose bit is set, so that a search
 * takes longer with more busy ports, and not with more ports. One bit stands for `1 << hintShift`
 * neighbouring ports, so that the largest channel has 16 words.
 *
 * A bit is sticky. A client sets it after its toggle, and only if it is not set; the server clears it when
 * its ports have been idle for a while. On the steady path both sides only read the word, and its cache
 * line stays shared. LLVM libc and hostrpc have no such word: their servers look
 * at every mailbox.
 *
 * A hint may be wrong for a moment. A bit that is set without work costs a look. A bit that is clear
 * although there is work delays that call until the server's next look at all ports.
 */
export class Hints {
  readonly #words: Words;
  readonly #hintWord: number;
  readonly #wordCount: number;
  readonly #shift: number;
  readonly #portCount: number;

  constructor(words: Words, layout: HintRegion) {
    this.#words = words;
    this.#hintWord = layout.hintWord;
    this.#wordCount = layout.hintWordCount;
    this.#shift = layout.hintShift;
    this.#portCount = layout.portCount;
  }

  /**
   * Marks that the port may have work. Call after the toggle.
   *
   * @returns whether the bit was clear: only then can the servers be asleep
   */
  mark(index: number): boolean {
    const group = index >> this.#shift;
    const word = this.#hintWord + (group >> 5);
    const bit = 1 << (group & 31);
    // Sync: pairs with clearIdle() and clearAll(), which look at the mailboxes next. We toggle, then read
    // the bit; the server clears the bit, then reads the mailbox. One of us sees the other. If we read
    // before the toggle, a bit about to be cleared would look set, and the call would be forgotten.
    if (this.#words.load(word) & bit) return false;
    this.#words.or(word, bit);
    return true;
  }

  /**
   * The first port at or after `start`, in cyclic order, whose bit is set and which looks ready;
   * {@linkcode NO_PORT} after one pass without any.
   */
  find(start: number, ports: Pick<PortLook, "looksReady">): number {
    const startGroup = start >> this.#shift;
    const startWord = startGroup >> 5;
    const upper = -1 << (startGroup & 31);
    for (let step = 0; step <= this.#wordCount; step++) {
      const wrapped = startWord + step >= this.#wordCount ? this.#wordCount : 0;
      const word = startWord + step - wrapped;
      let bits = this.#words.peek(this.#hintWord + word);
      if (step === 0) bits &= upper;
      for (; bits !== 0; bits &= bits - 1) {
        const group = word * 32 + 31 - Math.clz32(bits & -bits);
        const first = Math.max(group << this.#shift, step === 0 ? start : 0);
        for (let index = first; index < this.#endOf(group); index++) {
          if (ports.looksReady(index)) return index;
        }
      }
    }
    return NO_PORT;
  }

  /**
   * Clears the bits of groups without recent work, and then looks at their ports once more. That look is
   * ordered and ignores locks: a port that another server still holds may already have its next call,
   * whose client saw the bit set.
   *
   * @param active hint bits to keep, word by word: the ports that were served since the last time
   */
  clearIdle(active: Uint32Array, ports: Pick<PortLook, "owns">): void {
    for (let word = 0; word < this.#wordCount; word++) {
      const idle = this.#words.peek(this.#hintWord + word) & ~active[word]!;
      if (idle !== 0) this.#clearBits(word, idle, ports);
    }
  }

  #clearBits(word: number, bits: number, ports: Pick<PortLook, "owns">): void {
    // Sync: pairs with mark(). Cleared before the look, never after: it sees a client that toggled before,
    // and one that toggles later finds the bit clear and sets it. If we cleared after the look, a bit that
    // was set in between would be lost, and the call with it.
    this.#words.and(this.#hintWord + word, ~bits);
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const group = word * 32 + 31 - Math.clz32(rest & -rest);
      for (let index = group << this.#shift; index < this.#endOf(group); index++) {
        if (ports.owns(index)) this.mark(index);
      }
    }
  }

  #endOf(group: number): number {
    return Math.min((group + 1) << this.#shift, this.#portCount);
  }

  /** Clears every bit. The caller must look at every mailbox afterwards. */
  clearAll(): void {
    // Sync: pairs with mark(), as in #clearBits().
    for (let word = 0; word < this.#wordCount; word++) this.#words.store(this.#hintWord + word, 0);
  }

  /** Notes in a server's own `active` bitmap that the port was served. */
  noteActive(active: Uint32Array, index: number): void {
    const group = index >> this.#shift;
    active[group >> 5]! |= 1 << (group & 31);
  }
}
