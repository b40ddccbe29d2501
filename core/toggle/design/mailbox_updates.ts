/** The choices of `mailboxUpdate` beside `store`: how a side flips its own bit. */
import { Mailboxes } from "../mailbox.ts";

/** As a store, at the price of a read-modify-write. */
export class ExchangeMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    // Sync: as Mailboxes.flip(), here and below.
    this.words.exchange(word, this.words.peek(word) ^ bit);
  }
}

/**
 * Adds the bit where it is clear, and takes it away where it is set: no carry or borrow leaves it, so
 * that bits of other ports stay as they are. Exact, because the writer knows its bit: who adds a bit
 * that is set changes its neighbours. PCI Express knows this atomic access, and neither `or` nor `xor`.
 */
export class AddMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    this.words.add(word, (this.words.peek(word) & bit) === 0 ? bit : -bit);
  }
}

/** Needs not know the bit. */
export class XorMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    this.words.xor(word, bit);
  }
}

/** Tries again whenever another port of the word was flipped in between. */
export class CasMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    const { words } = this;
    let held = words.load(word);
    for (;;) {
      const found = words.compareExchange(word, held, held ^ bit);
      if (found === held) return;
      held = found;
    }
  }
}
