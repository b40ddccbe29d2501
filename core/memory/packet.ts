import { assert } from "./assert.ts";
import { readLaneBytes, writeLaneBytes } from "./lane_bytes.ts";
import { fullMask, laneAfter, type LaneMask } from "./lane_mask.ts";
import { type PacketLayout, packetStrides, PacketViews } from "./packet_views.ts";
import type { PacketColumn } from "./columns/packet_column.ts";
import { refusePromise, type SyncResult } from "./sync_result.ts";

/**
 * Bytes of one lane in a packet, unless the channel has others: as in LLVM libc's RPC and AMD's hostcall.
 */
export const LANE_BYTES = 64;
/** Words of one lane in a packet, unless the channel has others. */
export const LANE_WORDS = LANE_BYTES / 4;

/** Converts a double from and to two words. */
const DOUBLE = new Float64Array(1);
const DOUBLE_WORDS = new Uint32Array(DOUBLE.buffer);

/** A synchronous callback on a packet, which is valid inside it only. */
export type PacketWork = (packet: Packet) => SyncResult;

/**
 * The callbacks of a call. They have names because two functions of the same type in a row could be swapped
 * unnoticed. One object may be used for many calls.
 */
export interface CallWork {
  /** Writes the request. */
  readonly fill: PacketWork;
  /** Reads the reply. */
  readonly use: PacketWork;
}

/**
 * The packet of a port: for each lane `laneWords` words of 4 bytes (16 unless the channel has others), two
 * of which make a double. It is passed to the callbacks of `send` and `recv`, and valid inside them only:
 * the object is reused for the next packet.
 *
 * Lanes outside the mask hold bytes of earlier calls; do not read them. All accessors of a lane see the same
 * bytes, with either `packetLayout` of the channel. In a `word-major` packet the two words of a double lie
 * apart, so that writing one touches no other lane.
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
 * @example The same on the raw words of either layout, faster on a full wave
 * ```ts
 * import type { Packet } from "./packet.ts";
 * function increment({ uint32, laneCount, laneStride }: Packet): void {
 *   for (let word = 0; word < laneCount * laneStride; word += laneStride) uint32[word]! += 1;
 * }
 * ```
 *
 * @example The same on a column, on a `word-major` channel only
 * ```ts
 * import type { Packet } from "./packet.ts";
 * function increment(packet: Packet): void {
 *   const values = packet.column(0);
 *   for (let lane = 0; lane < values.length; lane++) values[lane]! += 1;
 * }
 * ```
 */
export class Packet {
  /** The number of the channel's lanes, 1 to 64. */
  readonly laneCount: number;
  /** The number of words of each lane: 16 to 16384, a multiple of 16. */
  readonly laneWords: number;
  /** Words from a lane's word to the same word of the next lane; 1 in a `word-major` packet. */
  readonly laneStride: number;
  /** Words from a lane's word to its next word; 1 in a `lane-major` packet. */
  readonly wordStride: number;
  #views: PacketViews;
  #index = -1;
  #uint32: Uint32Array;

  readonly #fullLo: number;
  readonly #fullHi: number;
  #lo = 0;
  #hi = 0;
  #isFull = false;
  #isMaskGood = false;
  #isDetached = false;

  /** @internal For ports, which point it at their packets. */
  constructor(views: PacketViews) {
    const { laneCount, packetWords } = views.layout;
    const { laneStride, wordStride } = packetStrides(views.layout);
    this.laneCount = laneCount;
    this.laneWords = packetWords / laneCount;
    this.laneStride = laneStride;
    this.wordStride = wordStride;
    this.#views = views;
    this.#uint32 = views.uint32(0);
    const full = fullMask(laneCount);
    this.#fullLo = full.lo | 0;
    this.#fullHi = full.hi | 0;
  }

  /** @internal Points this object at a port's packet; for ports. */
  aim(index: number, lo: number, hi: number): void {
    this.#point(index);
    if (lo !== this.#lo || hi !== this.#hi) this.#setMask(lo | 0, hi | 0);
  }

  #point(index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#uint32 = this.#views.uint32(index);
  }

