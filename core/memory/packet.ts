import { fullMask, laneAfter, type LaneMask } from "./lane_mask.ts";
import type { PacketViews } from "./packet_views.ts";
import { PacketWords } from "./packet/packet_words.ts";
import { refusePromise, type SyncResult } from "./sync_result.ts";

/**
 * Bytes of one lane in a packet, when the channel says nothing else: what LLVM libc's RPC and AMD's
 * hostcall give a lane too.
 */
export const LANE_BYTES = 64;
/** Words of one lane in a packet, when the channel says nothing else. */
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
 * The packet of a port: for each lane `laneWords` words of 4 bytes (16 when the channel says nothing
 * else), two of which make a double. Given to the callbacks of `send` and `recv`, and valid inside them
 * only: the object is used again for the next packet.
 *
 * Lanes outside the mask hold bytes of earlier calls; do not read them. Each accessor of a lane sees the
 * same bytes of it, whatever the channel's `packetLayout`: in a `word-major` packet a double lies in
 * two places, so that writing one touches no other lane.
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
export class Packet extends PacketWords {
  readonly #fullLo: number;
  readonly #fullHi: number;
  #lo = 0;
  #hi = 0;
  #isFull = false;
  #isMaskGood = false;
  #isDetached = false;

  /** @internal For ports, which point it at their packets. */
  constructor(views: PacketViews) {
    super(views);
    const full = fullMask(this.laneCount);
    this.#fullLo = full.lo | 0;
    this.#fullHi = full.hi | 0;
  }

  /** @internal Points this object at a port's packet; for ports. */
  aim(index: number, lo: number, hi: number): void {
    this.point(index);
    if (lo !== this.#lo || hi !== this.#hi) this.#setMask(lo | 0, hi | 0);
  }

  /** @internal As {@linkcode aim}, at what another object points at. */
  aimAs(other: Packet): void {
    this.aim(other.index, other.#lo, other.#hi);
  }

  /**
   * Points this object for good at memory of its own: for one whose callback turned out to be
   * asynchronous, so that what it writes later reaches no other call.
   *
   * @internal
   */
  detach(): void {
    this.leaveMemory();
    this.#isDetached = true;
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
}
