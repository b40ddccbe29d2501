/**
 * The top of the ring is one word. Its low 22 bits count the claimed cells of the current buffer. The bits
 * above are the epoch, which counts swaps; its lowest bit names the current buffer. One fetch-add claims
 * cells and returns the epoch, so that a client cannot claim in one buffer and write to the other.
 *
 * A claim that finds the buffer full is counted too, with up to `COMMAND_CELLS_MAX` cells. Each thread
 * looks before it adds, so it takes 2 000 threads at once to reach the epoch.
 */
const OFFSET_BITS = 22;
const OFFSET_MASK = (1 << OFFSET_BITS) - 1;

/** The number of cells that were claimed; more than the buffer has when it is full. */
export function claimedCells(top: number): number {
  return top & OFFSET_MASK;
}

/** Which of the two buffers is current. */
export function currentBuffer(top: number): 0 | 1 {
  return (top >>> OFFSET_BITS & 1) as 0 | 1;
}

/** The top after a swap: the other buffer, with no cell claimed. */
export function swappedTop(top: number): number {
  return ((top >>> OFFSET_BITS) + 1) << OFFSET_BITS;
}

/** The low two bits of a cell's state word. With `ready`, the bits above count the command's cells. */
export const CellState = {
  /** Not claimed, or still being written. */
  empty: 0,
  /** A complete command begins here. */
  ready: 1,
  /** Its writer is done without a command: the buffer was full, or it saw that it was torn. */
  left: 2,
  /** The host has given up the writer, which may still be writing. */
  torn: 3,
} as const;
/** One of {@linkcode CellState}. */
export type CellState = typeof CellState[keyof typeof CellState];

/** The state word of a complete command of this many cells. */
export function readyWord(cellCount: number): number {
  return cellCount << 2 | CellState.ready;
}

export function cellState(word: number): CellState {
  return (word & 3) as CellState;
}

/** The number of cells in a `ready` word, which the other side may have written. */
export function readyCells(word: number): number {
  return word >>> 2;
}
