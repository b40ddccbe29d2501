import { SharedWords } from "../../core/memory/words.ts";
import { SharedText } from "../partner/partner_state.ts";

/**
 * round     1 u32    main writes: one more for every fork
 * calls     1 u32    main writes, before the round: how many calls this fork makes, or STOP
 * busy      1 u32    main sets it to the number of Workers; each Worker subtracts itself when done
 * failed    1 u32    a Worker that failed writes 1
 * failure   1008 B   that Worker writes, before `failed`: what was thrown
 */
const ForkWord = { round: 0, calls: 1, busy: 2, failed: 3 } as const;
const FAILURE_BYTE = 16;
const FORK_BYTES = 1024;

const STOP = -1;
/** The longest sleep: after it the words are looked at again, so that no failure goes unnoticed. */
const SLEEP_MILLISECONDS = 50;

/**
 * Fork and join over shared memory: the measuring isolate ("main") has all Workers of a pool begin at
 * once, and sleeps until the last of them is done.
 */
export class ForkJoin {
  readonly buffer: SharedArrayBuffer;
  readonly #words: SharedWords;
  readonly #failure: SharedText;
  #seenRound = 0;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(FORK_BYTES)) {
    this.buffer = buffer;
    this.#words = new SharedWords(buffer);
    this.#failure = new SharedText(new Uint8Array(buffer, FAILURE_BYTE));
  }

  /** Main: has every Worker make its share of the calls. Does not wait. */
  fork(fork: { readonly callCount: number; readonly workerCount: number }): void {
    this.#words.store(ForkWord.calls, fork.callCount);
    this.#words.store(ForkWord.busy, fork.workerCount);
    // Sync: pairs with the loads in awaitFork(). The round comes last: a Worker reads the call count
    // as soon as it sees a new round, and would otherwise read that of the last one.
    this.#words.add(ForkWord.round, 1);
    this.#words.notify(ForkWord.round);
  }

  /** Main: tells the Workers to end. */
  stop(): void {
    this.fork({ callCount: STOP, workerCount: 0 });
  }

  /**
   * Main: returns when every Worker is done. Blocks.
   *
   * @throws {Error} when a Worker failed, with its words
   */
  join(): void {
    for (;;) {
      const busy = this.#words.load(ForkWord.busy);
      if (this.#words.load(ForkWord.failed) !== 0) throw new Error(this.#failure.read());
      if (busy === 0) return;
      // Sync: pairs with reportDone(), which notifies after the word has changed.
      this.#words.wait(ForkWord.busy, busy, SLEEP_MILLISECONDS);
    }
  }

  /** Worker: sleeps until the next fork; returns the calls of all Workers together, -1 to end. */
  awaitFork(): number {
    // Sync: pairs with fork(): a round that was not seen yet stops the sleep before it begins.
    while (this.#words.load(ForkWord.round) === this.#seenRound) {
      this.#words.wait(ForkWord.round, this.#seenRound, SLEEP_MILLISECONDS);
    }
    this.#seenRound++;
    return this.#words.load(ForkWord.calls);
  }

  /** Worker: says that its share is done. */
  reportDone(): void {
    if (this.#words.add(ForkWord.busy, -1) === 1) this.#words.notify(ForkWord.busy);
  }

  /** Worker: says that it cannot go on. */
  reportFailed(message: string): void {
    this.#failure.write(message);
    // Sync: pairs with the load in join(), which reads the message as soon as it sees the failure.
    this.#words.store(ForkWord.failed, 1);
    this.#words.notify(ForkWord.busy);
  }
}
