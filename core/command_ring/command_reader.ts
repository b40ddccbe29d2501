import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { CellState, cellState, readyCells } from "./ring_words.ts";
import { claimedCells, currentBuffer, swappedTop } from "./ring_words.ts";
import { CELL_BYTES, CELL_WORDS, COMMAND_HEADER_WORDS, type RingLayout } from "./layout.ts";

/** A command as it stood in the buffer. Its slot and id are not checked yet. */
export interface ReadCommand {
  readonly id: number;
  /** A copy. */
  readonly bytes: Uint8Array;
  readonly slot: number;
}

/**
 * The host's half of the command buffers: drains one while clients write to the other. There must be only
 * one host. Bounded.
 */
export class CommandReader {
  readonly #channel: PacketChannel<RingLayout>;
  /** The first cell of the buffer that is drained. */
  #buffer = 0;
  /** Where the next command begins, and where the buffer ends: cells from its first. */
  #at = 0;
  #end = 0;
  /** Whether the host has given up writers in this buffer. */
  #hasTorn = false;

  constructor(channel: PacketChannel<RingLayout>) {
    this.#channel = channel;
  }

  /** The next command; `undefined` when there is none, or it is still being written. */
  tryRead(): ReadCommand | undefined {
    // Until a buffer is found empty: when one ends with cells that were left, the other may have work.
    while (this.#at < this.#end || this.#trySwap()) {
      // Sync: pairs with the writer's compare-exchange: seeing it makes the command visible.
      const state = this.#channel.words.load(this.#stateWord(this.#at));
      if (cellState(state) === CellState.ready) return this.#read(state);
      if (cellState(state) !== CellState.left) return undefined;
      this.#pass(1);
    }
    return undefined;
  }

  /**
   * Gives up on all commands before the next complete one. Writers that finish later find theirs torn. The
   * buffer is reused after they have all confirmed that.
   *
   * @returns the number of cells that were given up
   */
  tear(): number {
    let count = 0;
    while (this.#at < this.#end) {
      const word = this.#stateWord(this.#at);
      // Sync: pairs with the writer's compare-exchange: one of the two is first, and both learn which.
      const held = this.#channel.words.compareExchange(word, CellState.empty, CellState.torn);
      if (held !== CellState.empty) break;
      this.#hasTorn = true;
      this.#at++;
      count++;
    }
    return count;
  }

  /** Takes the other buffer if there are commands in it and this one may be written to again. */
  #trySwap(): boolean {
    const { words, layout, freeBell } = this.#channel;
    const seen = words.load(layout.topWord);
    if (claimedCells(seen) === 0 || !this.#tryClean()) return false;
    // Sync: pairs with the writers' add. Earlier claims are in the returned value, later ones go to the
    // other buffer. With a load and a store, a claim between them would be lost. Only we swap, so the
    // epoch is still the one that we saw.
    const top = words.exchange(layout.topWord, swappedTop(seen));
    this.#buffer = currentBuffer(top) * layout.cellCount;
    this.#at = 0;
    this.#end = Math.min(claimedCells(top), layout.cellCount);
    freeBell.ring();
    return true;
  }

  /** Whether every writer that was given up in the drained buffer has confirmed that it is done. */
  #tryClean(): boolean {
    if (!this.#hasTorn) return true;
    const { words } = this.#channel;
    for (let at = 0; at < this.#end; at++) {
      if (cellState(words.load(this.#stateWord(at))) === CellState.torn) return false;
    }
    for (let at = 0; at < this.#end; at++) words.store(this.#stateWord(at), CellState.empty);
    this.#hasTorn = false;
    return true;
  }

  #read(state: number): ReadCommand {
    const { words: { plain }, layout } = this.#channel;
    // Counts from the other side are limited to the cells that are left, and to their bytes.
    const count = Math.min(Math.max(readyCells(state), 1), this.#end - this.#at);
    const word = layout.cellsWord + (this.#buffer + this.#at) * CELL_WORDS;
    const room = count * CELL_BYTES - COMMAND_HEADER_WORDS * 4;
    const [id, byteCount, slot] = [plain[word]!, plain[word + 1]!, plain[word + 2]!];
    const byte = plain.byteOffset + (word + COMMAND_HEADER_WORDS) * 4;
    const bytes = new Uint8Array(plain.buffer, byte, Math.min(byteCount >>> 0, room)).slice();
    this.#pass(count);
    return { id, bytes, slot };
  }

  #pass(count: number): void {
    // Only the state of the first cell was set. Writers see this when the buffer is current again, after
    // our own exchange.
    this.#channel.words.store(this.#stateWord(this.#at), CellState.empty);
    this.#at += count;
  }

  #stateWord(at: number): number {
    return this.#channel.layout.cellStateWord + this.#buffer + at;
  }
}
