import { assert } from "../memory/assert.ts";
import { LANE_COUNT_MAX } from "../memory/lane_mask.ts";
import { LANE_BYTES } from "../memory/packet.ts";
import { PACKET_LAYOUTS, type PacketLayout } from "../memory/packet_views.ts";
import { HEADER_WORDS } from "../memory/port_headers.ts";
import {
  type ChannelDesign,
  channelDesign,
  isAnonymous,
  lockPlaces,
} from "./design/channel_design.ts";
import { LEAVE_SLOTS } from "./leave_requests.ts";
import { checkWire, llvmRegions, WIRE_BYTE_UNIT, type WireName } from "./wire/llvm_regions.ts";
import {
  alignUp,
  checkCount,
  placesWordCount,
  PORT_PLACES,
  type PortPlaces,
  REGION_BYTES,
  Regions,
} from "../memory/regions.ts";

/** The most ports: LLVM's limit, raised there for machines with 12 000 resident waves. */
export const PORT_COUNT_MAX = 16384;

/** The first word of every channel: "PORT" in ASCII. */
export const CHANNEL_MAGIC = 0x504f5254;
/** Changes with every change of the layout or of the meaning of a word. */
export const PROTOCOL_VERSION = 9;

/** Words of the control region. The first five never change, the others live on their own lines. */
export const CONTROL_WORDS = 96;
const HINT_WORDS_MAX = 16;
/** The most bytes of a lane in a packet. */
export const LANE_BYTES_MAX = 65_536;

/** How large a channel is, and how it is made where that is not the default. */
export interface ChannelShape extends Partial<ChannelDesign> {
  /** 1 to 16384. Calls that are under way at once, and asynchronous ones not yet served, need one each. */
  readonly portCount: number;
  /** 1 to 64. */
  readonly laneCount: number;
  /** Bytes of a lane in a packet: a multiple of 64, to 65536; 64 when absent. */
  readonly laneBytes?: number;
  /** How the words of a packet lie: see `PACKET_LAYOUTS`; `lane-major` when absent. */
  readonly packetLayout?: PacketLayout;
  /** Whose memory it is, byte for byte: see {@linkcode WIRES}; `portlab` when absent. */
  readonly wire?: WireName;
}

/**
 * Every offset and size of a channel; frozen, and the same in every isolate for the same shape.
 * `...Word` counts 32-bit words from the start of the buffer, `...Bytes` is a size in bytes.
 *
 * {@linkcode regionsOf} has the regions in order. Some sizes follow from the design: mailboxes have a word, a
 * line or a bit a port, or stand with header and packet in one block of lines a port; turns have a word or
 * nothing; locks have a word or a bit, and there are marks only where a lock has no room for them.
 *
 * The memory is LLVM libc's (`shared/rpc.h`, `allocation_size`) with the locks moved in, since a
 * lock of workers must be shared, and with the parked, hint and control words added.
 */
