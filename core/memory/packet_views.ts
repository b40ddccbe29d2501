import type { ChannelLayout } from "../toggle/layout.ts";

/**
 * Typed views of each port's packet, made at first use and kept: a port that is used again
 * allocates nothing. A view ends where its packet ends, so no index reaches another port.
 */
export class PacketViews {
  readonly layout: ChannelLayout;
  readonly #memory: Int32Array;
  readonly #uint32: (Uint32Array | undefined)[] = [];
  readonly #float64: (Float64Array | undefined)[] = [];
  readonly #uint8: (Uint8Array | undefined)[] = [];

  constructor(memory: Int32Array, layout: ChannelLayout) {
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
