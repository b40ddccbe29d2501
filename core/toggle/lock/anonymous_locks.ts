import {
  lowestPort,
  placesWordCount,
  placeValue,
  placeWord,
  PORT_PLACES,
  type PortPlaces,
} from "../../memory/regions.ts";
import type { Words } from "../../memory/words.ts";
import { type AnonymousLockName, lockPlaces } from "../design/channel_design.ts";
import { ANONYMOUS, type LockView, PEER_WAITS, PortLocks, WAITED } from "./port_locks.ts";

/**
 * Locks that say whether a port is taken, but not by whom. Each worker remembers which ports it holds
 * itself. Nobody can tell who holds the others, so the ports of a worker that died stay taken.
 *
 * They have no room for the marks of those who wait. The marks are in a separate word for each port, which
 * is read at every unlock. The holder drops the lock and then reads the marks; whoever waits sets its
 * mark and then looks at the lock. All atomics have one order, so one of the two sees the other.
 */
export abstract class AnonymousLocks extends PortLocks {
  readonly #places: PortPlaces;
  readonly #marksWord: number;
  readonly #peerMarksWord: number;
  /** A bit for each port that this worker holds. */
  protected readonly held: Int32Array;

  constructor(words: Words, view: LockView) {
    super(words, view);
    const { layout, side } = view;
    const isClient = side === "client";
    this.#places = lockPlaces(layout.portLock);
    this.#marksWord = isClient ? layout.clientMarksWord : layout.serverMarksWord;
    this.#peerMarksWord = isClient ? layout.serverMarksWord : layout.clientMarksWord;
    this.held = new Int32Array(placesWordCount(PORT_PLACES.bit, layout.portCount));
  }

  override tryLock(index: number): boolean {
    if (!this.take(index)) return false;
    this.held[index >> 5]! |= 1 << (index & 31);
    return true;
  }

  override unlock(index: number): void {
    this.held[index >> 5]! &= ~(1 << (index & 31));
    this.drop(index);
    this.wakeMarked(index);
  }

  /** Takes the lock if it is free. */
  protected abstract take(index: number): boolean;
  /** Gives back the lock, which is held. */
  protected abstract drop(index: number): void;

  /** Wakes those who marked the port, if any did. Call after the lock has become free. */
  protected wakeMarked(index: number): void {
    const word = this.#marksWord + index;
    // Sync: pairs with #isMarked(): read after the drop. If it were read before, somebody could set a
    // mark in between, find the port still taken, and sleep for good.
    if (this.words.load(word) !== 0) this.wakeAfterUnlock(index, this.words.exchange(word, 0));
  }

  override looksLocked(index: number): boolean {
    const places = this.#places;
    return placeValue(places, index, this.words.peek(this.lockWord + placeWord(places, index))) !==
      0;
  }

  override holder(index: number): number {
    return this.#isTaken(this.lockWord, index) ? ANONYMOUS : 0;
  }

  override peerHolder(index: number): number {
    return this.#isTaken(this.peerLockWord, index) ? ANONYMOUS : 0;
  }

  override holds(index: number): boolean {
    return (this.held[index >> 5]! >>> (index & 31) & 1) === 1;
  }

  override watch(index: number): boolean {
    this.#mark(this.#marksWord + index, WAITED);
    return this.#isTaken(this.lockWord, index);
  }

  override watchPeer(index: number): boolean {
    this.#mark(this.#peerMarksWord + index, PEER_WAITS);
    return this.#isTaken(this.peerLockWord, index);
  }

  #mark(word: number, mark: number): void {
    // Sync: pairs with wakeMarked(): set before the look at the lock. Whoever clears a mark has dropped
    // a lock and is about to wake everybody, so a mark that is already set need not be set again.
    if (!(this.words.load(word) & mark)) this.words.or(word, mark);
  }

  #isTaken(lockWord: number, index: number): boolean {
    const places = this.#places;
    // Sync: pairs with drop(): nobody waits for a holder that has already left.
    return placeValue(places, index, this.words.load(lockWord + placeWord(places, index))) !== 0;
  }
}

// Sync: for every take() and drop() below. A take orders the last holder's toggle before our look at
// the mailboxes. It is a single step, so two workers of a side never both find the port free. A drop
// comes after the toggle: a worker that took the lock in between would find the buffer still owned,
// and use it together with the other side.

/**
 * One bit for each port. Setting a bit that is set changes nothing, so a failed attempt needs no repair, and
 * one step takes whatever is free of 32 ports.
 */
class OrLocks extends AnonymousLocks {
  protected override take(index: number): boolean {
    const bit = 1 << (index & 31);
    return (this.words.or(this.lockWord + (index >> 5), bit) & bit) === 0;
  }

  protected override drop(index: number): void {
    this.words.and(this.lockWord + (index >> 5), ~(1 << (index & 31)));
  }

  override tryLockBits(place: number, bits: number): number {
    const free = bits & ~this.words.peek(this.lockWord + place);
    if (free === 0) return 0;
    const taken = free & ~this.words.or(this.lockWord + place, free);
    this.held[place]! |= taken;
    return taken;
  }

  override unlockBits(place: number, bits: number): void {
    this.held[place]! &= ~bits;
    this.words.and(this.lockWord + place, ~bits);
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.wakeMarked(lowestPort(place, rest));
  }
}

/** One bit for each port. Tries again when another port of the word was taken or dropped in between. */
class CasLocks extends AnonymousLocks {
  protected override take(index: number): boolean {
    const word = this.lockWord + (index >> 5);
    const bit = 1 << (index & 31);
    let held = this.words.load(word);
    while ((held & bit) === 0) {
      const found = this.words.compareExchange(word, held, held | bit);
      if (found === held) return true;
      held = found;
    }
    return false;
  }

  protected override drop(index: number): void {
    const word = this.lockWord + (index >> 5);
    const bit = 1 << (index & 31);
    let held = this.words.load(word);
    for (;;) {
      const found = this.words.compareExchange(word, held, held & ~bit);
      if (found === held) return;
      held = found;
    }
  }
}

/**
 * A count for each port. A worker that adds 1 to a count other than 0 subtracts it again, and until then
 * the port looks taken although its holder may have left. So the subtraction counts as an unlock, and
 * wakes whoever looked in the meantime.
 */
class CountLocks extends AnonymousLocks {
  protected override take(index: number): boolean {
    if (this.words.add(this.lockWord + index, 1) === 0) return true;
    this.drop(index);
    this.wakeMarked(index);
    return false;
  }

  protected override drop(index: number): void {
    this.words.add(this.lockWord + index, -1);
  }
}

/** One word for each port: an exchange of 1 for 1 changes nothing. */
class ExchangeLocks extends AnonymousLocks {
  protected override take(index: number): boolean {
    return this.words.exchange(this.lockWord + index, 1) === 0;
  }

  protected override drop(index: number): void {
    this.words.store(this.lockWord + index, 0);
  }
}

/** The locks of each name. */
export const ANONYMOUS_LOCKS: Record<
  AnonymousLockName,
  new (words: Words, view: LockView) => PortLocks
> = {
  "fetch-or": OrLocks,
  cas: CasLocks,
  "fetch-add": CountLocks,
  exchange: ExchangeLocks,
};