export interface ChannelLayout extends Required<ChannelShape> {
  /** Where the control words are: see {@linkcode ControlWord}. */
  readonly controlWord: number;
  /** The outbox of the client on port 0; the others follow, as in each region below. */
  readonly clientOutboxWord: number;
  /** Where a client says that it sleeps. */
  readonly clientParkedWord: number;
  /** The outbox of the server on port 0. */
  readonly serverOutboxWord: number;
  /** Where a server says that it sleeps. */
  readonly serverParkedWord: number;
  /** What the clients' outboxes hold, for clients alone; not there with `mailboxRead: "outbox"`. */
  readonly clientTurnWord: number;
  /** What the servers' outboxes hold, for servers alone. */
  readonly serverTurnWord: number;
  /** Who of the clients holds the port. */
  readonly clientLockWord: number;
  /** Who of the servers holds the port. */
  readonly serverLockWord: number;
  /** Marks beside the clients' locks: see `AnonymousLocks`. */
  readonly clientMarksWord: number;
  /** Marks beside the servers' locks. */
  readonly serverMarksWord: number;
  /** How many parts of a stream the client has filled or taken: see `PortParts`. */
  readonly clientPartsWord: number;
  /** How many parts of a stream the server has filled or taken. */
  readonly serverPartsWord: number;
  /** Whether a server gave up the last call, as its client was late: see `ServerSide.takeLate`. */
  readonly serverLateWord: number;
  /** Requests to leave the channel: see `LeaveRequests`. */
  readonly leaveWord: number;
  /** The first word of hints: see `Hints`. */
  readonly hintWord: number;
  /** How many words of hints there are, 1 to 16. */
  readonly hintWordCount: number;
  /** One hint bit stands for `1 << hintShift` ports. */
  readonly hintShift: number;
  /** The header of port 0. */
  readonly headersWord: number;
  /** The packet of port 0. */
  readonly packetsWord: number;
  /** Words of one port's packet. */
  readonly packetWords: number;
  /** Words from one port's mailbox to the next, of either side; where a word has 32 of them, 1. */
  readonly mailboxStride: number;
  /** Words from one port's header to the next. */
  readonly headerStride: number;
  /** Words from one port's packet to the next. */
  readonly packetStride: number;
  /**
   * Where the memory begins that another library lays out, in bytes: what is before it is for this one
   * alone. 0 where all is this library's.
   */
  readonly wireByte: number;
  /** The size of the whole channel. */
  readonly totalBytes: number;
}

/** Words of the control region, from its start. */
export const ControlWord = {
  /** Written once, at creation. */
  magic: 0,
  version: 1,
  portCount: 2,
  laneCount: 3,
  /** The choices of the design, 4 bits each: see `designWord`. */
  design: 4,
  laneBytes: 8,
  packetLayout: 9,
  wire: 10,
  /** A {@linkcode ChannelState} in the low two bits; above them a count of raised attentions. */
  state: 32,
  /** The next id of a client or server; each takes one with an add. */
  nextOwnerId: 33,
  /** How many servers are inside `run()`. */
  liveServers: 34,
  /** Clients and servers that ever came, where locks are `held`. */
  clientCount: 35,
  serverCount: 36,
  /** How many servers sleep; a client that marks a fresh hint rings when it is not 0. */
  sleepers: 64,
  /** Changes with every ring: what a sleeping server waits on. */
  bell: 65,
  /** Changes when a port may have become free: what a client without a port waits on. */
  freeBell: 66,
} as const;

/** The life of a channel; wire format. A state is entered by setting its bits. */
export const ChannelState = {
  running: 0,
  /** No new calls; the servers finish what was sent, and the last one to leave stops the channel. */
  stopping: 1,
  /** Nobody serves any more: every waiter is released with an error. */
  stopped: 3,
} as const;
/** One of the numbers of {@linkcode ChannelState}. */
export type ChannelState = typeof ChannelState[keyof typeof ChannelState];

/** Where a channel's doorbell is: words of the control region. */
export function doorbellPlace(
  { controlWord }: ChannelLayout,
): { readonly sleepersWord: number; readonly bellWord: number } {
  return {
    sleepersWord: controlWord + ControlWord.sleepers,
    bellWord: controlWord + ControlWord.bell,
  };
}

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when a count is not an integer within its bounds, `laneBytes` no multiple of 64,
 * or no channel has the design
 * @throws {TypeError} when there is no such `packetLayout`
 *
 * @example
 * ```ts
 * const layout = channelLayout({ portCount: 64, laneCount: 32 });
 * if (layout.packetWords !== 32 * 16) throw new Error("64 bytes a lane");
 * ```
 */
export function channelLayout(shape: ChannelShape): ChannelLayout {
  const { portCount, laneCount, laneBytes = LANE_BYTES, packetLayout = "lane-major" } = shape;
  const { wire = "portlab" } = shape;
  checkCount("portCount", portCount, PORT_COUNT_MAX);
  checkCount("laneCount", laneCount, LANE_COUNT_MAX);
  checkPacketShape(laneBytes, packetLayout);
  const hintShift = Math.max(0, Math.ceil(Math.log2(portCount / (HINT_WORDS_MAX * 32))));
  const design = channelDesign(
    wire === "portlab"
      ? { ...shape, mailboxWidth: shape.mailboxWidth ?? usualWidth(shape) }
      : { ...LLVM_DESIGN, ...shape },
  );
  const packetWords = laneCount * laneBytes / 4;
  const sizes: LayoutSizes = {
    portCount,
    laneCount,
    ...design,
    laneBytes,
    packetLayout,
    wire,
    hintWordCount: Math.ceil(portCount / (32 << hintShift)),
    hintShift,
    packetWords,
    ...stridesOf(design, packetWords),
  };
  checkWire(sizes);
  const layout = wire === "portlab" ? ownLayout(sizes) : foreignLayout(sizes);
  return Object.freeze(layout);
}

