import type { ChannelLayout } from "./layout.ts";
import type { Words } from "../memory/words.ts";
import type { Side } from "./side.ts";

/** A lock word is the holder's id, with this bit when somebody sleeps until the port is free. */
const WAITED = 1 << 30;
const OWNER_MASK = WAITED - 1;

/**
 * One side's view of the mailboxes and locks of a channel: the mechanism under the ports. Bounded
 * throughout, nothing here waits. `index` is a port index, below `portCount`.
 *
 * A lock word holds its holder's id rather than one bit in a bitmap (as LLVM has it), so that the
 * ports of a worker that was terminated can be told from those of its neighbours.
 */
export class Mailboxes {
  readonly #words: Words;
  readonly #ownerId: number;
  /** `inbox ^ outbox` when this side owns the buffer: `ownsBuffer` as arithmetic. */
  readonly #ownedXor: number;
  readonly #outboxWord: number;
  readonly #lockWord: number;
  readonly #peerParkedWord: number;
  readonly #peerLockWord: number;
  /** Where the other side's mailboxes are: what a waiter watches. */
  readonly inboxWord: number;
  /** Where this side says that it sleeps on a port. */
  readonly parkedWord: number;

  constructor(
    words: Words,
    view: { readonly layout: ChannelLayout; readonly side: Side; readonly ownerId: number },
  ) {
    const { layout, side, ownerId } = view;
    const isClient = side === "client";
    this.#words = words;
    this.#ownerId = ownerId;
    this.#ownedXor = isClient ? 0 : 1;
    this.#outboxWord = isClient ? layout.clientOutboxWord : layout.serverOutboxWord;
    this.inboxWord = isClient ? layout.serverOutboxWord : layout.clientOutboxWord;
    this.#lockWord = isClient ? layout.clientLockWord : layout.serverLockWord;
    this.#peerLockWord = isClient ? layout.serverLockWord : layout.clientLockWord;
    this.parkedWord = isClient ? layout.clientParkedWord : layout.serverParkedWord;
    this.#peerParkedWord = isClient ? layout.serverParkedWord : layout.clientParkedWord;
  }

  /** A stale glance at ownership, for a search: a yes must be confirmed under the lock. */
  looksOwned(index: number): boolean {
    const words = this.#words;
    const xor = words.peek(this.inboxWord + index) ^ words.peek(this.#outboxWord + index);
    return xor === this.#ownedXor;
  }

  /**
   * Whether this side owns the buffer. With the lock held the answer stays; without it, as a search
   * asks before it sleeps, a yes may be over at once, but no flip that came before is missed.
   */
  owns(index: number): boolean {
    const words = this.#words;
    // Sync: pairs with the other side's toggle(): seeing its flip makes its packet writes visible.
    // A plain read here could see the flip and then a packet from before it. The own outbox needs
    // no order: under the lock nobody else writes it, and taking the lock ordered the last writer.
    // Without the lock, the flip that the inbox shows was made after its side had seen our last one,
    // so that seeing the one orders the other; hence the inbox is read first.
    return (words.load(this.inboxWord + index) ^ words.peek(this.#outboxWord + index)) ===
      this.#ownedXor;
  }

  /** What the inbox holds while the other side owns the buffer. Call with the lock held. */
  foreignInbox(index: number): number {
    return this.#words.peek(this.#outboxWord + index) ^ this.#ownedXor ^ 1;
  }

  /** This side's own mailbox, 0 or 1. Call with the lock held. */
  outbox(index: number): number {
    return this.#words.peek(this.#outboxWord + index);
  }

  /** Gives the buffer away. Call with the lock held, owning the buffer. */
  toggle(index: number): void {
    const word = this.#outboxWord + index;
    // Sync: publishes every packet and header write above; pairs with the other side's load in
    // owns() and in the waiter. A plain store could overtake those writes, and the other side
    // would work on a half-filled packet. A store, no read-modify-write: this side is the word's
    // only writer.
    this.#words.store(word, this.#words.peek(word) ^ 1);
  }

  /** Wakes the other side if it sleeps on this port. Call after {@linkcode toggle}. */
  wakePeer(index: number): void {
    // Sync: pairs with the waiter's store of its parked word before it compares the inbox. One of
    // the two sees the other: either we see `parked` and notify, or the waiter sees our flip.
    // Loading before the toggle could miss both, and the waiter would sleep on a served port.
    if (this.#words.load(this.#peerParkedWord + index) !== 0) {
      this.#words.notify(this.#outboxWord + index);
    }
  }

  /** A stale glance at the lock, for a search. */
  looksLocked(index: number): boolean {
    return this.#words.peek(this.#lockWord + index) !== 0;
  }

  /** A stale glance at ownership and lock: whether a search may claim the port. */
  looksReady(index: number): boolean {
    return this.looksOwned(index) && !this.looksLocked(index);
  }

  /** Claims the port among this side's workers; says no when it is taken. */
  tryLock(index: number): boolean {
    // Sync: pairs with unlock(): orders the last holder's toggle before our look at the mailboxes.
    // Without the exchange two workers of a side could both find the port free.
    return this.#words.compareExchange(this.#lockWord + index, 0, this.#ownerId) === 0;
  }

  /** Returns the port to this side's workers. */
  unlock(index: number): void {
    const word = this.#lockWord + index;
    // Sync: after the toggle, never before: a worker that locked in between would still find the
    // buffer owned and use it together with the other side.
    if (this.#words.exchange(word, 0) & WAITED) this.#words.notify(word);
  }

  /** Sleeps until the port's lock is dropped, or `milliseconds` passed. Blocks. */
  sleepUntilUnlocked(index: number, milliseconds: number): void {
    const word = this.#lockWord + index;
    const holder = this.#words.load(word);
    if (holder === 0) return;
    // Sync: pairs with the exchange in unlock(): the holder sees the mark and notifies, or the
    // compareExchange fails because the holder has gone. A plain mark could be written after the
    // unlock and lock the port for good.
    const marked = holder | WAITED;
    const seen = this.#words.compareExchange(word, holder, marked);
    if (seen === holder) this.#words.wait(word, marked, milliseconds);
  }

  /** Whether any worker of the other side holds its lock of this port. */
  peerHolds(index: number): boolean {
    return this.#words.load(this.#peerLockWord + index) !== 0;
  }
}

/** The id in a lock word, 0 when it is free. */
export function lockOwner(lockWord: number): number {
  return lockWord & OWNER_MASK;
}
