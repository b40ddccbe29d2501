import type { Words } from "../../memory/words.ts";
import type { LockView } from "../lock/port_locks.ts";
import { Mailboxes } from "../mailbox.ts";
import type { ChannelDesign } from "./channel_design.ts";

/** As a store, at the price of a read-modify-write. */
class ExchangeMailboxes extends Mailboxes {
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
class AddMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    this.words.add(word, (this.words.peek(word) & bit) === 0 ? bit : -bit);
  }
}

/** Needs not know the bit. */
class XorMailboxes extends Mailboxes {
  protected override flip(word: number, bit: number): void {
    this.words.xor(word, bit);
  }
}

/** Tries again whenever another port of the word was flipped in between. */
class CasMailboxes extends Mailboxes {
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

/** `Mailboxes`, or a subclass. */
type MailboxClass = new (words: Words, view: LockView) => Mailboxes;

/** Each mailbox with a line of its own: 16 words. */
const LINE_SHIFT = 4;

/** A class as the given one, for mailboxes that are a cache line apart. */
function padded(base: MailboxClass): MailboxClass {
  return class PaddedMailboxes extends base {
    override looksOwned(index: number): boolean {
      return super.looksOwned(index << LINE_SHIFT);
    }

    override owns(index: number): boolean {
      return super.owns(index << LINE_SHIFT);
    }

    override inbox(index: number): number {
      return super.inbox(index << LINE_SHIFT);
    }

    override outbox(index: number): number {
      return super.outbox(index << LINE_SHIFT);
    }

    override toggle(index: number): void {
      super.toggle(index << LINE_SHIFT);
    }
  };
}

/**
 * A class as the given one, for mailboxes of one bit. Others change other bits of a word at any time:
 * every value since this side's last flip has its bit as it is, so that a plain look at one's own is
 * right here, too.
 */
function packed(base: MailboxClass): MailboxClass {
  return class PackedMailboxes extends base {
    override looksOwned(index: number): boolean {
      return (this.looksOwnedBits(index >> 5) >>> (index & 31) & 1) === 1;
    }

    override looksOwnedBits(place: number): number {
      const { words } = this;
      const xor = words.peek(this.inboxWord + place) ^ words.peek(this.outboxWord + place);
      return xor ^ (this.ownedXor - 1);
    }

    override owns(index: number): boolean {
      return (this.ownedBits(index >> 5) >>> (index & 31) & 1) === 1;
    }

    override ownedBits(place: number): number {
      const { words } = this;
      // Sync: as Mailboxes.owns().
      const xor = words.load(this.inboxWord + place) ^ words.peek(this.outboxWord + place);
      return xor ^ (this.ownedXor - 1);
    }

    override inbox(index: number): number {
      return super.inbox(index >> 5) >>> (index & 31) & 1;
    }

    override outbox(index: number): number {
      return super.outbox(index >> 5) >>> (index & 31) & 1;
    }

    override toggle(index: number): void {
      this.flip(this.outboxWord + (index >> 5), 1 << (index & 31));
    }
  };
}

/** By update, then by width; made once, so that all mailboxes of one design are of one class. */
const CLASSES: Readonly<
  Record<
    ChannelDesign["mailboxUpdate"],
    Readonly<Record<ChannelDesign["mailboxWidth"], MailboxClass>>
  >
> = {
  store: ofEachWidth(Mailboxes),
  exchange: ofEachWidth(ExchangeMailboxes),
  "fetch-add": ofEachWidth(AddMailboxes),
  "fetch-xor": ofEachWidth(XorMailboxes),
  cas: ofEachWidth(CasMailboxes),
};

/** One side's mailboxes and locks as the channel was made with them. */
export function mailboxesOf(words: Words, view: LockView): Mailboxes {
  const { mailboxUpdate, mailboxWidth } = view.layout;
  return new CLASSES[mailboxUpdate][mailboxWidth](words, view);
}

function ofEachWidth(base: MailboxClass) {
  return { word: base, padded: padded(base), bit: packed(base) };
}
