import { type ChannelLayout, ControlWord } from "./layout.ts";
import type { Words } from "../memory/words.ts";
import type { Side } from "./side.ts";

/** A lock word is the holder's id, with marks of those who want to hear when it is dropped. */
const WAITED = 1 << 30;
/** The other side sleeps in the middle of a call, which ends if the holder leaves. */
const PEER_WAITS = 1 << 29;
const OWNER_MASK = PEER_WAITS - 1;

/** A parked word: this side sleeps until the other side flips. */
const PARKED = 1;
/** A parked word of an unlocked port: a client waits until any port is free. */
const WANTED = 2;

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
  readonly #freeBellWord: number;
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
    this.#freeBellWord = layout.controlWord + ControlWord.freeBell;
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
    // Sync: pairs with the waiter's store of its parked word before its last look at the inbox. One of
    // the two sees the other: either we see `parked` and wake it, or the waiter sees our flip.
    // Loading before the toggle could miss both, and the waiter would sleep on a served port.
    if (this.#words.load(this.#peerParkedWord + index) !== 0) this.#wakePeerAt(index);
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

  /** The id of whoever holds the other side's lock of this port, 0 while nobody does. */
  peerHolder(index: number): number {
    return lockOwner(this.#words.load(this.#peerLockWord + index));
  }

  /** The id of whoever holds this side's lock of this port, 0 while nobody does. */
  holder(index: number): number {
    return lockOwner(this.#words.load(this.#lockWord + index));
  }

  /** Whether the lock is this worker's own. A plain read: nobody else writes its id. */
  holds(index: number): boolean {
    return lockOwner(this.#words.peek(this.#lockWord + index)) === this.#ownerId;
  }

  /** Returns the port to this side's workers. */
  unlock(index: number): void {
    const word = this.#lockWord + index;
    // Sync: after the toggle, never before: a worker that locked in between would still find the
    // buffer owned and use it together with the other side.
    const held = this.#words.exchange(word, 0);
    if (held > OWNER_MASK) this.#wakeAfterUnlock(index, held);
  }

  /**
   * Asks to be woken by the bell of free ports when this one may be free. Bounded.
   *
   * @returns whether it is not free now; if not, the caller looks at the ports again
   */
  watchUntilFree(index: number): boolean {
    const word = this.#lockWord + index;
    const held = this.#words.load(word);
    if (held & WAITED) return true;
    // Sync: pairs with the exchange in unlock(): the holder sees the mark and rings, or the
    // compareExchange fails because the holder has gone. A plain mark could be written after the
    // unlock and lock the port for good.
    if (held !== 0) return this.#words.compareExchange(word, held, held | WAITED) === held;
    // Sync: pairs with the server's toggle() and wakePeer(): marked before the look. Unlocked, the
    // port is still with the server, whose flip frees it.
    this.#words.or(this.parkedWord + index, WANTED);
    return !this.owns(index);
  }

  /**
   * Asks whoever holds the other side's lock to wake this side when it drops it. Bounded.
   *
   * @returns whether there is somebody who will
   */
  watchPeer(index: number): boolean {
    const word = this.#peerLockWord + index;
    for (let held = this.#words.load(word); held !== 0; held = this.#words.load(word)) {
      if (held & PEER_WAITS) return true;
      // Sync: as watchUntilFree().
      if (this.#words.compareExchange(word, held, held | PEER_WAITS) === held) return true;
    }
    return false;
  }

  #wakeAfterUnlock(index: number, marks: number): void {
    if (marks & WAITED) ringFree(this.#words, this.#freeBellWord);
    if (marks & PEER_WAITS) this.#wakePeerAt(index);
  }

  #wakePeerAt(index: number): void {
    wakeParked(this.#words, this.#peerParkedWord + index, this.#freeBellWord);
  }
}

/** The id in a lock word, 0 when it is free. */
export function lockOwner(lockWord: number): number {
  return lockWord & OWNER_MASK;
}

/** Wakes whoever sleeps for a free port, to look again. Call after the port was freed. */
export function ringFree(words: Words, freeBellWord: number): void {
  // Sync: pairs with the sleeper, which reads the bell before it looks at the ports: the bell changes
  // its value, so that a ring between its look and its sleep ends the sleep before it begins.
  words.add(freeBellWord, 1);
  words.notify(freeBellWord);
}

/** Wakes whoever sleeps on a parked word, to look again. Call after what it is to see was written. */
export function wakeParked(words: Words, parkedWord: number, freeBellWord: number): void {
  // Sync: pairs with the sleeper's mark in the word before its last look: cleared after that, the
  // sleep does not begin or ends; cleared before, the last look sees what we wrote. An exchange,
  // because a mark that is set meanwhile must not be lost.
  const marks = words.exchange(parkedWord, 0);
  if (marks & PARKED) words.notify(parkedWord);
  if (marks & WANTED) ringFree(words, freeBellWord);
}
