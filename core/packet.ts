import { assert } from "./assert.ts";
import { type ChannelLayout, LANE_BYTES, LANE_WORDS } from "./layout.ts";
import { fullMask, laneAfter, type LaneMask } from "./lane_mask.ts";

/** The views that packets of one buffer share. */
export class PacketViews {
  readonly layout: ChannelLayout;
  readonly int32: Int32Array;
  readonly uint32: Uint32Array;
  readonly float64: Float64Array;
  readonly uint64: BigUint64Array;
  readonly uint8: Uint8Array;

  constructor(plain: Int32Array, layout: ChannelLayout) {
    const { buffer, byteOffset } = plain;
    this.layout = layout;
    this.int32 = plain;
    this.uint32 = new Uint32Array(buffer, byteOffset, layout.totalBytes / 4);
    this.float64 = new Float64Array(buffer, byteOffset, layout.totalBytes / 8);
    this.uint64 = new BigUint64Array(buffer, byteOffset, layout.totalBytes / 8);
    this.uint8 = new Uint8Array(buffer, byteOffset, layout.totalBytes);
  }
}

/**
 * The packet of a port: 64 bytes for each lane, as 16 words or 8 doubles. Given to the callbacks
 * of `send` and `recv`, and valid inside them only: the object is used again for the next packet.
 *
 * Every access checks its lane and word, because one word further lies another port's packet.
 * Lanes outside the mask hold bytes of earlier calls; do not read them.
 *
 * @example Visiting the lanes that take part, without allocating
 * ```ts
 * import type { Packet } from "./packet.ts";
 * function increment(packet: Packet): void {
 *   for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
 *     packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1);
 *   }
 * }
 * ```
 */
export class Packet {
  readonly #views: PacketViews;
  readonly #uint32: Uint32Array;
  readonly #laneCount: number;
  #baseWord = 0;
  #lo = 0;
  #hi = 0;
  #isFull = false;
  readonly #beyondLo: number;
  readonly #beyondHi: number;

  constructor(views: PacketViews) {
    const full = fullMask(views.layout.laneCount);
    this.#beyondLo = ~full.lo;
    this.#beyondHi = ~full.hi;
    this.#views = views;
    this.#uint32 = views.uint32;
    this.#laneCount = views.layout.laneCount;
  }

  /** Points this object at a port's packet; for ports. */
  aim(index: number, lo: number, hi: number): void {
    const { packetsWord, packetWords } = this.#views.layout;
    this.#baseWord = packetsWord + index * packetWords;
    this.#lo = lo;
    this.#hi = hi;
    this.#isFull = laneAfter(~lo, ~hi, -1) >= this.#laneCount;
  }

  /** Lanes that the channel has, 1 to 64. */
  get laneCount(): number {
    return this.#laneCount;
  }

  /** Whether the mask names a lane, and none that the channel does not have. */
  get isMaskGood(): boolean {
    const beyond = (this.#lo & this.#beyondLo) | (this.#hi & this.#beyondHi);
    return beyond === 0 && (this.#lo | this.#hi) !== 0;
  }

  /** The lanes that take part. Allocates. */
  get mask(): LaneMask {
    return { lo: this.#lo >>> 0, hi: this.#hi >>> 0 };
  }

  /** The first lane that takes part. */
  get firstLane(): number {
    return this.#isFull ? 0 : laneAfter(this.#lo, this.#hi, -1);
  }

  /** The next lane that takes part after `lane`; `laneCount` or more when there is none. */
  nextLane(lane: number): number {
    return this.#isFull ? lane + 1 : laneAfter(this.#lo, this.#hi, lane);
  }

  /** Calls `visit` for each lane that takes part, in ascending order. */
  forEachLane(visit: (lane: number) => void): void {
    for (let lane = this.firstLane; lane < this.#laneCount; lane = this.nextLane(lane)) visit(lane);
  }

  /** @throws {InvariantError} when the lane or the word (0 to 15) is out of range, as all below */
  getUint32(lane: number, word: number): number {
    return this.#uint32[this.#wordOf(lane, word)]!;
  }

  setUint32(lane: number, word: number, value: number): void {
    this.#uint32[this.#wordOf(lane, word)] = value;
  }

  getInt32(lane: number, word: number): number {
    return this.#views.int32[this.#wordOf(lane, word)]!;
  }

  setInt32(lane: number, word: number, value: number): void {
    this.#views.int32[this.#wordOf(lane, word)] = value;
  }

  /** `double` counts 8-byte units, 0 to 7. */
  getFloat64(lane: number, double: number): number {
    return this.#views.float64[this.#wordOf(lane, double * 2) / 2]!;
  }

  setFloat64(lane: number, double: number, value: number): void {
    this.#views.float64[this.#wordOf(lane, double * 2) / 2] = value;
  }

  /** `double` counts 8-byte units, 0 to 7. Allocates a bigint. */
  getBigUint64(lane: number, double: number): bigint {
    return this.#views.uint64[this.#wordOf(lane, double * 2) / 2]!;
  }

  setBigUint64(lane: number, double: number, value: bigint): void {
    this.#views.uint64[this.#wordOf(lane, double * 2) / 2] = value;
  }

  /** The 64 bytes of a lane, as a view. Allocates. */
  laneBytes(lane: number): Uint8Array {
    const byte = this.#wordOf(lane, 0) * 4;
    return this.#views.uint8.subarray(byte, byte + LANE_BYTES);
  }

  /** The bytes of the whole packet, as a view: `laneCount` x 64. Allocates. */
  allBytes(): Uint8Array {
    const byte = this.#baseWord * 4;
    return this.#views.uint8.subarray(byte, byte + this.#laneCount * LANE_BYTES);
  }

  #wordOf(lane: number, word: number): number {
    assert((lane >>> 0) < this.#laneCount, "the lane is below the channel's lane count");
    assert((word >>> 0) < LANE_WORDS, "the word is below the words of a lane");
    return this.#baseWord + lane * LANE_WORDS + word;
  }
}
