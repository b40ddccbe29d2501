import { type ColumnCode, columnCode, PacketColumn } from "./columns/packet_column.ts";

/**
 * The order of a packet's words in memory. `lane-major`: all words of lane 0, then all of lane 1, as in
 * every ancestor of the protocol. `word-major`: word 0 of all lanes, then word 1 of all lanes, which is
 * called coalesced on a GPU: code that uses one word of each lane touches few cache lines. The index in
 * this list is wire format.
 */
export const PACKET_LAYOUTS = ["lane-major", "word-major"] as const;
/** One of {@linkcode PACKET_LAYOUTS}. */
export type PacketLayout = typeof PACKET_LAYOUTS[number];

/** The region of a channel's packets. */
export interface PacketRegion {
  /** Lanes of a packet, 1 to 64. */
  readonly laneCount: number;
  /** The first word of the packet of port 0. */
  readonly packetsWord: number;
  /** Words of one port's packet; a lane has `packetWords / laneCount` of them. */
  readonly packetWords: number;
  /** Words from one port's packet to the next: `packetWords` when absent. */
  readonly packetStride?: number;
  /** `lane-major` when absent. */
  readonly packetLayout?: PacketLayout;
}

/** Distances between neighbours in a packet, in words. */
export interface PacketStrides {
  /** From a lane's word to the same word of the next lane. */
  readonly laneStride: number;
  /** From a lane's word to its next word. */
  readonly wordStride: number;
}

/** The strides of a packet: word `w` of lane `i` is word `i * laneStride + w * wordStride`. */
export function packetStrides(
  { laneCount, packetWords, packetLayout }: PacketRegion,
): PacketStrides {
  return packetLayout === "word-major"
    ? { laneStride: 1, wordStride: laneCount }
    : { laneStride: packetWords / laneCount, wordStride: 1 };
}

/**
 * Typed views of each port's packet, made at first use and kept, so that a port which is used again
 * allocates nothing. A view ends where its packet ends: no index reaches another port.
 */
export class PacketViews {
  readonly layout: PacketRegion;
  readonly #memory: Int32Array;
  readonly #uint32: (Uint32Array | undefined)[] = [];
  readonly #float64: (Float64Array | undefined)[] = [];
  readonly #uint8: (Uint8Array | undefined)[] = [];
  readonly #columns: (PacketColumn | undefined)[] = [];
  readonly #wasmMemory: WebAssembly.Memory | undefined;
  #columnCode: ColumnCode | undefined;

  /** @param wasmMemory the same memory as WebAssembly knows it, if it does */
  constructor(memory: Int32Array, layout: PacketRegion, wasmMemory?: WebAssembly.Memory) {
    this.layout = layout;
    this.#memory = memory;
    this.#wasmMemory = wasmMemory;
  }

  uint32(index: number): Uint32Array {
    return this.#uint32[index] ??= new Uint32Array(
      this.#memory.buffer,
      this.#byte(index),
      this.layout.packetWords,
    );
  }

  float64(index: number): Float64Array {
    return this.#float64[index] ??= new Float64Array(
      this.#memory.buffer,
      this.#byte(index),
      this.layout.packetWords / 2,
    );
  }

  uint8(index: number): Uint8Array {
    return this.#uint8[index] ??= new Uint8Array(
      this.#memory.buffer,
      this.#byte(index),
      this.layout.packetWords * 4,
    );
  }

  /** A column of a word-major packet: `laneCount` words of a port's packet, from `word` on. */
  column(index: number, word: number): PacketColumn {
    return this.#columns[index * this.layout.packetWords + word] ??= this.#newColumn(index, word);
  }

  #newColumn(index: number, word: number): PacketColumn {
    this.#columnCode ??= this.#wasmMemory && columnCode(this.#wasmMemory);
    const words = this.uint32(index).subarray(word, word + this.layout.laneCount);
    return new PacketColumn(words, this.#columnCode);
  }

  #byte(index: number): number {
    const { packetsWord, packetWords, packetStride = packetWords } = this.layout;
    const word = packetsWord + index * packetStride;
    return this.#memory.byteOffset + word * 4;
  }
}
