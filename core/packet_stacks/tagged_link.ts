/** In place of a link: there is no packet. */
export const NO_LINK = 0;

/**
 * How a stack names a packet in one word: its index in the low bits, plus 1 so that 0 is none, and
 * above it how often the packet was freed, its tag. Two links to a packet differ if it was freed
 * in between, until the tag has gone round: after 2 to the power of `tagBits` times, at least 131 072.
 */
export class TaggedLinks {
  readonly #packetCount: number;
  readonly #indexBits: number;

  /** @param packetCount 1 to 16384 */
  constructor(packetCount: number) {
    this.#packetCount = packetCount;
    this.#indexBits = 32 - Math.clz32(packetCount);
  }

  /** How many bits there are for tags: 17 for 16384 packets, 31 for one. */
  get tagBits(): number {
    return 32 - this.#indexBits;
  }

  /** The link to a packet that was freed so often; higher bits of the tag are dropped. */
  link(index: number, tag: number): number {
    return tag << this.#indexBits | (index + 1);
  }

  /** The packet that a link names; `undefined` for none, and for what is no link of this channel. */
  indexOf(link: number): number | undefined {
    const place = link & (1 << this.#indexBits) - 1;
    return place === 0 || place > this.#packetCount ? undefined : place - 1;
  }
}
