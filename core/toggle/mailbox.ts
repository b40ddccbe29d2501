import { lowestPort, type PortPlaces } from "../memory/regions.ts";
import type { Words } from "../memory/words.ts";
import { ControlWord, mailboxPlaces } from "./layout.ts";
import { locksOf } from "./lock/locks_of.ts";
import { type LockView, type PortLocks, wakeParked, WANTED } from "./lock/port_locks.ts";

/**
 * One side's view of the mailboxes of a channel: with its locks, the mechanism under the ports. Bounded
 * throughout, nothing here waits. `index` is a port index, below `portCount`.
 *
 * This class has a word a mailbox, and stores to it; other choices of a channel are subclasses, see
 * `mailboxesOf`. A worker has one channel as a rule, and so the compiler sees one class at each call.
 */
export class Mailboxes {
  protected readonly words: Words;
  /** The locks of this side's ports. */
  readonly locks: PortLocks;
  /** `inbox ^ outbox` when this side owns the buffer: `ownsBuffer` as arithmetic. */
  protected readonly ownedXor: number;
  protected readonly outboxWord: number;
  /**
   * Where this side looks for what its outboxes hold: in its turn words, which the other side never
   * touches. The other side polls the outboxes, so that whoever reads its own takes their line away from
   * that processor, and has to take it once more, alone, for the flip.
   */
  protected readonly turnWord: number;
  /** Words from one port's mailbox, or turn, to the next; where a word has 32 of them, from one word to the next. */
  readonly #stride: number;
  readonly #turnStride: number;
  /** False with `mailboxRead: "outbox"`: the outboxes are looked at themselves. */
  readonly #hasTurns: boolean;
  readonly #peerParkedWord: number;
  readonly #freeBellWord: number;
  /** Where the other side's mailboxes are: what a waiter watches. */
  readonly inboxWord: number;
  /** Where in that region each port has its mailbox. */
  readonly inboxPlaces: PortPlaces;
  /** Where this side says that it sleeps on a port. */
  readonly parkedWord: number;

  constructor(words: Words, view: LockView) {
    const { layout, side } = view;
    const isClient = side === "client";
    this.words = words;
    this.locks = locksOf(words, view);
    this.ownedXor = isClient ? 0 : 1;
    this.outboxWord = isClient ? layout.clientOutboxWord : layout.serverOutboxWord;
    this.#hasTurns = layout.mailboxRead === "turn";
    const turnWord = isClient ? layout.clientTurnWord : layout.serverTurnWord;
    this.turnWord = this.#hasTurns ? turnWord : this.outboxWord;
    this.inboxWord = isClient ? layout.serverOutboxWord : layout.clientOutboxWord;
    this.parkedWord = isClient ? layout.clientParkedWord : layout.serverParkedWord;
    this.#freeBellWord = layout.controlWord + ControlWord.freeBell;
    this.#peerParkedWord = isClient ? layout.serverParkedWord : layout.clientParkedWord;
    this.inboxPlaces = mailboxPlaces(layout);
    this.#stride = layout.mailboxStride;
    this.#turnStride = this.#hasTurns ? 1 : this.#stride;
  }

