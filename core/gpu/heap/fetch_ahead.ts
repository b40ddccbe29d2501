import type { ByteRange } from "./heap_mirror.ts";

/** The most that is fetched ahead: on a software adapter this costs less than a read of its own. */
export const AHEAD_BYTES = 1 << 18;
/** Dispatches without a look after which nothing is fetched ahead any more. */
const UNUSED_MAX = 4;

/**
 * Guesses which bytes of a heap the host will read after a dispatch: those that it had to fetch after
 * one of the last. They come along with the packets then, which saves a submit and a read.
 */
export class FetchAhead {
  #range: ByteRange | undefined;
  #unusedCount = 0;

  /** Takes account of a look. */
  use(): void {
    this.#unusedCount = 0;
  }

  /** Takes account of bytes that had to be fetched. */
  add(range: ByteRange): void {
    const known = this.#range ?? range;
    const startByte = Math.min(known.startByte, range.startByte);
    const endByte = Math.max(known.endByte, range.endByte);
    const isShort = endByte - startByte <= AHEAD_BYTES;
    this.#range = isShort ? { startByte, endByte } : {
      startByte: range.startByte,
      endByte: Math.min(range.endByte, range.startByte + AHEAD_BYTES),
    };
  }

  /** What is fetched with the next dispatch. */
  next(): ByteRange | undefined {
    if (++this.#unusedCount > UNUSED_MAX) this.#range = undefined;
    return this.#range;
  }
}
