/** Bytes that are fetched or written together. */
export const PAGE_BYTES = 1 << 16;

/** Some bytes: from the first one to before the last. */
export interface ByteRange {
  readonly startByte: number;
  readonly endByte: number;
}

/**
 * The host's copy of a heap that lies on a device: which pages are as there, and what was written here
 * and not there yet. In each page that is one range.
 */
export class HeapMirror {
  /** What the host knows of the heap. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The epoch in which a page was as on the device. */
  readonly #freshIn: Float64Array;
  readonly #dirtyStart: Float64Array;
  readonly #dirtyEnd: Float64Array;
  #epoch = 0;
  #isDirty = false;

  /** A heap of zeros, as it is on the device at first. */
  constructor(sizeBytes: number) {
    const pageCount = Math.ceil(sizeBytes / PAGE_BYTES);
    this.bytes = new Uint8Array(sizeBytes);
    this.#freshIn = new Float64Array(pageCount);
    this.#dirtyStart = new Float64Array(pageCount);
    this.#dirtyEnd = new Float64Array(pageCount);
  }

  /** Takes account of a dispatch: whatever is on the device may be something else now. */
  makeStale(): void {
    this.#epoch++;
  }

  /** The pages of these bytes that have to be fetched first, from the first to the last of them. */
  staleIn({ startByte, endByte }: ByteRange): ByteRange | undefined {
    return this.#pagesWhere({ startByte, endByte }, (page) => !this.#isFresh(page));
  }

  /**
   * The pages that have to be fetched before these bytes are written: where the neighbours in a word, or
   * up to what was written before, are not known.
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

  /** Takes over what is on the device, from the first byte of a page on. */
  take(startByte: number, words: Int32Array): void {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    this.bytes.set(bytes, startByte);
    const pageEnd = Math.ceil((startByte + bytes.length) / PAGE_BYTES);
    this.#freshIn.fill(this.#epoch, startByte / PAGE_BYTES, pageEnd);
  }

  /** Writes bytes whose surroundings are known: see {@linkcode staleAround}. */
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

  /** What was written since the last time, as ranges of whole words; neighbours are one range. */
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
