import type { Packet } from "../memory/packet.ts";
import { hasLane, lanesOf } from "../memory/lane_mask.ts";
import { checkByteArray } from "./message.ts";
import { assert } from "../memory/assert.ts";
import { lengthHint, LengthRefusedError, limitOf } from "./limit.ts";
import type { RecvStreamOptions } from "./stream.ts";

/** Bytes of the length in front of a stream: a u64, low word first. */
export const LENGTH_BYTES = 8;
/** In the high word of a length: from this bit on, which of {@linkcode WINDOWS} there is. */
export const WINDOW_SHIFT = 24;
/** How many parts of a packet may be under way. */
export const WINDOWS: readonly number[] = [1, 2, 4, 8];

/** The parts of a stream, and what a side does with each: in a place of the packet. */
export interface PartsWork {
  /** How many parts there are. */
  readonly count: number;
  /** How many may be under way: the packet has as many places, used in turn. */
  readonly window: number;
  /** Fills a part, or takes it. */
  use(packet: Packet, part: number): void;
}

/** A piece of each lane's payload, and where in the lane it lies. */
export interface Chunk {
  /** Of the payload. */
  readonly offset: number;
  readonly laneByte: number;
  readonly lengthBytes: number;
}

/** A stream whose lengths are known: the rest of it behind the first packet. */
export interface StreamRest {
  /** Of a lane in a packet. */
  readonly laneBytes: number;
  readonly longestBytes: number;
  /** 1, or how many parts of a packet may be under way. */
  readonly window: number;
}

/** How many parts carry what the first packet does not. */
export function partCount({ laneBytes, longestBytes, window }: StreamRest): number {
  return Math.ceil((longestBytes - laneBytes + LENGTH_BYTES) / (laneBytes / window));
}

export function chunkOfPart({ laneBytes, window }: StreamRest, part: number): Chunk {
  const lengthBytes = laneBytes / window;
  const offset = laneBytes - LENGTH_BYTES + part * lengthBytes;
  return { offset, laneByte: (part % window) * lengthBytes, lengthBytes };
}

/** @throws {RangeError} when there is no such window */
export function checkWindow(window: number): void {
  if (WINDOWS.includes(window)) return;
  throw new RangeError(
    `Cannot send a stream as its window must be one of ${
      WINDOWS.join(", ")
    }: current value is ${window}`,
  );
}

/** Payloads by lane; what is missing counts as empty. */
export type Payloads = readonly (Uint8Array | undefined)[];

/**
 * Writes the lengths and the first bytes of a stream.
 *
 * @param window what is said to the other side where one packet does not do
 * @throws {RangeError} when a payload is given for a lane that does not take part
 * @throws {TypeError} when a payload is no `Uint8Array`
 */
export function writeFirst(
  packet: Packet,
  bytesByLane: Payloads,
  window: () => number,
): StreamRest {
  checkLanes(packet, bytesByLane);
  const longestBytes = bytesByLane.reduce((most, bytes) => Math.max(most, bytes?.length ?? 0), 0);
  const laneBytes = packet.laneWords * 4;
  const room = laneBytes - LENGTH_BYTES;
  const rest = { laneBytes, longestBytes, window: longestBytes > room ? window() : 1 };
  const windowBits = WINDOWS.indexOf(rest.window) * 2 ** WINDOW_SHIFT;
  packet.forEachLane((lane) => {
    const bytes = bytesByLane[lane];
    const lengthBytes = bytes?.length ?? 0;
    packet.setUint32(lane, 0, lengthBytes);
    packet.setUint32(lane, 1, Math.floor(lengthBytes / 2 ** 32) + windowBits);
    if (bytes) packet.writeLane(lane, bytes.subarray(0, room), LENGTH_BYTES);
  });
  return rest;
}

/** Writes a piece of each lane's payload. */
export function writeChunk(packet: Packet, bytesByLane: Payloads, chunk: Chunk): void {
  const { offset, laneByte, lengthBytes } = chunk;
  for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
    const bytes = bytesByLane[lane];
    if (!bytes || offset >= bytes.length) continue;
    packet.writeLane(lane, bytes.subarray(offset, offset + lengthBytes), laneByte);
  }
}

