/** So many looks take some tens of microseconds: about as long as it takes to wake a thread. */
const POLLS_MAX = 1500;
/** Some microseconds: what another thread needs that is awake. */
const POLLS_MIN = 150;

/**
 * Looks for something again and again, for as long as that has paid lately. Where threads have a processor each
 * it ends most waits in a microsecond; where they share one, it keeps the other from going on.
 *
 * @example
 * ```ts
 * import { Spin } from "./spin.ts";
 * let left = 3;
 * if (new Spin(16).until(() => --left === 0 || undefined) !== true) throw new Error("at the third look");
 * ```
 */
export class Spin {
  #polls = POLLS_MAX;
  #count = 0;
  readonly #probeEvery: number;

  /** @param probeEvery how often a wait is long although the last ones were for nothing */
  constructor(probeEvery: number) {
    this.#probeEvery = probeEvery;
  }

  /** Returns what the attempt returns, or `undefined` when it is time to sleep. */
  until<Result>(attempt: () => Result | undefined): Result | undefined {
    const isProbe = this.#polls < POLLS_MAX && ++this.#count % this.#probeEvery === 0;
    const polls = isProbe ? POLLS_MAX : this.#polls;
    for (let poll = 0; poll < polls; poll++) {
      const result = attempt();
      if (result === undefined) continue;
      if (poll > 0) this.#polls = POLLS_MAX;
      return result;
    }
    this.#polls = Math.max(this.#polls >>> 1, POLLS_MIN);
    return undefined;
  }
}
