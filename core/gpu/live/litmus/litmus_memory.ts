/**
 * Where a round of a litmus test has its words, each region on lines of its own:
 *
 * | region  | words                       | who writes                      |
 * | ------- | --------------------------- | ------------------------------- |
 * | control | 128                         | see {@linkcode LitmusWord}      |
 * | stress  | `STRESS_LINES` lines        | both, to be in each other's way |
 * | x, y    | 16 for each instance        | both, as the test says          |
 * | results | `laneCount` for each result | the wave                        |
 */
export const LitmusWord = {
  /** Not 0: the wave waits no more. The host writes it. */
  stop: 0,
  /** How many starts the wave has come to, and 1 more when it has played them all. */
  progress: 16,
  /** How many starts the host has given. */
  started: 32,
  /** How many turns waves have had that only stress the memory. */
  stressTurns: 48,
  /** How many words lie between two instances, and the seed of the round: the host writes them before. */
  ...{ stride: 64, seed: 65 },
} as const;

/** Instances of a test in one dispatch. */
export const INSTANCES = 1024;
/** Instances that the wave has from one start to the next. */
export const TURNS = 4;
/** Lanes of a wave whose lanes all write. */
export const VECTOR_LANES = 16;
const LINE_WORDS = 16;
export const STRESS_LINES = 64;
/** Turns without another start after which a wave leaves that stresses the memory: some 20 ms on a processor. */
export const STRESS_IDLE = 1 << 17;
export const STRESS_WORD = 128;
export const X_WORD = STRESS_WORD + STRESS_LINES * LINE_WORDS;
export const Y_WORD = X_WORD + INSTANCES * LINE_WORDS;
export const RESULTS_WORD = Y_WORD + INSTANCES * LINE_WORDS;

/** Distances of instances that rounds have in turn: sixteen, four or one of them to a line of the cache. */
export const STRIDES: readonly number[] = [1, 4, LINE_WORDS];

/**
 * Two primes: instance `n` has its `x` at place `n * X_PRIME`, and its `y` at `n * Y_PRIME`, of as many
 * places as there are instances. So neighbours of an `x` are not those of its `y`.
 */
export const X_PRIME = 419;
export const Y_PRIME = 577;

/** Where an instance has its `x`, as many `stride`s behind the first. */
export function placeOf(instance: number, prime: number): number {
  return (instance * prime) % INSTANCES;
}

/** A number that looks random, of another: of 32 bits, as the waves have it. */
export function scrambled(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return (state ^ (state >>> 16)) >>> 0;
}

/** How long a side tarries behind a start: 0 to 127, short ones oftener. */
export function tarryTurns(random: number): number {
  return (random >>> 8) & ((1 << (random & 7)) - 1);
}