/**
 * Beside the packet where the first word of each lane is in the line of the mailboxes: between processors that
 * are far from each other a call takes 0.6 of the time then, and 0.8 to 1.1 of it between near ones. Where
 * packets are longer it takes up to 1.2 times as long, as who polls takes the line from who fills it; and
 * other choices are those of somebody who compares.
 */
function usualWidth(shape: ChannelShape): ChannelDesign["mailboxWidth"] {
  const { laneCount, packetLayout, discovery, mailboxUpdate = "store", mailboxRead = "turn" } =
    shape;
  const firstWords = packetLayout === "word-major" ? laneCount : (laneCount - 1) * LINE_WORDS + 1;
  const isShort = BLOCK_HEAD_WORDS + firstWords <= LINE_WORDS;
  const isUsual = discovery !== "bitmap" && mailboxUpdate === "store" && mailboxRead === "turn";
  return isShort && isUsual ? "beside" : "word";
}

type Strides = Pick<ChannelLayout, "mailboxStride" | "headerStride" | "packetStride">;

/** In front of a packet in its block: both outboxes, and the header. A double of the packet stays aligned. */
const BLOCK_HEAD_WORDS = 2 + HEADER_WORDS;
const LINE_WORDS = 16;

function stridesOf({ mailboxWidth }: ChannelDesign, packetWords: number): Strides {
  if (mailboxWidth !== "beside") {
    const { stride } = PORT_PLACES[mailboxWidth];
    return { mailboxStride: stride, headerStride: HEADER_WORDS, packetStride: packetWords };
  }
  const blockWords = alignUp(BLOCK_HEAD_WORDS + packetWords, LINE_WORDS);
  return { mailboxStride: blockWords, headerStride: blockWords, packetStride: blockWords };
}

/** Where in its region each port has the mailbox of a side. */
export function mailboxPlaces(
  { mailboxWidth, mailboxStride }: Pick<ChannelLayout, "mailboxWidth" | "mailboxStride">,
): PortPlaces {
  const places = mailboxWidth === "bit" ? PORT_PLACES.bit : PORT_PLACES.word;
  return { ...places, stride: mailboxStride };
}

/** What others can use of LLVM's memory: they mark no hints. */
const LLVM_DESIGN = { discovery: "scan", start: "first" } as const;

/** What is known of a layout before its regions are placed. */
export type LayoutSizes =
  & Required<ChannelShape>
  & Strides
  & Pick<ChannelLayout, "hintWordCount" | "hintShift" | "packetWords">;

/** What a layout calls the word where it begins, how many words it has, and who writes them. */
export type Region = readonly [name: RegionName, wordCount: number, writer: string];
type RegionName = {
  [Key in keyof ChannelLayout]: Key extends `${infer Name}Word` ? Name : never;
}[keyof ChannelLayout];
type RegionWords = { readonly [Name in RegionName as `${Name}Word`]: number };

/** Those that are where LLVM's library has them, if the wire is its. */
const WIRE_REGIONS: readonly RegionName[] = ["clientOutbox", "serverOutbox", "headers", "packets"];

