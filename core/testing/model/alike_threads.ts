import type { HappensBefore } from "../explorer/happens_before.ts";
import type { Model, Symmetry } from "../explorer/model.ts";

/**
 * Brings states that differ only in which of the alike threads is where into one form. A state is the
 * state words, an entry for each thread, and what `HappensBefore` keeps.
 */
export class AlikeThreads {
  readonly #threads: readonly number[];
  readonly #ownerSlots: readonly number[];
  readonly #firstThread: number;
  readonly #firstOrder: number;
  readonly #order: HappensBefore | undefined;

  constructor(
    model: Model,
    options: { readonly symmetry: Symmetry; readonly order: HappensBefore | undefined },
  ) {
    const { stateWords, programs } = model;
    this.#threads = options.symmetry.threads;
    this.#ownerSlots = options.symmetry.ownerWords.map((word) => stateWords.indexOf(word));
    this.#firstThread = stateWords.length;
    this.#firstOrder = stateWords.length + programs.length;
    this.#order = options.order;
  }

  /** Puts the alike threads in the order of their entries, under new names that fit. */
  toCanonical(state: Int32Array): void {
    const first = this.#firstThread;
    for (let last = 1; last < this.#threads.length; last++) {
      for (let place = last; place > 0; place--) {
        const [lower, upper] = [this.#threads[place - 1]!, this.#threads[place]!];
        if (state[first + lower]! <= state[first + upper]!) break;
        this.#swap(state, lower, upper);
      }
    }
  }

  #swap(state: Int32Array, lower: number, upper: number): void {
    const first = this.#firstThread;
    const held = state[first + lower]!;
    state[first + lower] = state[first + upper]!;
    state[first + upper] = held;
    for (const slot of this.#ownerSlots) {
      if (state[slot] === lower + 1) state[slot] = upper + 1;
      else if (state[slot] === upper + 1) state[slot] = lower + 1;
    }
    this.#order?.swapThreads(state, { first: this.#firstOrder, lower, upper });
  }
}
