/** What stands in the state word of a cell: the low two bits; above them, of `ready`, its cells. */
export const CellState = {
  /** Not claimed, or its writer is not done. */
  empty: 0,
  /** A command begins here and is complete. */
  ready: 1,
  /** Its writer will write no more: the buffer was full, or the writer saw that it was torn. */
  left: 2,
  /** The host has given the writer up, which may be writing still. */
  torn: 3,
} as const;
/** One of {@linkcode CellState}. */
export type CellState = typeof CellState[keyof typeof CellState];

/** A cell's state word. */
export function readyWord(cellCount: number): number {
  return cellCount << 2 | CellState.ready;
}

/** What a state word says. */
export function cellState(word: number): CellState {
  return (word & 3) as CellState;
}

/** How many cells a `ready` word says that its command has: the other side's word. */
export function readyCells(word: number): number {
  return word >>> 2;
}
