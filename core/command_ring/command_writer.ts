import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { CellState, cellState, readyWord } from "./cell_state.ts";
import { claimedCells, currentBuffer } from "./claim_word.ts";
import { CELL_BYTES, CELL_WORDS, COMMAND_HEADER_WORDS, type RingLayout } from "./layout.ts";

/** What became of a command. */
export type WriteResult = "sent" | "bufferFull" | "torn";

/** A command as a client gives it. */
export interface Command {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Where the result goes, or `NO_SLOT`. */
  readonly slot: number;
}

/** How many cells a command of so many bytes takes. */
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
   * Whether there seems to be room for a command. To be asked before each {@linkcode tryWrite}: it
   * keeps a full buffer's top from growing with every try, into the epoch.
   */
  hasRoom(bytes: Uint8Array): boolean {
    const { words, layout } = this.#channel;
    return claimedCells(words.load(layout.topWord)) + cellsOf(bytes.length) <= layout.cellCount;
  }

  /** Writes a command into the current buffer, if there is room. */
  tryWrite(command: Command): WriteResult {
    const { words, layout } = this.#channel;
    const count = cellsOf(command.bytes.length);
    // Sync: pairs with the host's exchange in CommandReader: cells and buffer are claimed in one step.
    // Asked one after the other, the host could swap between, and the cells be claimed in neither.
    const top = words.add(layout.topWord, count);
    const first = claimedCells(top);
    const buffer = currentBuffer(top) * layout.cellCount;
    if (first + count > layout.cellCount) return this.#overrun(buffer, first);
    this.#fill(buffer + first, command);
    return this.#publish(buffer + first, count);
  }

  /** Others have taken the room meanwhile: what is left of the buffer is passed over. */
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
    // Sync: publishes the command. Pairs with the host's load, which could else read half of it; and
    // with its giving up, so that the two agree whether it is served. The ring comes after it.
    const held = words.compareExchange(word, CellState.empty, readyWord(count));
    if (cellState(held) === CellState.torn) {
      this.#leave(cell, count);
      return "torn";
    }
    workBell.ring();
    return "sent";
  }

  /** Says of cells that nobody will write to them any more. */
  #leave(cell: number, count: number): void {
    const { words, layout, workBell } = this.#channel;
    for (let at = cell; at < cell + count; at++) {
      // Sync: after the last write to the cells. Pairs with the host's load, which hands them out again.
      words.store(layout.cellStateWord + at, CellState.left);
    }
    workBell.ring();
  }
}
