/**
 * A generator of pseudo-random u32 numbers (xorshift32): the same numbers for the same seed.
 *
 * @param seed not 0, from which all numbers would be 0
 */
export function randomGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>>= 0;
  };
}
