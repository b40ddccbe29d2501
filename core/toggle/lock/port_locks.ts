import { lowestPort } from "../../memory/regions.ts";
import type { Words } from "../../memory/words.ts";
import { type ChannelLayout, ControlWord } from "../layout.ts";
import type { Side } from "../side.ts";

/** A mark beside a lock: a worker of the same side is going to sleep, and wants to be woken when the lock is dropped. */
export const WAITED = 1 << 30;
/** A mark beside a lock: the other side sleeps in the middle of a call, which ends if the holder leaves. */
export const PEER_WAITS = 1 << 29;

/** Stands for the holder's id where a lock does not name its holder. */
export const ANONYMOUS = -1;

/** A parked word: this side sleeps until the other side flips. */
const PARKED = 1;
/** A parked word of an unlocked port: a client waits until any port is free. */
export const WANTED = 2;

/** Whose locks these are, and where. */
export interface LockView {
  readonly layout: ChannelLayout;
  readonly side: Side;
  /** The id of the client or server. */
  readonly ownerId: number;
}

/**
 * One side's locks of all ports, as one of its workers uses them. Every method is bounded, and nothing
 * here waits.
 */
export abstract class PortLocks {
  protected readonly words: Words;
  protected readonly ownerId: number;
  /** The first word of this side's locks, and of the other side's. */
  protected readonly lockWord: number;
  protected readonly peerLockWord: number;
  readonly #peerParkedWord: number;
  readonly #freeBellWord: number;
  /** The word that idle workers of this side sleep on. */
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

  /** Claims the port for this worker; returns false when another worker of this side has it. */
  abstract tryLock(index: number): boolean;
  /** Returns the port to this side's workers, and wakes those who asked for it. */
  abstract unlock(index: number): void;
  /** Whether the port looks taken: an unordered read for a search, which may be stale. */
  abstract looksLocked(index: number): boolean;

  /** As {@linkcode tryLock}, of several of the 32 ports from `place` times 32 on; returns those that it claimed. */
  tryLockBits(place: number, bits: number): number {
    let locked = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const index = lowestPort(place, rest);
      if (!this.looksLocked(index) && this.tryLock(index)) locked |= rest & -rest;
    }
    return locked;
  }

  /** As {@linkcode unlock}, of several ports. */
  unlockBits(place: number, bits: number): void {
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.unlock(lowestPort(place, rest));
  }

  /** Who holds this side's lock: an id, {@linkcode ANONYMOUS}, or 0 while nobody does. */
  abstract holder(index: number): number;
  /** As {@linkcode holder}, of the other side's lock. */
  abstract peerHolder(index: number): number;
  /** Whether the lock is this worker's own. */
  abstract holds(index: number): boolean;
  /**
   * Asks to be woken when this lock is dropped: clients by the bell of free ports, servers by the
   * doorbell. Returns false when nobody holds the lock.
   */
  abstract watch(index: number): boolean;
  /** Asks the holder of the other side's lock to wake this side when it drops that; returns false when there is none. */
  abstract watchPeer(index: number): boolean;

  /** Counts this worker; returns whether the others of its side have to be told. */
  join(): boolean {
    return false;
  }

  /** Called when the channel's state has changed: somebody may have joined. */
  lookAgain(): void {}

  /** Keeps the lock at the end of a call, for the next one; returns false where it has to be dropped. */
  keep(_index: number): boolean {
    return false;
  }

  /** Drops a lock that was kept. */
  release(): void {}

  /** Wakes those whose marks were found at an unlock. */
  wakeAfterUnlock(index: number, marks: number): void {
    if (marks & WAITED) ringFree(this.words, this.#idleBellWord);
    if (marks & PEER_WAITS) {
      wakeParked(this.words, this.#peerParkedWord + index, this.#freeBellWord);
    }
  }
}

/** Wakes everybody who sleeps on a bell until a port is free. Call after the port was freed. */
export function ringFree(words: Words, freeBellWord: number): void {
  // Sync: pairs with the sleeper, which reads the bell before it looks at the ports. The bell changes its
  // value, so a ring between that look and the sleep ends the sleep before it begins.
  words.add(freeBellWord, 1);
  words.notify(freeBellWord);
}

/** Wakes whoever sleeps on a parked word, so that it looks again. Call after writing what it is to see. */
export function wakeParked(words: Words, parkedWord: number, freeBellWord: number): void {
  // Sync: pairs with the sleeper, which sets its mark in the word before its last look. If we clear the
  // mark after that look, the sleep ends or does not begin; if before, the look sees what we wrote.
  // An exchange, so that no mark that is set in the meantime is lost.
  const marks = words.exchange(parkedWord, 0);
  if (marks & PARKED) words.notify(parkedWord);
  if (marks & WANTED) ringFree(words, freeBellWord);
}
