/** As long as it takes to wake a thread. */
const LONGEST_MILLISECONDS = 0.03;
/** Shorter than this is not worth a look at the clock, which costs as much as some looks for an answer. */
const SHORTEST_MILLISECONDS = 0.002;
/** Looks between two at the clock. */
const LOOKS_AT_ONCE = 16;
/** How much rarer long waits become where they never pay. */
const RARITY_MAX = 16;

/**
 * Looks for something again and again, for as long as that has paid lately. Where threads have a processor each
 * it ends most waits in a microsecond; where they share one, it keeps the other from going on. So what is
 * limited is the time, and not how often it looks.
 *
 * @example
 * ```ts
 * import { Spin } from "./spin.ts";
 * let left = 3;
 * if (new Spin(16).until(() => --left === 0 || undefined) !== true) throw new Error("at the third look");
 * ```
 */
export class Spin {
  readonly #probeEvery: number;
  readonly #longestMilliseconds: number;
  #milliseconds: number;
  /** Waits since the last long one. */
  #count = 0;
  #rarity = 1;

  /**
   * @param probeEvery how often a wait is long although the last ones were for nothing; where that is for
   * nothing, too, it becomes rarer
   */
  constructor(probeEvery: number, longestMilliseconds = LONGEST_MILLISECONDS) {
    this.#probeEvery = probeEvery;
    this.#milliseconds = this.#longestMilliseconds = longestMilliseconds;
  }

  /** Returns what the attempt returns, or `undefined` when it is time to sleep. */
  until<Result>(attempt: () => Result | undefined): Result | undefined {
    const longest = this.#longestMilliseconds;
    const isProbe = this.#milliseconds < longest &&
      ++this.#count >= this.#probeEvery * this.#rarity;
    const milliseconds = isProbe ? longest : this.#milliseconds;
    let end = 0;
    for (let look = 1;; look++) {
      const result = attempt();
      if (result !== undefined) {
        if (look > 1) this.#pay();
        return result;
      }
      if (look % LOOKS_AT_ONCE !== 0) continue;
      if (milliseconds === 0) break;
      // The first look at the clock is behind some for the answer, most of which find it.
      if (end === 0) end = performance.now() + milliseconds;
      else if (performance.now() >= end) break;
    }
    this.#lose(isProbe);
    return undefined;
  }

  #pay(): void {
    this.#milliseconds = this.#longestMilliseconds;
    this.#count = 0;
    this.#rarity = 1;
  }

  #lose(isProbe: boolean): void {
    const half = this.#milliseconds / 2;
    this.#milliseconds = half < SHORTEST_MILLISECONDS ? 0 : half;
    if (!isProbe) return;
    this.#count = 0;
    this.#rarity = Math.min(this.#rarity * 2, RARITY_MAX);
  }
}
