/**
 * Random numbers from 0 to below 1, the same ones for the same seed (mulberry32). Good enough to
 * shuffle an order, not for secrets.
 *
 * @example
 * ```ts
 * import { seededRandom } from "./shuffle.ts";
 * if (seededRandom(7)() !== seededRandom(7)()) throw new Error("same seed, same numbers");
 * ```
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The same values in an order that the seed decides; every order is equally likely.
 *
 * @example
 * ```ts
 * import { shuffled } from "./shuffle.ts";
 * if (shuffled([1, 2, 3], 7).length !== 3) throw new Error("nothing is lost");
 * ```
 */
export function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  const random = seededRandom(seed);
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [mixed[last], mixed[at]] = [mixed[at]!, mixed[last]!];
  }
  return mixed;
}
