/** Consecutive indices. */
export interface IndexRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Collects ascending indices into ranges.
 */
export class IndexRanges {
  readonly #all: { start: number; end: number }[] = [];
  #last: { start: number; end: number } | undefined;

  get all(): readonly IndexRange[] {
    return this.#all;
  }

  /** @param index larger than all added since `clear` */
  add(index: number): void {
    if (this.#last?.end === index) this.#last.end++;
    else this.#all.push(this.#last = { start: index, end: index + 1 });
  }

  clear(): void {
    this.#all.length = 0;
    this.#last = undefined;
  }

  /** Merges all ranges into one, including the gaps. */
  join(): void {
    if (!this.#last) return;
    const { end } = this.#last;
    this.#all.length = 1;
    this.#last = this.#all[0]!;
    this.#last.end = end;
  }
}
