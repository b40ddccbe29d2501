import { SharedWords } from "../../core/memory/words.ts";
import { SharedText } from "../partner/shared_text.ts";

/**
 * round     1 u32    captain writes: grows with every order
 * calls     1 u32    captain writes, before the round: what to do in it, or STOP
 * busy      1 u32    captain sets it to the crew's size, each member takes itself out
 * failed    1 u32    a member that failed
 * failure   1008 B   that member, before `failed`: what was thrown
 */
const GateWord = { round: 0, calls: 1, busy: 2, failed: 3 } as const;
const FAILURE_BYTE = 16;
const GATE_BYTES = 1024;

const STOP = -1;
/** A sleeper looks around this often, whatever happens. */
const SLEEP_MILLISECONDS = 50;

/**
 * Where a crew of Workers gets its orders: all begin at once, and the captain sleeps until the last
 * one is done. The captain is the isolate that measures.
 *
 * @example
 * ```ts
 * import { CrewGate } from "./fork_join.ts";
 * const captain = new CrewGate();
 * const member = new CrewGate(captain.buffer); // in a Worker
 * captain.order({ callCount: 10, memberCount: 1 });
 * if (member.nextOrder() !== 10) throw new Error("the order is the call count");
 * member.reportDone();
 * captain.awaitDone();
 * ```
 */
export class CrewGate {
  readonly buffer: SharedArrayBuffer;
  readonly #words: SharedWords;
  readonly #failure: SharedText;
  #seenRound = 0;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(GATE_BYTES)) {
    this.buffer = buffer;
    this.#words = new SharedWords(buffer);
    this.#failure = new SharedText(new Uint8Array(buffer, FAILURE_BYTE));
  }

  /** Captain: has every member make its share of the calls. Does not wait. */
  order(order: { readonly callCount: number; readonly memberCount: number }): void {
    this.#words.store(GateWord.calls, order.callCount);
    this.#words.store(GateWord.busy, order.memberCount);
    // Sync: after the order itself, which a member reads as soon as it sees a new round.
    this.#words.add(GateWord.round, 1);
    this.#words.notify(GateWord.round);
  }

  /** Captain: sends the crew home. */
  stop(): void {
    this.order({ callCount: STOP, memberCount: 0 });
  }

  /**
   * Captain: returns when every member is done. Blocks.
   *
   * @throws {Error} when a member failed, with its words
   */
  awaitDone(): void {
    for (;;) {
      const busy = this.#words.load(GateWord.busy);
      if (this.#words.load(GateWord.failed) !== 0) throw new Error(this.#failure.read());
      if (busy === 0) return;
      // Sync: pairs with reportDone(), which notifies after the word has changed.
      this.#words.wait(GateWord.busy, busy, SLEEP_MILLISECONDS);
    }
  }

  /** Member: sleeps until the next order; returns the calls of the whole crew, -1 to go home. */
  nextOrder(): number {
    // Sync: pairs with order(): a round that was not seen yet stops the sleep before it begins.
    while (this.#words.load(GateWord.round) === this.#seenRound) {
      this.#words.wait(GateWord.round, this.#seenRound, SLEEP_MILLISECONDS);
    }
    this.#seenRound++;
    return this.#words.load(GateWord.calls);
  }

  /** Member: says that its share is done. */
  reportDone(): void {
    if (this.#words.add(GateWord.busy, -1) === 1) this.#words.notify(GateWord.busy);
  }

  /** Member: says that it cannot go on. */
  reportFailed(message: string): void {
    this.#failure.write(message);
    this.#words.store(GateWord.failed, 1);
    this.#words.notify(GateWord.busy);
  }
}
