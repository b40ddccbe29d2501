import { SharedWords } from "../../core/memory/words.ts";

/**
 * work     1 u32    partner writes: the work that it runs, 0 while it sleeps, -1 after a failure
 * failure  1020 B   partner writes, before it stores -1: what its work threw
 */
const WORK_WORD = 0;
const FAILURE_BYTE = 4;
export const STATE_BYTES = 1024;

const IDLE = 0;
const FAILED = -1;
/** The sleep between two looks at the word: it leaves the core to the partner if there is only one. */
const LOOK_MILLISECONDS = 1;
const ANSWER_LOOKS_MAX = 10_000;

/**
 * What the partner does at the moment, in memory that the measuring isolate sees too. Only the
 * partner writes it.
 */
export class PartnerState {
  readonly buffer: SharedArrayBuffer;
  readonly #words: SharedWords;
  readonly #failure: SharedText;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(STATE_BYTES)) {
    this.buffer = buffer;
    this.#words = new SharedWords(buffer);
    this.#failure = new SharedText(
      new Uint8Array(buffer, FAILURE_BYTE, STATE_BYTES - FAILURE_BYTE),
    );
  }

  /** Partner: begins a piece of work, whose id is positive. */
  begin(workId: number): void {
    this.#publish(workId);
  }

  /** Partner: has ended its work, and sleeps. */
  end(): void {
    this.#publish(IDLE);
  }

  /** Partner: its work threw; it runs no more. */
  fail(message: string): void {
    this.#failure.write(message);
    this.#publish(FAILED);
  }

  /**
   * Returns when the partner runs that work. Blocks.
   *
   * @throws {Error} when the partner's work threw, or it does not answer within seconds
   */
  awaitBegun(workId: number): void {
    this.#await(workId, () => {});
  }

  /**
   * Returns when the partner sleeps. Blocks.
   *
   * @param signal tells the work to return; called before each look
   * @throws {Error} when the partner's work threw, or it does not answer within seconds
   */
  awaitIdle(signal: () => void): void {
    this.#await(IDLE, signal);
  }

  /** @throws {Error} when the partner's work threw */
  throwIfFailed(): void {
    if (this.#words.load(WORK_WORD) !== FAILED) return;
    throw new Error(`Cannot go on with the partner as its work threw: ${this.#failure.read()}`);
  }

  #publish(state: number): void {
    // Sync: pairs with the load in #await(). Who sees the new state sees everything that the partner
    // did before it; without the order a trial could begin while the last one still runs.
    this.#words.store(WORK_WORD, state);
    this.#words.notify(WORK_WORD);
  }

  #await(wanted: number, beforeLook: () => void): void {
    for (let look = 0; look < ANSWER_LOOKS_MAX; look++) {
      beforeLook();
      const now = this.#words.load(WORK_WORD);
      if (now === wanted) return;
      this.throwIfFailed();
      this.#words.wait(WORK_WORD, now, LOOK_MILLISECONDS);
    }
    const what = wanted === IDLE ? "sleep" : `begin work ${wanted}`;
    throw new Error(`Cannot make the partner ${what} as it does not answer`);
  }
}

const LENGTH_BYTES = 4;

/**
 * A text that one isolate writes and another reads without a message, so that a blocked event loop
 * does not matter. It is written without atomics: the writer makes an atomic store after it, and the
 * reader looks at the text only when it has seen that store.
 */
export class SharedText {
  readonly #length: DataView;
  readonly #bytes: Uint8Array;

  /** @param bytes where the text lives; what does not fit is cut off */
  constructor(bytes: Uint8Array) {
    this.#length = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES);
    this.#bytes = bytes.subarray(LENGTH_BYTES);
  }

  write(text: string): void {
    const encoded = new TextEncoder().encode(text).subarray(0, this.#bytes.length);
    this.#bytes.set(encoded);
    this.#length.setUint32(0, encoded.length);
  }

  /** What was written last; empty before. */
  read(): string {
    const byteCount = Math.min(this.#length.getUint32(0), this.#bytes.length);
    return new TextDecoder().decode(this.#bytes.slice(0, byteCount));
  }
}