  /** The word of a port's inbox; of one with 32 of them, by its place. Likewise below. */
  protected inboxAt(place: number): number {
    return this.inboxWord + Math.imul(place, this.#stride);
  }

  protected outboxAt(place: number): number {
    return this.outboxWord + Math.imul(place, this.#stride);
  }

  protected turnAt(place: number): number {
    return this.turnWord + Math.imul(place, this.#turnStride);
  }

  /** A stale glance at ownership, for a search: a yes must be confirmed under the lock. */
  looksOwned(index: number): boolean {
    const { words } = this;
    return (words.peek(this.inboxAt(index)) ^ words.peek(this.turnAt(index))) === this.ownedXor;
  }

  /**
   * Whether this side owns the buffer. With the lock held the answer stays; without it, as a search
   * asks before it sleeps, a yes may be over at once, but no flip that came before is missed.
   */
  owns(index: number): boolean {
    const { words } = this;
    // Sync: pairs with the other side's toggle(): seeing its flip makes its packet writes visible.
    // A plain read here could see the flip and then a packet from before it. The own turn needs no
    // order: under the lock nobody else writes it, and taking the lock ordered the last writer. Without
    // the lock, the flip that the inbox shows was made after its side had seen our last one, before which
    // its turn was written: seeing the one orders the other; hence the inbox is read first. A turn whose
    // flip is still to come says no a moment early: it is the last that this side does with the packet.
    return (words.load(this.inboxAt(index)) ^ words.peek(this.turnAt(index))) === this.ownedXor;
  }

  /** The other side's mailbox as it is now, 0 or 1; for who watches a channel. */
  inbox(index: number): number {
    return this.words.load(this.inboxAt(index));
  }

  /**
   * As {@linkcode looksOwned}, of several of the 32 ports from `place` times 32 on, which have a bit each:
   * one look where their mailboxes share a word.
   */
  looksOwnedBits(place: number, bits: number): number {
    let owned = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      if (this.looksOwned(lowestPort(place, rest))) owned |= rest & -rest;
    }
    return owned;
  }

  /** As {@linkcode owns}, of several ports. */
  ownedBits(place: number, bits: number): number {
    let owned = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      if (this.owns(lowestPort(place, rest))) owned |= rest & -rest;
    }
    return owned;
  }

  /** What the inbox holds while the other side owns the buffer. Call with the lock held. */
  foreignInbox(index: number): number {
    return this.outbox(index) ^ this.ownedXor ^ 1;
  }

  /** This side's own mailbox, 0 or 1. Call with the lock held. */
  outbox(index: number): number {
    return this.words.peek(this.turnAt(index));
  }

  /** Gives the buffer away. Call with the lock held, owning the buffer. */
  toggle(index: number): void {
    this.flip(index, 1);
  }

  /** As {@linkcode toggle}, of several ports: one flip where their mailboxes share a word. */
  toggleBits(place: number, bits: number): void {
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.toggle(lowestPort(place, rest));
  }

  /**
   * Takes the turn from the outbox, where whoever held the port last may have died between writing the
   * two, or wrote the outbox alone. Call with the lock held.
   */
  settle(index: number): void {
    if (!this.#hasTurns) return;
    // Sync: as owns(): the other side goes by the outbox. A turn that differs from it would take a packet
    // that is here for one that is away, and nobody would ever use the port again.
    this.words.plain[this.turnAt(index)] = this.words.load(this.outboxAt(index));
  }

  /** The value of an outbox word after the flip of some bits, which is this side's turn from here on. */
  protected turn(place: number, bits: number): number {
    const word = this.turnAt(place);
    const value = this.words.peek(word) ^ bits;
    // Sync: plain, as flip() and unlock() publish it: to whoever sees the other side's answer to the flip,
    // and to the next holder of the lock. Written behind the flip, it could be older than that answer: a
    // server that looks before it sleeps would miss the next call.
    if (this.#hasTurns) this.words.plain[word] = value;
    return value;
  }

  /** Turns over bits of the outbox word at a place, which nobody else writes, as their ports are locked. */
  protected flip(place: number, bits: number): void {
    // Sync: publishes every packet and header write above; pairs with the other side's load in
    // owns() and in the waiter. A plain write could overtake those writes, and the other side
    // would work on a half-filled packet. A store, no read-modify-write: this side is the word's
    // only writer.
    this.words.store(this.outboxAt(place), this.turn(place, bits));
  }

  /** Wakes the other side if it sleeps on this port. Call after {@linkcode toggle}. */
  wakePeer(index: number): void {
    const word = this.#peerParkedWord + index;
    // Sync: pairs with the waiter's store of its parked word before its last look at the inbox. One of
    // the two sees the other: either we see `parked` and wake it, or the waiter sees our flip.
    // Loading before the toggle could miss both, and the waiter would sleep on a served port.
    if (this.words.load(word) !== 0) wakeParked(this.words, word, this.#freeBellWord);
  }

  /**
   * Asks to be woken by the bell of free ports when this one may be free. Bounded.
   *
   * @returns whether it is not free now; if not, the caller looks at the ports again
   */
  watchUntilFree(index: number): boolean {
    // Unlocked, the port is still with the server, whose flip frees it.
    return this.locks.watch(index) || this.watchUntilOwned(index);
  }

  /** As {@linkcode watchUntilFree}, of a port that this side has locked, or nobody. */
  watchUntilOwned(index: number): boolean {
    // Sync: pairs with the server's toggle() and wakePeer(): marked before the look.
    this.words.or(this.parkedWord + index, WANTED);
    return !this.owns(index);
  }
}
