/** Where the packets of a channel are, whatever else its protocol has in memory. */
export interface PacketRegion {
  /** Lanes of a packet, 1 to 64. */
  readonly laneCount: number;
  /** The first word of the packet of port 0. */
  readonly packetsWord: number;
  /** Words of one port's packet. */
  readonly packetWords: number;
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

  #byte(index: number): number {
    const word = this.layout.packetsWord + index * this.layout.packetWords;
    return this.#memory.byteOffset + word * 4;
  }
}
