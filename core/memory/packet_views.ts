/**
 * How the words of a packet lie in memory. `lane-major`: all words of lane 0, then all of lane 1, as in
 * every ancestor of the protocol. `word-major`: word 0 of all lanes, then word 1 of all lanes, which a
 * GPU calls coalesced: what uses one word of each lane touches few cache lines. Wire format: the place
 * in this list.
 */
export const PACKET_LAYOUTS = ["lane-major", "word-major"] as const;
/** One of {@linkcode PACKET_LAYOUTS}. */
export type PacketLayout = typeof PACKET_LAYOUTS[number];

/** Where the packets of a channel are, whatever else its protocol has in memory. */
export interface PacketRegion {
  /** Lanes of a packet, 1 to 64. */
  readonly laneCount: number;
  /** The first word of the packet of port 0. */
  readonly packetsWord: number;
  /** Words of one port's packet: those of a lane are `packetWords / laneCount`. */
  readonly packetWords: number;
  /** `lane-major` when absent. */
  readonly packetLayout?: PacketLayout;
}

/** How far apart neighbours are in a packet, in words. */
export interface PacketStrides {
  /** From a lane's word to the same word of the next lane. */
  readonly laneStride: number;
  /** From a lane's word to its next word. */
  readonly wordStride: number;
}

/**
 * Word `w` of lane `i` is word `i * laneStride + w * wordStride` of its packet.
 *
 * @example
 * ```ts
 * import { packetStrides } from "./packet_views.ts";
 * const shape = { laneCount: 32, packetWords: 32 * 16, packetsWord: 0 };
 * const { laneStride } = packetStrides({ ...shape, packetLayout: "word-major" });
 * if (laneStride !== 1) throw new Error("the same word of all lanes is side by side");
 * ```
 */
export function packetStrides(
  { laneCount, packetWords, packetLayout }: PacketRegion,
): PacketStrides {
  return packetLayout === "word-major"
    ? { laneStride: 1, wordStride: laneCount }
    : { laneStride: packetWords / laneCount, wordStride: 1 };
}

/**
 * Typed views of each port's packet, made at first use and kept: a port that is used again
 * allocates nothing. A view ends where its packet ends, so no index reaches another port.
 */
export class PacketViews {
  readonly layout: PacketRegion;
  readonly #memory: Int32Array;
  readonly #uint32: (Uint32Array | undefined)[] = [];
  readonly #float64: (Float64Array | undefined)[] = [];
  readonly #uint8: (Uint8Array | undefined)[] = [];
  readonly #columns: (Uint32Array | undefined)[] = [];

  constructor(memory: Int32Array, layout: PacketRegion) {
    this.layout = layout;
    this.#memory = memory;
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

  /** The `laneCount` words from `word` of a port's packet on: a column of a word-major packet. */
  column(index: number, word: number): Uint32Array {
    const { laneCount, packetWords } = this.layout;
    return this.#columns[index * packetWords + word] ??= this.uint32(index)
      .subarray(word, word + laneCount);
  }

  #byte(index: number): number {
    const word = this.layout.packetsWord + index * this.layout.packetWords;
    return this.#memory.byteOffset + word * 4;
  }
}
