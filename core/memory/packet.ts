import { assert } from "./assert.ts";
import { fullMask, laneAfter, type LaneMask } from "./lane_mask.ts";
import { PacketViews } from "./packet_views.ts";
import { refusePromise, type SyncResult } from "./sync_result.ts";

/** Bytes of one lane in a packet: what LLVM libc's RPC and AMD's hostcall give a lane too. */
export const LANE_BYTES = 64;
/** Words of one lane in a packet. */
export const LANE_WORDS = LANE_BYTES / 4;

/** What a callback does with a packet, inside the call only: synchronously. */
export type PacketWork = (packet: Packet) => SyncResult;

/**
 * What a client does with the packet of a call, by name: two functions of one type in a row could be
 * swapped, and nothing would notice. May be made once and used for many calls.
 */
export interface CallWork {
  /** Writes what is sent. */
  readonly fill: PacketWork;
  /** Reads the reply. */
  readonly use: PacketWork;
}

/**
 * The packet of a port: 64 bytes for each lane, as 16 words or 8 doubles. Given to the callbacks
 * of `send` and `recv`, and valid inside them only: the object is used again for the next packet.
 *
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
 *
 * @example The same on the raw words, faster on a full wave
 * ```ts
 * import { LANE_WORDS, type Packet } from "./packet.ts";
 * function increment({ uint32 }: Packet): void {
 *   for (let word = 0; word < uint32.length; word += LANE_WORDS) uint32[word]! += 1;
 * }
 * ```
 */
export class Packet {
  /** Lanes that the channel has, 1 to 64. */
  readonly laneCount: number;
  #views: PacketViews;
  readonly #fullLo: number;
  readonly #fullHi: number;
  #index = -1;
  #uint32: Uint32Array;
  #lo = 0;
  #hi = 0;
  #isFull = false;
  #isMaskGood = false;
  #isDetached = false;

  /** @internal For ports, which point it at their packets. */
  constructor(views: PacketViews) {
    const full = fullMask(views.layout.laneCount);
    this.laneCount = views.layout.laneCount;
    this.#views = views;
    this.#fullLo = full.lo | 0;
    this.#fullHi = full.hi | 0;
    this.#uint32 = views.uint32(0);
  }

  /** @internal Points this object at a port's packet; for ports. */
  aim(index: number, lo: number, hi: number): void {
    if (index !== this.#index) {
      this.#index = index;
      this.#uint32 = this.#views.uint32(index);
    }
    if (lo !== this.#lo || hi !== this.#hi) this.#setMask(lo | 0, hi | 0);
  }

  /**
   * Points this object for good at memory of its own: for one whose callback turned out to be
   * asynchronous, so that what it writes later reaches no other call.
   *
   * @internal
   */
  detach(): void {
    const { laneCount, packetWords } = this.#views.layout;
    const memory = new Int32Array(packetWords);
    this.#views = new PacketViews(memory, { laneCount, packetWords, packetsWord: 0 });
    this.#index = 0;
    this.#uint32 = this.#views.uint32(0);
    this.#isDetached = true;
  }

  /** Whose packet this is, by the port's index. */
  get index(): number {
    return this.#index;
  }

  /** Whether this object has lost its port's memory; see {@linkcode detach}. */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /**
   * @internal Checks what a callback on this packet returned, unless that was nothing; a promise is refused, and
   * this object detached. The callers make the calls themselves: the compiler inlines a callback
   * where a call site sees one function only.
   */
  checkSync(result: unknown, what: string): void {
    try {
      refusePromise(result, what);
    } catch (error) {
      this.detach();
      throw error;
    }
  }

  #setMask(lo: number, hi: number): void {
    const beyond = (lo & ~this.#fullLo) | (hi & ~this.#fullHi);
    this.#lo = lo;
    this.#hi = hi;
    this.#isFull = lo === this.#fullLo && hi === this.#fullHi;
    this.#isMaskGood = beyond === 0 && (lo | hi) !== 0;
  }

  /** Whether the mask names a lane, and none that the channel does not have. */
  get isMaskGood(): boolean {
    return this.#isMaskGood;
  }

  /** The lanes that take part. Allocates. */
  get mask(): LaneMask {
    return { lo: this.#lo >>> 0, hi: this.#hi >>> 0 };
  }

  /** Whether all lanes take part. */
  get isFull(): boolean {
    return this.#isFull;
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
    for (let lane = this.firstLane; lane < this.laneCount; lane = this.nextLane(lane)) visit(lane);
  }

  /** The packet's words: lane `i` has words `16 * i` to `16 * i + 15`. For hot loops. */
  get uint32(): Uint32Array {
    return this.#uint32;
  }

  /** The packet as doubles: lane `i` has `8 * i` to `8 * i + 7`. */
  get float64(): Float64Array {
    return this.#views.float64(this.#index);
  }

  /** The packet as bytes: lane `i` has `64 * i` to `64 * i + 63`. */
  get uint8(): Uint8Array {
    return this.#views.uint8(this.#index);
  }

  /**
   * A word of a lane, unsigned.
   *
   * @throws {InvariantError} when the lane or the word (0 to 15) is out of range, as all below
   */
  getUint32(lane: number, word: number): number {
    return this.#uint32[this.#wordOf(lane, word)]!;
  }

  /** Writes a word of a lane, modulo 2 to the 32. */
  setUint32(lane: number, word: number, value: number): void {
    this.#uint32[this.#wordOf(lane, word)] = value;
  }

  /** A word of a lane, signed. */
  getInt32(lane: number, word: number): number {
    return this.getUint32(lane, word) | 0;
  }

  /** Writes a word of a lane, modulo 2 to the 32. */
  setInt32(lane: number, word: number, value: number): void {
    this.setUint32(lane, word, value);
  }

  /** A double of a lane; `double` counts 8-byte units, 0 to 7. */
  getFloat64(lane: number, double: number): number {
    return this.float64[this.#wordOf(lane, double * 2) / 2]!;
  }

  /** Writes a double of a lane; `double` counts 8-byte units, 0 to 7. */
  setFloat64(lane: number, double: number, value: number): void {
    this.float64[this.#wordOf(lane, double * 2) / 2] = value;
  }

  /** 64 bits of a lane, unsigned; `double` counts 8-byte units, 0 to 7. Allocates a bigint. */
  getBigUint64(lane: number, double: number): bigint {
    const lo = this.getUint32(lane, double * 2);
    return (BigInt(this.getUint32(lane, double * 2 + 1)) << 32n) | BigInt(lo);
  }

  /** Writes 64 bits of a lane, modulo 2 to the 64; `double` counts 8-byte units, 0 to 7. */
  setBigUint64(lane: number, double: number, value: bigint): void {
    this.setUint32(lane, double * 2, Number(value & 0xffffffffn));
    this.setUint32(lane, double * 2 + 1, Number((value >> 32n) & 0xffffffffn));
  }

  /** The 64 bytes of a lane, as a view. Allocates. */
  laneBytes(lane: number): Uint8Array {
    const byte = this.#wordOf(lane, 0) * 4;
    return this.uint8.subarray(byte, byte + LANE_BYTES);
  }

  #wordOf(lane: number, word: number): number {
    assert((lane >>> 0) < this.laneCount, "the lane is below the channel's lane count");
    assert((word >>> 0) < LANE_WORDS, "the word is below the words of a lane");
    return lane * LANE_WORDS + word;
  }
}
