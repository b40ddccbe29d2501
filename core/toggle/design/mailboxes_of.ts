import type { Words } from "../../memory/words.ts";
import type { LockView } from "../lock/port_locks.ts";
import { Mailboxes } from "../mailbox.ts";
import type { ChannelDesign } from "./channel_design.ts";

/** Like a store, at the price of a read-modify-write. */
class ExchangeMailboxes extends Mailboxes {
  protected override flip(place: number, bits: number): void {
    // Sync: as Mailboxes.flip(), here and below.
    this.words.exchange(this.outboxAt(place), this.turn(place, bits));
  }
}

/**
 * Adds each bit where it is clear and subtracts it where it is set. Nothing is carried or borrowed, so the
 * bits of other ports stay as they are. That is only right because the writer knows its bits: adding a
 * bit that is set would change its neighbours. PCI Express has this atomic access, but no `or` or `xor`.
 */
class AddMailboxes extends Mailboxes {
  protected override flip(place: number, bits: number): void {
    this.words.add(this.outboxAt(place), 2 * (this.turn(place, bits) & bits) - bits | 0);
  }
}

/** Flips the bits, whatever they are. */
class XorMailboxes extends Mailboxes {
  protected override flip(place: number, bits: number): void {
    this.turn(place, bits);
    this.words.xor(this.outboxAt(place), bits);
  }
}

/** Tries again when another port of the word was flipped in between. */
class CasMailboxes extends Mailboxes {
  protected override flip(place: number, bits: number): void {
    const { words } = this;
    const word = this.outboxAt(place);
    this.turn(place, bits);
    let held = words.load(word);
    for (;;) {
      const found = words.compareExchange(word, held, held ^ bits);
      if (found === held) return;
      held = found;
    }
  }
}

type MailboxClass = new (words: Words, view: LockView) => Mailboxes;

/**
 * The given class for mailboxes of one bit. Others change other bits of the word at any time, but every
 * value since this side's last flip has its own bit as it is now. So a plain read of one's own bit is
 * right here, too. There are no turn words: other workers of the side would write other bits of them, so
 * that each flip would need a second read-modify-write.
 */
function packed(base: MailboxClass): MailboxClass {
  return class PackedMailboxes extends base {
    override looksOwned(index: number): boolean {
      return this.looksOwnedBits(index >> 5, 1 << (index & 31)) !== 0;
    }

    override looksOwnedBits(place: number, bits: number): number {
      const { words } = this;
      const xor = words.peek(this.inboxAt(place)) ^ words.peek(this.turnAt(place));
      return (xor ^ (this.ownedXor - 1)) & bits;
    }

    override owns(index: number): boolean {
      return this.ownedBits(index >> 5, 1 << (index & 31)) !== 0;
    }

    override ownedBits(place: number, bits: number): number {
      const { words } = this;
      // Sync: as Mailboxes.owns().
      const xor = words.load(this.inboxAt(place)) ^ words.peek(this.turnAt(place));
      return (xor ^ (this.ownedXor - 1)) & bits;
    }

    override inbox(index: number): number {
      return super.inbox(index >> 5) >>> (index & 31) & 1;
    }

    override outbox(index: number): number {
      return super.outbox(index >> 5) >>> (index & 31) & 1;
    }

    override toggle(index: number): void {
      this.toggleBits(index >> 5, 1 << (index & 31));
    }

    override toggleBits(place: number, bits: number): void {
      this.flip(place, bits);
    }
  };
}

/** By update, then by width. Made once, so that all mailboxes of a design have the same class. */
const CLASSES: Record<ChannelDesign["mailboxUpdate"], ReturnType<typeof ofEachWidth>> = {
  store: ofEachWidth(Mailboxes),
  exchange: ofEachWidth(ExchangeMailboxes),
  "fetch-add": ofEachWidth(AddMailboxes),
  "fetch-xor": ofEachWidth(XorMailboxes),
  cas: ofEachWidth(CasMailboxes),
};

/** One side's mailboxes and locks, of the channel's design. */
export function mailboxesOf(words: Words, view: LockView): Mailboxes {
  const { mailboxUpdate, mailboxWidth } = view.layout;
  const { whole, bits } = CLASSES[mailboxUpdate];
  return new (mailboxWidth === "bit" ? bits : whole)(words, view);
}

function ofEachWidth(base: MailboxClass) {
  return { whole: base, bits: packed(base) };
}
