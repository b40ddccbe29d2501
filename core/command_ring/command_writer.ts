import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { CellState, cellState, claimedCells, currentBuffer, readyWord } from "./ring_words.ts";
import { CELL_BYTES, CELL_WORDS, COMMAND_HEADER_WORDS, type RingLayout } from "./layout.ts";

/** The outcome of writing a command. */
export type WriteResult = "sent" | "bufferFull" | "torn";

/** A command as a client gives it. */
export interface Command {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** The slot for the result, or `NO_SLOT`. */
  readonly slot: number;
}

/** The number of cells of a command with this many bytes. */
export function cellsOf(byteCount: number): number {
  return Math.ceil((COMMAND_HEADER_WORDS * 4 + byteCount) / CELL_BYTES);
}

/** The client's half of the command buffers. Bounded. */
export class CommandWriter {
  readonly #channel: PacketChannel<RingLayout>;

  constructor(channel: PacketChannel<RingLayout>) {
    this.#channel = channel;
  }

  /**
   * Whether there seems to be room for a command. Ask before each {@linkcode tryWrite}, or the top of a
   * full buffer would grow with every attempt, until it reached the epoch.
   */
  hasRoom(bytes: Uint8Array): boolean {
    const { words, layout } = this.#channel;
    return claimedCells(words.load(layout.topWord)) + cellsOf(bytes.length) <= layout.cellCount;
  }

  /** Writes a command into the current buffer, if there is room. */
  tryWrite(command: Command): WriteResult {
    const { words, layout } = this.#channel;
    const count = cellsOf(command.bytes.length);
    // Sync: pairs with the host's exchange in CommandReader: one step claims cells and names the buffer. In
    // two steps, the host could swap in between, and the cells would be claimed in neither buffer.
    const top = words.add(layout.topWord, count);
    const first = claimedCells(top);
    const buffer = currentBuffer(top) * layout.cellCount;
    if (first + count > layout.cellCount) return this.#overrun(buffer, first);
    this.#fill(buffer + first, command);
    return this.#publish(buffer + first, count);
  }

  /** Others have taken the room meanwhile: the host skips the rest of the buffer. */
  #overrun(buffer: number, first: number): "bufferFull" {
    const { cellCount } = this.#channel.layout;
    this.#leave(buffer + first, cellCount - first);
    return "bufferFull";
  }

  #fill(cell: number, { id, bytes, slot }: Command): void {
    const { plain } = this.#channel.words;
    const word = this.#channel.layout.cellsWord + cell * CELL_WORDS;
    plain[word] = id;
    plain[word + 1] = bytes.length;
    plain[word + 2] = slot;
    const byte = plain.byteOffset + (word + COMMAND_HEADER_WORDS) * 4;
    new Uint8Array(plain.buffer, byte, bytes.length).set(bytes);
  }

  #publish(cell: number, count: number): WriteResult {
    const { words, layout, workBell } = this.#channel;
    const word = layout.cellStateWord + cell;
    // Sync: publishes the command. Pairs with the host's load, which could otherwise read half of it, and
    // with tear(): the two agree whether it is served. The ring comes last.
    const held = words.compareExchange(word, CellState.empty, readyWord(count));
    if (cellState(held) === CellState.torn) {
      this.#leave(cell, count);
      return "torn";
    }
    workBell.ring();
    return "sent";
  }

  /** Marks cells to which this writer will write no more. */
  #leave(cell: number, count: number): void {
    const { words, layout, workBell } = this.#channel;
    for (let at = cell; at < cell + count; at++) {
      // Sync: after the last write to the cells. Pairs with the host's load, after which it reuses them.
      words.store(layout.cellStateWord + at, CellState.left);
    }
    workBell.ring();
  }
}
