import { assert } from "../assert.ts";
import { readLaneBytes, writeLaneBytes } from "./lane_bytes.ts";
import { type PacketLayout, packetStrides, PacketViews } from "../packet_views.ts";

/** A double on its way from and to two words. */
const DOUBLE = new Float64Array(1);
const DOUBLE_WORDS = new Uint32Array(DOUBLE.buffer);

/**
 * The words of a packet, lane by lane: the part of a {@linkcode Packet} that follows the channel's
 * `packetLayout`.
 */
export abstract class PacketWords {
  /** Lanes that the channel has, 1 to 64. */
  readonly laneCount: number;
  /** Words that each lane has: 16 to 1024, a multiple of 16. */
  readonly laneWords: number;
  /** Words from a lane's word to the same word of the next lane; 1 in a `word-major` packet. */
  readonly laneStride: number;
  /** Words from a lane's word to its next word; 1 in a `lane-major` packet. */
  readonly wordStride: number;
  #views: PacketViews;
  #index = -1;
  #uint32: Uint32Array;

  /** @internal */
  protected constructor(views: PacketViews) {
    const { laneCount, packetWords } = views.layout;
    const { laneStride, wordStride } = packetStrides(views.layout);
    this.laneCount = laneCount;
    this.laneWords = packetWords / laneCount;
    this.laneStride = laneStride;
    this.wordStride = wordStride;
    this.#views = views;
    this.#uint32 = views.uint32(0);
  }

  /** @internal Points this object at a port's packet. */
  protected point(index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#uint32 = this.#views.uint32(index);
  }

  /** @internal Points this object for good at memory of its own. */
  protected leaveMemory(): void {
    const { layout } = this.#views;
    this.#views = new PacketViews(new Int32Array(layout.packetWords), {
      ...layout,
      packetsWord: 0,
    });
    this.#index = -1;
    this.point(0);
  }

  /** Whose packet this is, by the port's index. */
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
   * One word of every lane, those that do not take part included: lane `i` at place `i`. Made once for
   * each port and word, so that a call allocates nothing.
   *
   * @throws {TypeError} on a `lane-major` channel of several lanes, whose columns do not lie together
   * @throws {InvariantError} when the word is out of range or no integer
   */
  column(word: number): Uint32Array {
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
   * @throws {InvariantError} when lane or word (below `laneWords`) is out of range or no integer, as all
   * below
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

  /** Copies the bytes of a lane from `laneByte` on into `target`, as many as that takes. */
  readLane(lane: number, target: Uint8Array, laneByte = 0): void {
    this.#checkBytes(lane, laneByte, target.length);
    readLaneBytes(this, { lane, laneByte }, target);
  }

  /** Copies `source` into the bytes of a lane from `laneByte` on. */
  writeLane(lane: number, source: Uint8Array, laneByte = 0): void {
    this.#checkBytes(lane, laneByte, source.length);
    writeLaneBytes(this, { lane, laneByte }, source);
  }

  // An index that is no integer is refused, too: typed arrays drop what is written there.
  #wordOf(lane: number, word: number): number {
    this.#checkLane(lane);
    assert(word >>> 0 === word && word < this.laneWords, "the word is below the words of a lane");
    return lane * this.laneStride + word * this.wordStride;
  }

  /** The place of a double's low word. */
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