  /** @internal As {@linkcode aim}, at the packet of another object. */
  aimAs(other: Packet): void {
    this.aim(other.index, other.#lo, other.#hi);
  }

  /**
   * Points this object at memory of its own for good. Called when a callback turns out to be asynchronous,
   * so that its later writes reach no other call.
   *
   * @internal
   */
  detach(): void {
    const { layout } = this.#views;
    const memory = new Int32Array(layout.packetWords);
    this.#views = new PacketViews(memory, { ...layout, packetsWord: 0 });
    this.#index = -1;
    this.#point(0);
    this.#isDetached = true;
  }

  /** Whether this object has lost its port's memory; see {@linkcode detach}. */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /**
   * @internal Checks the result of a callback on this packet: rejects a promise, and detaches this object.
   * The callers call the callback themselves, because the compiler inlines it where a call site sees only
   * one function.
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

  /** Whether the mask names at least one lane, and only lanes of the channel. */
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

  /** The index of the packet's port. */
  get index(): number {
    return this.#index;
  }

  /**
   * The packet's words, for hot loops: word `w` of lane `i` is `uint32[i * laneStride + w * wordStride]`,
   * that is `uint32[i * laneWords + w]` in a `lane-major` packet, `uint32[w * laneCount + i]` in a
   * `word-major` one.
   */
  get uint32(): Uint32Array {
    return this.#uint32;
  }

  /**
   * One word of every lane, including those that do not take part: lane `i` at index `i`. Made once for each
   * port and word, so that a call allocates nothing. Its `fill`, `add` and `equals` are faster than loops;
   * `set()` copies an array to it.
   *
   * @throws {TypeError} on a `lane-major` channel of several lanes, whose columns do not lie together
   * @throws {InvariantError} when the word is out of range or not an integer
   */
  column(word: number): PacketColumn {
    const start = this.#wordOf(0, word);
    if (this.laneStride !== 1 && this.laneCount > 1) refuseView("a column", "lane-major");
    return this.#views.column(this.#index, start);
  }

  /**
   * The packet as doubles: lane `i` has `laneWords / 2` of them from `i * laneWords / 2` on.
   *
   * @throws {TypeError} on a `word-major` channel of several lanes
   */
  get float64(): Float64Array {
    if (this.wordStride !== 1) refuseView("doubles", "word-major");
    return this.#views.float64(this.#index);
  }

  /** The packet as bytes, in the order of its words: see {@linkcode uint32}. */
  get uint8(): Uint8Array {
    return this.#views.uint8(this.#index);
  }

  /**
   * A word of a lane, unsigned.
   *
   * @throws {InvariantError} when lane or word (below `laneWords`) is out of range or not an integer, as in
   * all methods below
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

  /** A double of a lane; `double` counts 8-byte units, below `laneWords / 2`. */
  getFloat64(lane: number, double: number): number {
    const word = this.#doubleOf(lane, double);
    if (this.wordStride === 1) return this.float64[word >>> 1]!;
    DOUBLE_WORDS[0] = this.#uint32[word]!;
    DOUBLE_WORDS[1] = this.#uint32[word + this.wordStride]!;
    return DOUBLE[0]!;
  }

  /** Writes a double of a lane; `double` counts 8-byte units, below `laneWords / 2`. */
  setFloat64(lane: number, double: number, value: number): void {
    const word = this.#doubleOf(lane, double);
    if (this.wordStride === 1) this.float64[word >>> 1] = value;
    else {
      DOUBLE[0] = value;
      this.#uint32[word] = DOUBLE_WORDS[0]!;
      this.#uint32[word + this.wordStride] = DOUBLE_WORDS[1]!;
    }
  }

  /** 64 bits of a lane, unsigned; `double` counts 8-byte units. Allocates a bigint. */
  getBigUint64(lane: number, double: number): bigint {
    const word = this.#doubleOf(lane, double);
    return (BigInt(this.#uint32[word + this.wordStride]!) << 32n) | BigInt(this.#uint32[word]!);
  }

  /** Writes 64 bits of a lane, modulo 2 to the 64; `double` counts 8-byte units. */
  setBigUint64(lane: number, double: number, value: bigint): void {
    const word = this.#doubleOf(lane, double);
    this.#uint32[word] = Number(value & 0xffffffffn);
    this.#uint32[word + this.wordStride] = Number((value >> 32n) & 0xffffffffn);
  }

  /**
   * The bytes of a lane, as a view. Allocates.
   *
   * @throws {TypeError} on a `word-major` channel of several lanes: see {@linkcode readLane}
   */
  laneBytes(lane: number): Uint8Array {
    const byte = this.#wordOf(lane, 0) * 4;
    if (this.wordStride !== 1) refuseView("the bytes of a lane", "word-major");
    return this.uint8.subarray(byte, byte + this.laneWords * 4);
  }

  /** Fills `target` with the bytes of a lane from `laneByte` on. */
  readLane(lane: number, target: Uint8Array, laneByte = 0): void {
    this.#checkBytes(lane, laneByte, target.length);
    readLaneBytes(this, { lane, laneByte, offset: 0, lengthBytes: target.length }, target);
  }

  /** Copies `source` into the bytes of a lane from `laneByte` on. */
  writeLane(lane: number, source: Uint8Array, laneByte = 0): void {
    this.#checkBytes(lane, laneByte, source.length);
    writeLaneBytes(this, { lane, laneByte, offset: 0, lengthBytes: source.length }, source);
  }

  // Rejects fractions, too: a typed array would silently drop a write there.
  #wordOf(lane: number, word: number): number {
    this.#checkLane(lane);
    assert(word >>> 0 === word && word < this.laneWords, "the word is below the words of a lane");
    return lane * this.laneStride + word * this.wordStride;
  }

  /** The index of a double's low word. */
  #doubleOf(lane: number, double: number): number {
    this.#checkLane(lane);
    assert(double >>> 0 === double && double * 2 < this.laneWords, "the double is in its lane");
    return lane * this.laneStride + double * 2 * this.wordStride;
  }

  #checkBytes(lane: number, laneByte: number, countBytes: number): void {
    this.#checkLane(lane);
    const isInside = laneByte >>> 0 === laneByte && laneByte + countBytes <= this.laneWords * 4;
    assert(isInside, "the bytes are in their lane");
  }

  #checkLane(lane: number): void {
    const isLane = lane >>> 0 === lane && lane < this.laneCount;
    assert(isLane, "the lane is below the channel's lane count");
  }
}

function refuseView(what: string, packetLayout: PacketLayout): never {
  throw new TypeError(
    `Cannot make a view of ${what} as they do not lie together: the channel's packets are ${packetLayout}`,
  );
}
