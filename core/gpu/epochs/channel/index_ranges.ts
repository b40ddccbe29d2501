/** Consecutive indices. */
export interface IndexRange {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

/**
 * Indices that were added in ascending order, as ranges.
 *
 * @example
 * ```ts
 * import { IndexRanges } from "./index_ranges.ts";
 * const ranges = new IndexRanges();
 * for (const index of [3, 4, 7]) ranges.add(index);
 * if (ranges.all.length !== 2) throw new Error("3 and 4 are one range, 7 is another");
 * ```
 */
export class IndexRanges {
  readonly #all: { start: number; end: number }[] = [];

  get all(): readonly IndexRange[] {
    return this.#all;
  }

  /** @param index larger than all that were added since `clear` */
  add(index: number): void {
    const last = this.#all.at(-1);
    if (last?.end === index) last.end++;
    else this.#all.push({ start: index, end: index + 1 });
  }

  clear(): void {
    this.#all.length = 0;
  }

  /** Makes one range of all, gaps included. */
  join(): void {
    const end = this.#all.at(-1)?.end;
    if (end === undefined) return;
    this.#all.length = 1;
    this.#all[0]!.end = end;
  }
}
