/**
 * The top of the ring in one word: in the low 22 bits how many cells of the current buffer were
 * claimed, above them the epoch, a count of swaps whose lowest bit says which buffer is current. One
 * fetch-add claims cells and tells in which epoch: a client cannot claim in one buffer and write to
 * the other, whenever the host swaps.
 *
 * Claims that find the buffer full count on, up to `COMMAND_CELLS_MAX` for each thread, because it
 * looks before it adds: 2 000 threads at once do not reach the epoch.
 */
const OFFSET_BITS = 22;
const OFFSET_MASK = (1 << OFFSET_BITS) - 1;

/** How many cells were claimed; beyond the buffer's end when it is full. */
export function claimedCells(top: number): number {
  return top & OFFSET_MASK;
}

/** Which of the two buffers is current. */
export function currentBuffer(top: number): 0 | 1 {
  return (top >>> OFFSET_BITS & 1) as 0 | 1;
}

/** The top after a swap: the other buffer, of which nothing is claimed. */
export function swappedTop(top: number): number {
  return ((top >>> OFFSET_BITS) + 1) << OFFSET_BITS;
}