function checkLanes(packet: Packet, bytesByLane: Payloads): void {
  const { mask } = packet;
  for (const bytes of bytesByLane) if (bytes !== undefined && bytes !== null) checkByteArray(bytes);
  const stray = bytesByLane.findIndex((bytes, lane) => bytes && !hasLane(mask, lane));
  if (stray < 0) return;
  throw new RangeError(
    `Cannot send bytes for lane ${stray} as it does not take part: the lanes are ${lanesOf(mask)}`,
  );
}

/** Puts the packets of a stream together. */
export class StreamReader {
  readonly bytesByLane: (Uint8Array | undefined)[] = [];
  readonly #options: RecvStreamOptions;
  readonly #limitBytes: number;
  #longestBytes = 0;
  #laneBytes = 0;
  #window = 1;
  /** Where the next packet's bytes go; 0 before the first. */
  #offset = 0;

  constructor(options: RecvStreamOptions) {
    this.#limitBytes = limitOf(options);
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#offset >= this.#longestBytes;
  }

  /** What the other side offers to send in parts, once the first packet has come and more is to come. */
  get parts(): PartsWork | undefined {
    if (this.#window === 1 || this.isDone) return undefined;
    const rest = {
      laneBytes: this.#laneBytes,
      longestBytes: this.#longestBytes,
      window: this.#window,
    };
    const use = (packet: Packet, part: number) => this.#read(packet, chunkOfPart(rest, part));
    return { count: partCount(rest), window: this.#window, use };
  }

  take(packet: Packet): void {
    this.#laneBytes = packet.laneWords * 4;
    if (this.#offset === 0) return this.#takeFirst(packet, this.#laneBytes - LENGTH_BYTES);
    this.#read(packet, { offset: this.#offset, laneByte: 0, lengthBytes: this.#laneBytes });
    this.#offset += this.#laneBytes;
  }

  #read(packet: Packet, { offset, laneByte, lengthBytes }: Chunk): void {
    const end = offset + lengthBytes;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      const bytes = this.bytesByLane[lane]!;
      if (offset < bytes.length) packet.readLane(lane, bytes.subarray(offset, end), laneByte);
    }
  }

  #takeFirst(packet: Packet, firstBytes: number): void {
    const { lengthsBytes, window } = readLengths(packet, this.#limitBytes);
    this.#window = window;
    this.bytesByLane.length = packet.laneCount;
    this.bytesByLane.fill(undefined);
    for (const [lane, lengthBytes] of lengthsBytes) {
      const bytes = allocate(lengthBytes, lane, this.#options);
      packet.readLane(lane, bytes.subarray(0, firstBytes), LENGTH_BYTES);
      this.bytesByLane[lane] = bytes;
      this.#longestBytes = Math.max(this.#longestBytes, lengthBytes);
    }
    this.#offset = firstBytes;
  }
}

/**
 * Reads each length once: the other side could change it between a check and a use. The window is the
 * first lane's.
 */
function readLengths(
  packet: Packet,
  limitBytes: number,
): { readonly lengthsBytes: Map<number, number>; readonly window: number } {
  const lengthsBytes = new Map<number, number>();
  let window: number | undefined;
  packet.forEachLane((lane) => {
    const high = packet.getUint32(lane, 1);
    const windowOfLane = WINDOWS[high >>> WINDOW_SHIFT];
    // The bits of a window that there is not are taken for some of the length.
    const highBytes = windowOfLane === undefined ? high : high % 2 ** WINDOW_SHIFT;
    const lengthBytes = packet.getUint32(lane, 0) + highBytes * 2 ** 32;
    if (lengthBytes > limitBytes) {
      throw new LengthRefusedError(
        `Cannot receive a stream of ${lengthBytes} bytes on lane ${lane} as the limit is ${limitBytes}${
          lengthHint(lengthBytes)
        }`,
      );
    }
    window ??= windowOfLane;
    lengthsBytes.set(lane, lengthBytes);
  });
  return { lengthsBytes, window: window ?? 1 };
}

function allocate(lengthBytes: number, lane: number, options: RecvStreamOptions): Uint8Array {
  const bytes = options.allocate?.(lengthBytes, lane) ?? new Uint8Array(lengthBytes);
  assert(bytes.length === lengthBytes, "an allocator returns as many bytes as it was asked for");
  return bytes;
}
