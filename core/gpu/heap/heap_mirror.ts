/** Bytes of a page, the unit of fetching. */
export const PAGE_BYTES = 1 << 16;

/** A range of bytes, whose end is exclusive. */
export interface ByteRange {
  readonly startByte: number;
  readonly endByte: number;
}

/**
 * The host's copy of a heap on a device. It knows which pages are up to date, and keeps one range per
 * page of what still has to be written to the device.
 */
export class HeapMirror {
  /** The heap as far as the host knows it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The last epoch in which each page was up to date. */
  readonly #freshIn: Float64Array;
  readonly #dirtyStart: Float64Array;
  readonly #dirtyEnd: Float64Array;
  #epoch = 0;
  #isDirty = false;

  /** Creates a heap of zeros, as on the device. */
  constructor(sizeBytes: number) {
    const pageCount = Math.ceil(sizeBytes / PAGE_BYTES);
    this.bytes = new Uint8Array(sizeBytes);
    this.#freshIn = new Float64Array(pageCount);
    this.#dirtyStart = new Float64Array(pageCount);
    this.#dirtyEnd = new Float64Array(pageCount);
  }

  /** Marks all pages as out of date after a dispatch. */
  makeStale(): void {
    this.#epoch++;
  }

  /** The smallest range of pages that has to be fetched before these bytes are read. */
  staleIn({ startByte, endByte }: ByteRange): ByteRange | undefined {
    return this.#pagesWhere({ startByte, endByte }, (page) => !this.#isFresh(page));
  }

  /**
   * The smallest range of pages that has to be fetched before these bytes are written, because other
   * bytes of a word, or those up to an earlier write, are unknown.
   */
  staleAround({ startByte, endByte }: ByteRange): ByteRange | undefined {
    return this.#pagesWhere({ startByte, endByte }, (page) => {
      if (this.#isFresh(page)) return false;
      const start = Math.max(startByte, page * PAGE_BYTES);
      const end = Math.min(endByte, (page + 1) * PAGE_BYTES);
      if (start % 4 !== 0 || end % 4 !== 0) return true;
      const [dirtyStart, dirtyEnd] = [this.#dirtyStart[page]!, this.#dirtyEnd[page]!];
      return dirtyEnd > 0 && (start > dirtyEnd || end < dirtyStart);
    });
  }

  #isFresh(page: number): boolean {
    return this.#freshIn[page] === this.#epoch;
  }

  #pagesWhere(
    { startByte, endByte }: ByteRange,
    matches: (page: number) => boolean,
  ): ByteRange | undefined {
    const pageEnd = Math.ceil(endByte / PAGE_BYTES);
    let [first, last] = [-1, -1];
    for (let page = Math.floor(startByte / PAGE_BYTES); page < pageEnd; page++) {
      if (!matches(page)) continue;
      if (first < 0) first = page;
      last = page;
    }
    if (first < 0) return undefined;
    const end = Math.min((last + 1) * PAGE_BYTES, this.bytes.length);
    return { startByte: first * PAGE_BYTES, endByte: end };
  }

  /** Takes over the device's bytes, which begin at a page. */
  take(startByte: number, words: Int32Array): void {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    this.bytes.set(bytes, startByte);
    const pageEnd = Math.ceil((startByte + bytes.length) / PAGE_BYTES);
    this.#freshIn.fill(this.#epoch, startByte / PAGE_BYTES, pageEnd);
  }

  /** Writes bytes; {@linkcode staleAround} says what has to be fetched before. */
  put(startByte: number, bytes: Uint8Array): void {
    const endByte = startByte + bytes.length;
    if (startByte === endByte) return;
    this.bytes.set(bytes, startByte);
    this.#isDirty = true;
    for (let page = Math.floor(startByte / PAGE_BYTES); page * PAGE_BYTES < endByte; page++) {
      const start = Math.max(startByte, page * PAGE_BYTES);
      const end = Math.min(endByte, (page + 1) * PAGE_BYTES);
      const isFirst = this.#dirtyEnd[page] === 0;
      this.#dirtyStart[page] = isFirst ? start : Math.min(start, this.#dirtyStart[page]!);
      this.#dirtyEnd[page] = Math.max(end, this.#dirtyEnd[page]!);
    }
  }

  /** Takes what was written since the last call, as ranges of whole words, adjacent ones merged. */
  takeDirty(): ByteRange[] {
    if (!this.#isDirty) return [];
    this.#isDirty = false;
    const ranges: { startByte: number; endByte: number }[] = [];
    for (let page = 0; page < this.#dirtyEnd.length; page++) {
      if (this.#dirtyEnd[page] === 0) continue;
      const startByte = Math.floor(this.#dirtyStart[page]! / 4) * 4;
      const endByte = Math.ceil(this.#dirtyEnd[page]! / 4) * 4;
      const last = ranges.at(-1);
      if (last?.endByte === startByte) last.endByte = endByte;
      else ranges.push({ startByte, endByte });
      this.#dirtyEnd[page] = 0;
    }
    return ranges;
  }
}

/** The most bytes fetched ahead: on a software adapter these cost less than a separate read. */
export const AHEAD_BYTES = 1 << 18;
/** Dispatches without a read of the heap after which nothing is fetched ahead any more. */
const UNUSED_MAX = 4;

/**
 * Guesses which bytes of a heap the host will read after a dispatch: those that it had to fetch
 * recently. Fetching them along with the packets saves a submit and a read.
 */
export class FetchAhead {
  #range: ByteRange | undefined;
  #unusedCount = 0;

  /** Records a read of the heap. */
  use(): void {
    this.#unusedCount = 0;
  }

  /** Records bytes that had to be fetched. */
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

  /** The bytes to fetch with the next dispatch. */
  next(): ByteRange | undefined {
    if (++this.#unusedCount > UNUSED_MAX) this.#range = undefined;
    return this.#range;
  }
}
