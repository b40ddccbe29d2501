import { LANE_COUNT_MAX } from "../memory/lane_mask.ts";
import { LANE_WORDS } from "../memory/packet.ts";
import { type PacketRegion, PacketViews } from "../memory/packet_views.ts";
import { HEADER_WORDS, PortHeaders } from "../memory/port_headers.ts";
import { checkCount, Regions } from "../memory/regions.ts";
import type { Words } from "../memory/words.ts";
import { Doorbell } from "../wait/doorbell.ts";

/** How many packets a channel has, and how wide they are. */
export interface PacketShape {
  /** 1 to 16384. Each call under way takes one. */
  readonly packetCount: number;
  /** 1 to 64. */
  readonly laneCount: number;
}

/** The memory that every channel of packets has, in words from the start of the buffer. */
export interface PacketMemory extends PacketShape, PacketRegion {
  /** See {@linkcode ControlWord}. */
  readonly controlWord: number;
  /** One word for each packet, set by a client that sleeps until it is answered. */
  readonly parkedWord: number;
  /** A header of four words for each packet. */
  readonly headersWord: number;
  /** The size of the whole buffer. */
  readonly totalBytes: number;
}

/**
 * Words of the control region. The first four never change; the others have cache lines of their own.
 */
export const ControlWord = {
  /** Names the protocol that laid out the memory. */
  magic: 0,
  version: 1,
  packetCount: 2,
  laneCount: 3,
  /** 0 while the channel runs, 1 from its stop on. */
  state: 32,
  /** The number of sleeping servers, and the bell that wakes them. */
  workSleepers: 64,
  workBell: 65,
  /** The number of clients that sleep until a packet is free, and the bell that wakes them. */
  freeSleepers: 96,
  freeBell: 97,
} as const;

/** The size of the control region in words. */
export const CONTROL_WORDS = 128;
/** The largest number of packets of a channel. */
const PACKET_COUNT_MAX = 16384;

/**
 * Takes the regions that every channel of packets has. A protocol takes its own first.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 */
export function takePackets(
  regions: Regions,
  { packetCount, laneCount }: PacketShape,
): PacketMemory {
  checkCount("packetCount", packetCount, PACKET_COUNT_MAX);
  checkCount("laneCount", laneCount, LANE_COUNT_MAX);
  return {
    packetCount,
    laneCount,
    controlWord: regions.take(CONTROL_WORDS),
    parkedWord: regions.take(packetCount),
    headersWord: regions.take(packetCount * HEADER_WORDS),
    packetsWord: regions.take(packetCount * laneCount * LANE_WORDS),
    packetWords: laneCount * LANE_WORDS,
    totalBytes: regions.nextByte,
  };
}

/**
 * What travels to another isolate, by `postMessage`, to attach to a channel. Only the counts in its layout
 * are used there; the offsets are computed anew.
 */
export type PacketHandle<Memory extends PacketMemory> = Memory & {
  /** The protocol's name. */
  readonly kind: string;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
};

/** A shared memory of packets: what channels of all protocols have in common. */
export class PacketChannel<Memory extends PacketMemory> {
  /** The protocol's name. */
  readonly kind: string;
  /** Where everything is. */
  readonly layout: Memory;
  /** @internal */
  readonly words: Words;
  /** @internal Wakes servers. */
  readonly workBell: Doorbell;
  /** @internal Wakes clients that wait for a packet. */
  readonly freeBell: Doorbell;
  /** @internal */
  readonly views: PacketViews;
  /** @internal */
  readonly headers: PortHeaders;
  readonly #stateWord: number;

  /** @internal By `PacketFormat`, and by the explorer, which has words of its own. */
  constructor(kind: string, layout: Memory, words: Words) {
    const { controlWord } = layout;
    this.kind = kind;
    this.layout = layout;
    this.words = words;
    this.views = new PacketViews(words.plain, layout);
    this.headers = new PortHeaders(words.plain, layout);
    this.#stateWord = controlWord + ControlWord.state;
    this.workBell = new Doorbell(words, {
      sleepersWord: controlWord + ControlWord.workSleepers,
      bellWord: controlWord + ControlWord.workBell,
    });
    this.freeBell = new Doorbell(words, {
      sleepersWord: controlWord + ControlWord.freeSleepers,
      bellWord: controlWord + ControlWord.freeBell,
    });
  }

  /** What to post to another isolate. */
  get handle(): PacketHandle<Memory> {
    const buffer = this.words.plain.buffer as SharedArrayBuffer;
    return { ...this.layout, kind: this.kind, buffer };
  }

  /** Whether the channel was stopped. */
  get isStopped(): boolean {
    // Sync: pairs with stop(). Each wait asks after it has announced itself. If it asked only before,
    // it could miss the stop and its wake, and sleep forever.
    return this.words.load(this.#stateWord) !== 0;
  }

  /**
   * Ends the channel on both sides: servers return from `run`, and waiting clients throw a `CallError`
   * of status `serverGone`. Calls that were not yet served stay unserved. Bounded; may be repeated.
   */
  stop(): void {
    // Sync: pairs with isStopped. The wakes come after it, or those woken would sleep again.
    this.words.store(this.#stateWord, 1);
    this.workBell.wakeAll();
    this.freeBell.wakeAll();
    for (let index = 0; index < this.layout.packetCount; index++) {
      this.#wakeParked(this.layout.parkedWord + index);
    }
  }

  /** @internal Wakes the client that sleeps until the packet is answered. Call it after the answer. */
  wake(index: number): void {
    const word = this.layout.parkedWord + index;
    // Sync: pairs with InboxWaiter, which sets the word and then looks for the answer. If we loaded it
    // before the answer was there, it could still be 0, and the client could miss the answer and sleep
    // forever.
    if (this.words.load(word) === 0) return;
    this.#wakeParked(word);
  }

  #wakeParked(word: number): void {
    this.words.store(word, 0);
    this.words.notify(word);
  }
}
