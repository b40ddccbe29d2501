import type { Words } from "../memory/words.ts";
import type { ChannelLayout } from "./layout.ts";

/** Requests that may be open at once: workers that were given up on count until they come back. */
export const LEAVE_SLOTS = 32;
/** A slot holds the id of who was asked, with one of these when the request has ended. */
const HAS_LEFT = 1 << 30;
const GIVEN_UP = 1 << 29;
const LEAVING = 1 << 28;
const ID_MASK = LEAVING - 1;

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
 * | id and `LEAVING` | who was asked | holds no port, and counts itself out |
 * | id and `HAS_LEFT` | who was asked | will never touch the channel again: its thread may be ended |
 * | id and `GIVEN_UP` | who asks | did not answer in time: what it holds stays with it |
 */
export class LeaveRequests {
  readonly #words: Words;
  readonly #leaveWord: number;

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
    const open = this.#slotOf(id);
    if (open >= 0) return open;
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      // Sync: pairs with the scan of who was asked, which reads the slots after the state word that
      // is changed next: it cannot see the attention and miss the request.
      if (this.#words.compareExchange(this.#leaveWord + slot, 0, id) === 0) return slot;
    }
    throw new RangeError(
      `Cannot ask ${id} to leave as ${LEAVE_SLOTS} workers were asked and have not answered`,
    );
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

  /** Waits until who has begun to leave has left: some steps of its thread. */
  async awaitLeft(slot: number, id: number): Promise<void> {
    await this.#words.waitAsync(this.#leaveWord + slot, id | LEAVING, Infinity);
  }

  /** Takes notice of an answer and frees the slot. */
  settle(slot: number): void {
    this.#words.store(this.#leaveWord + slot, 0);
  }

  /** Ends the wait for an answer. Says no if the answer has just come. */
  giveUp(slot: number, id: number): boolean {
    // Sync: pairs with answer(): one of the two wins, and the loser sees what the other did.
    return this.#words.compareExchange(this.#leaveWord + slot, id, id | GIVEN_UP) === id;
  }

  /**
   * Forgets that this client or server was given up on, as its thread is known to be dead.
   *
   * @returns whether it was given up on
   */
  forget(id: number): boolean {
    const slot = this.#slotOf(id);
    if (slot < 0 || this.stateOf(slot) !== "given up") return false;
    this.settle(slot);
    return true;
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
   * @param countOut the last thing that it has to do, done only if the answer comes in time
   * @returns whether that was the answer; if not, it was given up on before, and others have counted
   * it out
   */
  answer(id: number, countOut: () => void): boolean {
    const slot = this.#slotOf(id);
    if (slot < 0) return false;
    const word = this.#leaveWord + slot;
    // Sync: as giveUp().
    const isInTime = this.#words.compareExchange(word, id, id | LEAVING) === id;
    if (isInTime) countOut();
    // Sync: after everything that this side wrote: who sees the answer may end its thread. Node does
    // so at once, and a server that was not counted out yet would be waited for for ever.
    this.#words.store(word, isInTime ? id | HAS_LEFT : 0);
    this.#words.notify(word);
    return isInTime;
  }

  #slotOf(id: number): number {
    for (let slot = 0; slot < LEAVE_SLOTS; slot++) {
      if ((this.#words.load(this.#leaveWord + slot) & ID_MASK) === id) return slot;
    }
    return -1;
  }
}