/** Every region, in the order of their addresses, which is wire format; none has words that its design does without. */
export function regionsOf(sizes: LayoutSizes): readonly Region[] {
  const { portCount, mailboxWidth, mailboxRead, portLock } = sizes;
  const isBeside = mailboxWidth === "beside";
  const outboxes = isBeside ? 0 : placesWordCount(PORT_PLACES[mailboxWidth], portCount);
  const turns = mailboxRead === "turn" ? portCount : 0;
  const locks = placesWordCount(lockPlaces(portLock), portCount);
  const marks = isAnonymous(portLock) ? portCount : 0;
  const owner = "who owns the port's buffer";
  return [
    ["control", CONTROL_WORDS, "both, word by word"],
    ["clientOutbox", outboxes, "client (the server's inbox)"],
    ["clientParked", portCount, "client"],
    ["serverOutbox", outboxes, "server (the client's inbox)"],
    ["serverParked", portCount, "server"],
    ["clientTurn", turns, "client"],
    ["serverTurn", turns, "server"],
    ["clientLock", locks, "client"],
    ["serverLock", locks, "server"],
    ["clientMarks", marks, "who waits, and who wakes"],
    ["serverMarks", marks, "who waits, and who wakes"],
    ["clientParts", portCount, "client"],
    ["serverParts", portCount, "server"],
    ["serverLate", portCount, "server"],
    ["leave", LEAVE_SLOTS, "who asks, and who is asked to leave"],
    ["hint", sizes.hintWordCount, "client sets, server clears"],
    ["headers", isBeside ? 0 : portCount * HEADER_WORDS, owner],
    [
      "packets",
      portCount * sizes.packetStride,
      isBeside ? `in blocks: client's outbox, server's outbox; header, packet: ${owner}` : owner,
    ],
  ];
}

function place(regions: Regions, wanted: readonly Region[]): RegionWords {
  const words = wanted.map(([name, wordCount]) => [`${name}Word`, regions.take(wordCount)]);
  return Object.fromEntries(words) as RegionWords;
}

function ownLayout(sizes: LayoutSizes): ChannelLayout {
  const regions = new Regions();
  const words = place(regions, regionsOf(sizes));
  if (sizes.mailboxWidth === "beside") Object.assign(words, blockPlaces(words.packetsWord));
  else {
    assert(
      words.serverOutboxWord - words.clientOutboxWord >= REGION_BYTES / 4,
      "the mailboxes of the two sides share no cache line",
    );
  }
  return { ...sizes, ...words, wireByte: 0, totalBytes: regions.nextByte };
}

/** Where port 0 has its parts in the first block: a call moves one line each way, as long as its words fit there. */
function blockPlaces(blockWord: number): Partial<RegionWords> {
  return {
    clientOutboxWord: blockWord,
    serverOutboxWord: blockWord + 1,
    headersWord: blockWord + 2,
    packetsWord: blockWord + BLOCK_HEAD_WORDS,
  };
}

/** As LLVM's memory, behind what this library needs beside it: each side has its own of that there. */
function foreignLayout(sizes: LayoutSizes): ChannelLayout {
  const regions = new Regions();
  const own = place(regions, regionsOf(sizes).filter(([name]) => !WIRE_REGIONS.includes(name)));
  const wireByte = alignUp(regions.nextByte, WIRE_BYTE_UNIT);
  const wire = llvmRegions(sizes);
  return {
    ...sizes,
    ...own,
    clientOutboxWord: (wireByte + wire.secondaryByte) / 4,
    serverOutboxWord: (wireByte + wire.primaryByte) / 4,
    headersWord: (wireByte + wire.headersByte) / 4,
    packetsWord: (wireByte + wire.bufferByte) / 4,
    wireByte,
    totalBytes: wireByte + wire.totalBytes,
  };
}

function checkPacketShape(laneBytes: number, packetLayout: string): void {
  const isLane = Number.isInteger(laneBytes) && laneBytes % LANE_BYTES === 0 && laneBytes > 0;
  if (!isLane || laneBytes > LANE_BYTES_MAX) {
    throw new RangeError(
      `Cannot lay out a channel as laneBytes must be a multiple of ${LANE_BYTES} to ${LANE_BYTES_MAX}: current value is ${laneBytes}`,
    );
  }
  if ((PACKET_LAYOUTS as readonly string[]).includes(packetLayout)) return;
  throw new TypeError(
    `Cannot lay out a channel as packetLayout must be one of ${
      PACKET_LAYOUTS.join(", ")
    }: current value is ${packetLayout}`,
  );
}
