import { checkCount, Regions } from "../memory/regions.ts";
import { type PacketMemory, takePackets } from "../one_packet/packet_channel.ts";

/** Bytes of a cell, the unit in which commands take room in a buffer. */
export const CELL_BYTES = 64;
/** Words of a cell. */
export const CELL_WORDS = CELL_BYTES / 4;
/** Words before a command's bytes: its id, the number of its bytes, its return slot. */
export const COMMAND_HEADER_WORDS = 4;
/** The largest number of cells of one buffer. */
export const CELL_COUNT_MAX = 16384;
/** The largest number of cells of one command: 128 KiB. */
export const COMMAND_CELLS_MAX = 2048;
/** The largest number of names. */
export const NAME_COUNT_MAX = 64;
/** Words of a name: 64 bytes of UTF-8. */
export const NAME_WORDS = 16;

/** How large a ring is. */
export interface RingShape {
  /** Return slots, 1 to 16384. Each call under way takes one. */
  readonly slotCount: number;
  /** Cells of 64 bytes in each of the two buffers, 1 to 16384. */
  readonly cellCount: number;
}

/**
 * Every offset and size of a command ring, in words from the start of the buffer. Frozen, and the same in
 * every isolate for the same shape. A return slot has a state, a header for its status and a packet of
 * one lane for its result, in the regions that every channel of packets has.
 *
 * ```text
 * top         1 word                     clients add; the host exchanges it: see `ring_words.ts`
 * nameCount   1 word                     the host
 * names       64 x 64 B                  the host
 * cellState   2 x cellCount x u32        clients, the host: see `CellState`
 * cells       2 x cellCount x 64 B       the client that claimed the cell, then the host
 * slotState   slotCount x u32            clients, the host: see `SlotState`
 * control     128 words                  see `ControlWord`
 * parked      slotCount x u32            client sets it, its waker clears it
 * headers     slotCount x 16 B           the host, while the slot is pending: the status
 * packets     slotCount x 64 B           the host, while the slot is pending: the result
 * ```
 */
export interface RingLayout extends PacketMemory, RingShape {
  readonly topWord: number;
  readonly nameCountWord: number;
  readonly namesWord: number;
  readonly cellStateWord: number;
  readonly cellsWord: number;
  readonly slotStateWord: number;
}

/**
 * Lays out a ring.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 */
export function ringLayout({ slotCount, cellCount }: RingShape): RingLayout {
  checkCount("slotCount", slotCount, CELL_COUNT_MAX);
  checkCount("cellCount", cellCount, CELL_COUNT_MAX);
  const regions = new Regions();
  return Object.freeze({
    slotCount,
    cellCount,
    topWord: regions.take(1),
    nameCountWord: regions.take(1),
    namesWord: regions.take(NAME_COUNT_MAX * NAME_WORDS),
    cellStateWord: regions.take(2 * cellCount),
    cellsWord: regions.take(2 * cellCount * CELL_WORDS),
    slotStateWord: regions.take(slotCount),
    ...takePackets(regions, { packetCount: slotCount, laneCount: 1 }),
  });
}
