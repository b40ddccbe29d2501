import { SharedWords } from "../../core/memory/words.ts";
import { SharedText } from "./shared_text.ts";

/**
 * shift    1 u32    partner writes: the shift that it is in, 0 while it sleeps, -1 after a failure
 * failure  1020 B   partner writes, before it stores -1: what its work threw
 */
const SHIFT_WORD = 0;
const FAILURE_BYTE = 4;
const STATE_BYTES = 1024;

/** The shift of a partner that sleeps. */
export const ASLEEP = 0;
const FAILED = -1;
/** Between two looks; each sleeps, so that the partner gets the core if there is only one. */
const LOOK_MILLISECONDS = 1;
const ANSWER_LOOKS_MAX = 10_000;

/**
 * What the measuring isolate and its partner both see of the partner. One-way: the partner writes.
 *
 * @example
 * ```ts
 * import { ASLEEP, PartnerState } from "./partner_state.ts";
 * const state = new PartnerState();
 * state.enter(1);
 * state.awaitShift(1);
 * state.enter(ASLEEP);
 * ```
 */
export class PartnerState {
  readonly buffer: SharedArrayBuffer;
  readonly #words: SharedWords;
  readonly #failure: SharedText;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(STATE_BYTES)) {
    this.buffer = buffer;
    this.#words = new SharedWords(buffer);
    this.#failure = new SharedText(new Uint8Array(buffer, FAILURE_BYTE));
  }

  /** Says that the partner begins a shift, or sleeps. */
  enter(shift: number): void {
    // Sync: pairs with awaitShift(). After a shift everything that the partner did in it is
    // visible to who sees the word: the next trial finds it asleep indeed.
    this.#words.store(SHIFT_WORD, shift);
    this.#words.notify(SHIFT_WORD);
  }

  /** Says that the partner's work threw; it works no more. */
  fail(message: string): void {
    this.#failure.write(message);
    this.enter(FAILED);
  }

  /**
   * Returns when the partner is in the shift. Blocks.
   *
   * @param nudge called before each look
   * @throws {Error} when the partner's work threw, or it does not answer within seconds
   */
  awaitShift(shift: number, nudge?: () => void): void {
    for (let look = 0; look < ANSWER_LOOKS_MAX; look++) {
      nudge?.();
      const now = this.#words.load(SHIFT_WORD);
      if (now === shift) return;
      this.assertWell();
      this.#words.wait(SHIFT_WORD, now, LOOK_MILLISECONDS);
    }
    throw new Error(`Cannot bring the partner to shift ${shift} as it does not answer`);
  }

  /** @throws {Error} when the partner's work threw */
  assertWell(): void {
    if (this.#words.load(SHIFT_WORD) !== FAILED) return;
    throw new Error(`Cannot go on with the partner as its work threw: ${this.#failure.read()}`);
  }
}
