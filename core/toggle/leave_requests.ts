import type { Words } from "../memory/words.ts";
import type { ChannelLayout } from "./layout.ts";

/** Requests that may be open at once: workers that were given up on count until they come back. */
export const LEAVE_SLOTS = 32;
/** A slot holds the id of who was asked, with one of these when the request has ended. */
const HAS_LEFT = 1 << 30;
const GIVEN_UP = 1 << 29;
const ID_MASK = GIVEN_UP - 1;

/** How a request stands. */
export type LeaveState = "asked" | "left" | "given up";

/**
 * Asks clients and servers to leave the channel, and takes their answer. A worker cannot be ended from
 * outside while it runs, so nothing of it may be taken from it before it has said that it is gone.
 *
 * A slot goes through these states; each step is one compare-exchange, so that the one who asks and
 * the one who was asked agree on who made it:
 *
 * | slot | written by | means |
 * | --- | --- | --- |
 * | 0 | either, at the end | free |
 * | id | who asks | please leave |
 * | id and `HAS_LEFT` | who was asked | holds no port and will take none |
 * | id and `GIVEN_UP` | who asks | did not answer in time: what it holds stays with it |
 */
export class LeaveRequests {
  readonly #words: Words;
  readonly #leaveWord: number;
  /** Who was seen to end here: who has left does not answer once more. */
  readonly #ended = new Set<number>();

  constructor(words: Words, layout: Pick<ChannelLayout, "leaveWord">) {
    this.#words = words;
    this.#leaveWord = layout.leaveWord;
  }

  /**
   * Writes a request down; the channel has to raise attention afterwards. Bounded.
   *
   * @returns its slot: that of an open request for the same id, if there is one
   * @throws {RangeError} when all slots are taken by workers that never answered
   */
  ask(id: number): number {
    const slot = this.tryAsk(id);
    if (slot !== undefined) return slot;
    throw new RangeError(
      `Cannot ask ${id} to leave as ${LEAVE_SLOTS} workers were asked and have not answered`,
    );
  }

  /** As {@linkcode ask}, and `undefined` when all slots are taken. Bounded. */
  tryAsk(id: number): number | undefined {
    const open = this.#slotOf(id);
    if (open >= 0) return open;
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      // Sync: pairs with the scan of who was asked, which reads the slots after the state word that
      // is changed next: it cannot see the attention and miss the request.
      if (this.#words.compareExchange(this.#leaveWord + slot, 0, id) === 0) return slot;
    }
    return undefined;
  }

  /** Whether some slot is free, or will be when its request ends. */
  mayHaveRoom(): boolean {
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      if (this.stateOf(slot) !== "given up") return true;
    }
    return false;
  }

  /** How the request of a slot stands; ask for it only until it has ended. */
  stateOf(slot: number): LeaveState {
    const value = this.#words.load(this.#leaveWord + slot);
    if (value & HAS_LEFT) return "left";
    return value & GIVEN_UP ? "given up" : "asked";
  }

  /** Waits for an answer without blocking, at most so long. */
  async awaitAnswer(slot: number, id: number, milliseconds: number): Promise<void> {
    await this.#words.waitAsync(this.#leaveWord + slot, id, milliseconds);
  }

  /** Takes notice of an answer and frees the slot. Says no if somebody else has done so. */
  settle(slot: number, id: number): boolean {
    const answer = id | HAS_LEFT;
    const isMine = this.#words.compareExchange(this.#leaveWord + slot, answer, 0) === answer;
    if (isMine) this.noteEnded(id);
    return isMine;
  }

  /** Ends the wait for an answer. Says no if the answer has just come. */
  giveUp(slot: number, id: number): boolean {
    // Sync: pairs with answer(): one of the two wins, and the loser sees what the other did.
    const isMine = this.#words.compareExchange(this.#leaveWord + slot, id, id | GIVEN_UP) === id;
    if (isMine) this.noteEnded(id);
    return isMine;
  }

  /** Remembers that this client or server was let go, or its thread died; says no if it was known. */
  noteEnded(id: number): boolean {
    const isNew = !this.#ended.has(id);
    this.#ended.add(id);
    return isNew;
  }

  /**
   * Forgets that this client or server was given up on, as its thread is known to be dead.
   *
   * @returns whether it was given up on
   */
  forget(id: number): boolean {
    const slot = this.#slotOf(id);
    if (slot < 0) return false;
    const value = id | GIVEN_UP;
    return this.#words.compareExchange(this.#leaveWord + slot, value, 0) === value;
  }

  /** Whether a request that ended here was answered, in time or later: then nobody needs to ask again. */
  hasLeft(id: number): boolean {
    return this.#ended.has(id) && !this.isAsked(id);
  }

  /** Whether somebody wants this client or server to leave, or has given up on it. */
  isAsked(id: number): boolean {
    return this.#slotOf(id) >= 0;
  }

  /** Whether anybody did not answer in time and has not been seen since. */
  hasGivenUp(): boolean {
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      if (this.#words.load(this.#leaveWord + slot) & GIVEN_UP) return true;
    }
    return false;
  }

  /** Whether this client or server did not answer in time and has not been seen since. */
  isGivenUp(id: number): boolean {
    const slot = this.#slotOf(id);
    return slot >= 0 && this.stateOf(slot) === "given up";
  }

  /**
   * Says that this client or server holds no port and will take none. Bounded.
   *
   * @returns whether that came in time
   */
  answer(id: number): boolean {
    const slot = this.#slotOf(id);
    if (slot < 0) return false;
    const word = this.#leaveWord + slot;
    // Sync: as giveUp(). After everything that this side wrote: who sees the answer may free all.
    const isInTime = this.#words.compareExchange(word, id, id | HAS_LEFT) === id;
    if (!isInTime) this.#words.store(word, 0);
    this.#words.notify(word);
    return isInTime;
  }

  /** The slot of an id; none has the id 0, which is that of nobody. */
  #slotOf(id: number): number {
    if (id === 0) return -1;
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      if ((this.#words.load(this.#leaveWord + slot) & ID_MASK) === id) return slot;
    }
    return -1;
  }
}
