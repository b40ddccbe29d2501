import type { Packet } from "../memory/packet.ts";
import { alignUp } from "../memory/regions.ts";

/** The most bytes of a part: what the processors' caches have room for, several times. */
const PART_BYTES_MAX = 65_536;
/** A short stream has about as many all the same: the other side waits for the first, this one for the last. */
const SHORT_PARTS = 4;
/** Parts share no line, unless the packet is too small for that. */
const LINE_BYTES = 64;
const LINE_WORDS = LINE_BYTES / 4;
/** Payloads begin at multiples of this: a copy between places that are not aligned alike goes byte by byte. */
const PAYLOAD_ALIGN_BYTES = 8;

/** The parts of a stream, and what a side does with each: in a place of the packet. */
export interface PartsWork {
  /** How many parts there are. */
  readonly count: number;
  /** How many may be under way: the packet has as many places, used in turn. */
  readonly window: number;
  /** Fills a part, or takes it. */
  use(packet: Packet, part: number): void;
}

/** How a stream is sent in parts: by which side, and through which packet. */
export interface PartsShape {
  /** 2, 4 or 8. */
  readonly window: number;
  readonly packetBytes: number;
  readonly isSending: boolean;
}

/**
 * The payloads of a stream as parts of one sequence of bytes, lane after lane. The packet is a ring of
 * places of equal size, whatever its lanes and the order of its words are. Each part is used once, in order.
 */
export class StreamParts implements PartsWork {
  readonly count: number;
  readonly window: number;
  readonly #partBytes: number;
  readonly #isSending: boolean;
  readonly #payloads: readonly Uint8Array[];
  /** Where the next part begins: the payload, and the byte of it. */
  #place = 0;
  #offset = 0;

  constructor(
    payloads: readonly (Uint8Array | undefined)[],
    { window, packetBytes, isSending }: PartsShape,
  ) {
    this.#payloads = payloads.filter((bytes): bytes is Uint8Array => !!bytes);
    this.#isSending = isSending;
    this.window = window;
    const totalBytes = this.#payloads.reduce((sum, { length }) => sum + aligned(length), 0);
    const placeBytes = packetBytes / window & -PAYLOAD_ALIGN_BYTES;
    const shareBytes = alignUp(Math.ceil(totalBytes / SHORT_PARTS), LINE_BYTES);
    this.#partBytes = Math.min(placeBytes, shareBytes, PART_BYTES_MAX);
    this.count = Math.ceil(totalBytes / this.#partBytes);
  }

  use({ uint8, uint32 }: Packet, part: number): void {
    const start = part % this.window * this.#partBytes;
    const end = this.#copy(uint8, start);
    if (!this.#isSending) release(uint32, start, end);
  }

  /** Copies the next part to or from its place; returns where its bytes end. */
  #copy(uint8: Uint8Array, start: number): number {
    let at = start;
    const end = at + this.#partBytes;
    while (at < end && this.#place < this.#payloads.length) {
      const bytes = this.#payloads[this.#place]!;
      const from = this.#offset;
      const to = Math.min(from + end - at, bytes.length);
      if (!this.#isSending) bytes.set(uint8.subarray(at, at + to - from), from);
      else uint8.set(to - from === bytes.length ? bytes : bytes.subarray(from, to), at);
      at += aligned(to - from);
      this.#offset = to;
      if (to < bytes.length) continue;
      this.#place++;
      this.#offset = 0;
    }
    return at;
  }
}

/**
 * Stores to each line that was read. The sender then finds the lines with one processor when it fills the
 * place again, where it would have to take them from two that share them.
 */
function release(uint32: Uint32Array, start: number, end: number): void {
  for (let word = start / 4; word < end / 4; word += LINE_WORDS) uint32[word] = 0;
}

function aligned(lengthBytes: number): number {
  return alignUp(lengthBytes, PAYLOAD_ALIGN_BYTES);
}
