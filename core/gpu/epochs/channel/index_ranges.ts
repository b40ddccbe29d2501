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

  get all(): readonly IndexRange[] {
    return this.#all;
  }

  /** @param index larger than all added since `clear` */
  add(index: number): void {
    const last = this.#all.at(-1);
    if (last?.end === index) last.end++;
    else this.#all.push({ start: index, end: index + 1 });
  }

  clear(): void {
    this.#all.length = 0;
  }

  /** Merges all ranges into one, including the gaps. */
  join(): void {
    const end = this.#all.at(-1)?.end;
    if (end === undefined) return;
    this.#all.length = 1;
    this.#all[0]!.end = end;
  }
}
