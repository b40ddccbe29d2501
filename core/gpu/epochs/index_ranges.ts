/** Neighbouring indices, `end` not included. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Indices that were added in ascending order, as stretches of neighbours.
 *
 * @example
 * ```ts
 * import { Stretches } from "./index_ranges.ts";
 * const stretches = new Stretches();
 * for (const index of [3, 4, 7]) stretches.add(index);
 * if (stretches.all.length !== 2) throw new Error("3 and 4 are neighbours");
 * ```
 */
export class Stretches {
  readonly #all: { start: number; end: number }[] = [];

  get all(): readonly Stretch[] {
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

  /** Makes one stretch of all, gaps included. */
  join(): void {
    const end = this.#all.at(-1)?.end;
    if (end === undefined) return;
    this.#all.length = 1;
    this.#all[0]!.end = end;
  }
}
