import { LANE_COUNT_MAX } from "../memory/lane_mask.ts";
import { LANE_WORDS } from "../memory/packet.ts";
import type { PacketRegion } from "../memory/packet_views.ts";
import { PacketViews } from "../memory/packet_views.ts";
import { HEADER_WORDS, PortHeaders } from "../memory/port_headers.ts";
import { checkCount, Regions } from "../memory/regions.ts";
import { SharedWords, type Words } from "../memory/words.ts";
import { Doorbell } from "../wait/doorbell.ts";

/** How many packets, and how wide they are. */
export interface PacketShape {
  /** 1 to 16384: calls that are under way at once need one each. */
  readonly packetCount: number;
  /** 1 to 64. */
  readonly laneCount: number;
}

/** What a channel of packets has in memory whatever its protocol, in words from the buffer's start. */
export interface PacketMemory extends PacketShape, PacketRegion {
  /** See {@linkcode ControlWord}. */
  readonly controlWord: number;
  /** Where a client says that it sleeps until a packet is answered: a word for each. */
  readonly parkedWord: number;
  /** A header of four words for each packet. */
  readonly headersWord: number;
  /** The size of all. */
  readonly totalBytes: number;
}

/** Words of the control region. The first four never change; the others live on their own lines. */
export const ControlWord = {
  /** Which protocol laid the memory out. */
  magic: 0,
  version: 1,
  packetCount: 2,
  laneCount: 3,
  /** 0 while the channel runs, 1 for good when it was stopped. */
  state: 32,
  /** Servers that sleep, and the bell that wakes them. */
  workSleepers: 64,
  workBell: 65,
  /** Clients that sleep until a packet is free, and the bell that wakes them. */
  freeSleepers: 96,
  freeBell: 97,
} as const;

/** Words of the control region. */
export const CONTROL_WORDS = 128;
/** The most packets of a channel. */
export const PACKET_COUNT_MAX = 16384;
const VERSION = 1;

/** Takes the regions that every channel of packets has; a protocol takes its own before. */
export function takePackets(regions: Regions, shape: PacketShape): PacketMemory {
  const { packetCount, laneCount } = shape;
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

/** @throws {RangeError} when a count is not an integer within its bounds */
export function checkShape({ packetCount, laneCount }: PacketShape): void {
  checkCount("packetCount", packetCount, PACKET_COUNT_MAX);
  checkCount("laneCount", laneCount, LANE_COUNT_MAX);
}

/** What travels to another isolate, by `postMessage`, to attach to a channel. */
export interface PacketHandle extends PacketShape {
  /** The protocol's name. */
  readonly kind: string;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
}

/** How a protocol's memory is told from others. */
export interface PacketFormat {
  readonly kind: string;
  /** Four ASCII letters. */
  readonly magic: number;
}

/** A shared memory of packets, whichever protocol carries them: the part that all have. */
export class PacketChannel<Memory extends PacketMemory> {
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

  /** @internal For the explorer, which has words of its own; else see `create` and `attach`. */
  constructor(layout: Memory, words: Words) {
    const { controlWord } = layout;
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

  /** Whether the channel was stopped. */
  get isStopped(): boolean {
    // Sync: pairs with stop(): asked by each wait after it announced itself. Asked before only, a
    // wait could miss the stop and its wake: asleep for good.
    return this.words.load(this.#stateWord) !== 0;
  }

  /**
   * Ends the channel for everybody: servers return from `serve`, whoever waits gets a `CallError` of
   * status `serverGone`. What was sent and not yet served stays unserved. Bounded; may be repeated.
   */
  stop(): void {
    // Sync: pairs with isStopped; the wakes come after it, or the woken would sleep again.
    this.words.store(this.#stateWord, 1);
    this.workBell.wakeAll();
    this.freeBell.wakeAll();
    for (let index = 0; index < this.layout.packetCount; index++) {
      this.#wakeParked(this.layout.parkedWord + index);
    }
  }

  /** @internal Wakes who sleeps until the packet is answered. After the answer, or the stop. */
  wake(index: number): void {
    const word = this.layout.parkedWord + index;
    // Sync: pairs with InboxWaiter, which sets the word and looks then. Loaded before the answer was
    // there, it could be 0 still, and the client then miss the answer: asleep for good.
    if (this.words.load(word) === 0) return;
    this.#wakeParked(word);
  }

  #wakeParked(word: number): void {
    this.words.store(word, 0);
    this.words.notify(word);
  }
}

/** Makes the memory of a channel. */
export function createWords(format: PacketFormat, layout: PacketMemory): SharedWords {
  const words = new SharedWords(new SharedArrayBuffer(layout.totalBytes));
  for (const [word, value] of formatOf(format, layout)) words.store(word, value);
  return words;
}

/**
 * To be asked before anything else of what came from another isolate.
 *
 * @throws {TypeError} when it is no handle of this protocol
 */
export function checkKind({ kind }: PacketFormat, handle: { readonly kind: string }): void {
  const { kind: found } = handle ?? {};
  if (found === kind) return;
  throw new TypeError(
    `Cannot attach to a channel as the handle must be one of ${kind}: its kind is ${String(found)}`,
  );
}

/**
 * The memory of a handle that came from another isolate.
 *
 * @throws {TypeError} when it is no handle of this protocol, or its memory is laid out otherwise
 */
export function attachWords(
  format: PacketFormat,
  layout: PacketMemory,
  handle: PacketHandle,
): SharedWords {
  const { buffer } = handle;
  const isFit = buffer instanceof SharedArrayBuffer && buffer.byteLength === layout.totalBytes;
  const words = isFit ? new SharedWords(buffer) : undefined;
  if (words && formatOf(format, layout).every(([word, value]) => words.load(word) === value)) {
    return words;
  }
  throw new TypeError(
    `Cannot attach to a channel as the handle must be one of ${format.kind}, with its memory of ${layout.totalBytes} bytes: current value is ${
      Object.prototype.toString.call(buffer)
    } of ${buffer?.byteLength}`,
  );
}

function formatOf({ magic }: PacketFormat, layout: PacketMemory): (readonly [number, number])[] {
  const { controlWord, packetCount, laneCount } = layout;
  return [
    [controlWord + ControlWord.magic, magic],
    [controlWord + ControlWord.version, VERSION],
    [controlWord + ControlWord.packetCount, packetCount],
    [controlWord + ControlWord.laneCount, laneCount],
  ];
}

/** What to post to another isolate. */
export function handleOf(
  { kind }: PacketFormat,
  { layout, words }: Pick<PacketChannel<PacketMemory>, "layout" | "words">,
): PacketHandle {
  const { packetCount, laneCount } = layout;
  return { kind, packetCount, laneCount, buffer: words.plain.buffer as SharedArrayBuffer };
}
