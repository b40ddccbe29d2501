/** What a client sees of a slot that it has (W), by G and H. */
export const WaveState = {
  /** The page is the client's: to fill, or to give the slot up. */
  acquired: "acquired",
  posted: "posted",
  /** The page is the client's to read. */
  answered: "answered",
  /** G is clear again, H not yet. */
  ending: "ending",
} as const;
/** One of {@linkcode WaveState}. */
export type WaveState = typeof WaveState[keyof typeof WaveState];

/** What a server sees of a slot. */
export const HostState = {
  idle: "idle",
  /** The page is the server's that has the slot (T). */
  work: "work",
  answered: "answered",
  /** The client wants the slot no more: H has to be cleared. */
  ended: "ended",
} as const;
/** One of {@linkcode HostState}. */
export type HostState = typeof HostState[keyof typeof HostState];

/**
 * | G | H | client that has W |
 * | - | - | ----------------- |
 * | 0 | 0 | acquired          |
 * | 1 | 0 | posted            |
 * | 1 | 1 | answered          |
 * | 0 | 1 | ending            |
 */
export function waveState(gpu: boolean, host: boolean): WaveState {
  if (gpu) return host ? WaveState.answered : WaveState.posted;
  return host ? WaveState.ending : WaveState.acquired;
}

/**
 * | G | H | server   |
 * | - | - | -------- |
 * | 0 | 0 | idle     |
 * | 1 | 0 | work     |
 * | 1 | 1 | answered |
 * | 0 | 1 | ended    |
 */
export function hostState(gpu: boolean, host: boolean): HostState {
  if (gpu) return host ? HostState.answered : HostState.work;
  return host ? HostState.ended : HostState.idle;
}
