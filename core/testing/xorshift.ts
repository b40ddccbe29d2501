/** Pseudo-random u32 numbers, the same ones for the same seed; the seed is not 0. */
export function xorshift(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>>= 0;
  };
}
