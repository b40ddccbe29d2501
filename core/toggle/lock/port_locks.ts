import type { Words } from "../../memory/words.ts";
import { type ChannelLayout, ControlWord } from "../layout.ts";
import type { Side } from "../side.ts";

/** Marks beside a lock: a worker of the same side that goes to sleep wants to hear when it is dropped. */
export const WAITED = 1 << 30;
/** The other side sleeps in the middle of a call, which ends if the holder leaves. */
export const PEER_WAITS = 1 << 29;

/** In place of the holder's id, where a lock does not say whose it is. */
export const ANONYMOUS = -1;

/** A parked word: this side sleeps until the other side flips. */
const PARKED = 1;
/** A parked word of an unlocked port: a client waits until any port is free. */
export const WANTED = 2;

/** Whose locks, and where. */
export interface LockView {
  readonly layout: ChannelLayout;
  readonly side: Side;
  /** The id of the client or server. */
  readonly ownerId: number;
}

/**
 * One side's locks of all ports, as one of its workers has them. Bounded, nothing here waits; what is
 * said of "another thread" is of one that takes the same word in between.
 */
export abstract class PortLocks {
  protected readonly words: Words;
  protected readonly ownerId: number;
  /** Where this side's locks begin, and the other side's. */
  protected readonly lockWord: number;
  protected readonly peerLockWord: number;
  readonly #peerParkedWord: number;
  readonly #freeBellWord: number;
  /** What this side's workers sleep on that have nothing to do. */
  readonly #idleBellWord: number;

  constructor(words: Words, { layout, side, ownerId }: LockView) {
    const isClient = side === "client";
    this.words = words;
    this.ownerId = ownerId;
    this.lockWord = isClient ? layout.clientLockWord : layout.serverLockWord;
    this.peerLockWord = isClient ? layout.serverLockWord : layout.clientLockWord;
    this.#peerParkedWord = isClient ? layout.serverParkedWord : layout.clientParkedWord;
    this.#freeBellWord = layout.controlWord + ControlWord.freeBell;
    this.#idleBellWord = isClient ? this.#freeBellWord : layout.controlWord + ControlWord.bell;
  }

  /** Claims the port among this side's workers; says no when it is taken. */
  abstract tryLock(index: number): boolean;
  /** Returns the port to this side's workers, and wakes those who asked for it. */
  abstract unlock(index: number): void;
  /** A stale glance, for a search. */
  abstract looksLocked(index: number): boolean;
  /** Who holds this side's lock: an id, {@linkcode ANONYMOUS}, or 0 while nobody does. */
  abstract holder(index: number): number;
  /** As {@linkcode holder}, of the other side's lock. */
  abstract peerHolder(index: number): number;
  /** Whether the lock is this worker's own. */
  abstract holds(index: number): boolean;
  /**
   * Asks for a bell when this lock is dropped, clients for that of free ports, servers for the doorbell;
   * says no when nobody holds it.
   */
  abstract watch(index: number): boolean;
  /** Asks whoever holds the other side's lock to wake this side then; says no when nobody does. */
  abstract watchPeer(index: number): boolean;

  /** Counts this worker in; returns whether others of its side have to hear of it. */
  join(): boolean {
    return false;
  }

  /** The channel's state has changed: somebody may have come. */
  lookAgain(): void {}

  /** At the end of a call: keeps the lock for the next one, instead of dropping it; says no. */
  keep(_index: number): boolean {
    return false;
  }

  /** Drops a lock that was kept. */
  release(): void {}

  /** Wakes those whose marks were found at an unlock. */
  protected wakeAfterUnlock(index: number, marks: number): void {
    if (marks & WAITED) ringFree(this.words, this.#idleBellWord);
    if (marks & PEER_WAITS) {
      wakeParked(this.words, this.#peerParkedWord + index, this.#freeBellWord);
    }
  }
}

/** Wakes whoever sleeps on a bell, for a free port, to look again. Call after the port was freed. */
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
