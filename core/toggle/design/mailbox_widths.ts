/** The choices of `mailboxWidth` beside `word`: where a port's mailbox is. */
import type { Words } from "../../memory/words.ts";
import type { LockView } from "../lock/port_locks.ts";
import type { Mailboxes } from "../mailbox.ts";

/** `Mailboxes`, or a subclass. */
export type MailboxClass = new (words: Words, view: LockView) => Mailboxes;

/** Each mailbox with a line of its own: 16 words. */
const LINE_SHIFT = 4;

/** A class as the given one, for mailboxes that are a cache line apart. */
export function padded(base: MailboxClass): MailboxClass {
  return class extends base {
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
export function packed(base: MailboxClass): MailboxClass {
  return class extends base {
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
