import type { Packet } from "../memory/packet.ts";
import { readLaneBytes, writeLaneBytes } from "../memory/lane_bytes.ts";
import { hasLane, lanesOf } from "../memory/lane_mask.ts";
import { checkByteArray } from "./message.ts";
import { type PartsShape, type PartsWork, StreamParts } from "./stream_parts.ts";
import { assert } from "../memory/assert.ts";
import { lengthHint, LengthRefusedError, limitOf } from "./limit.ts";
import type { RecvStreamOptions } from "./stream.ts";

/** Bytes of the length in front of a stream: a u64, low word first. */
export const LENGTH_BYTES = 8;
/** In the high word of a length: from this bit on, which of {@linkcode WINDOWS} there is. */
const WINDOW_SHIFT = 24;
/** What 1 in the high word of a length stands for, in bytes. A power in the code would be taken at each call. */
const HIGH_UNIT = 2 ** 32;
/** How many parts of a packet may be under way. */
export const WINDOWS: readonly number[] = [1, 2, 4, 8];

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
  /** How many bytes of each payload the first packet has room for. */
  readonly offset: number;
  /** Where parts were offered: all that there is, as the first packet has the lengths only. */
  readonly shape: PartsShape | undefined;
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
  const longestBytes = longestOf(packet, bytesByLane);
  const laneBytes = packet.laneWords * 4;
  const room = laneBytes - LENGTH_BYTES;
  const shown = longestBytes > room ? window() : 1;
  const windowBits = WINDOWS.indexOf(shown) << WINDOW_SHIFT;
  for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
    const lengthBytes = bytesByLane[lane]?.length ?? 0;
    packet.setUint32(lane, 0, lengthBytes);
    packet.setUint32(lane, 1, Math.floor(lengthBytes / HIGH_UNIT) + windowBits);
  }
  const shape = shapeOf(packet, shown, true);
  if (shape) return { laneBytes, longestBytes, offset: 0, shape };
  writeChunk(packet, bytesByLane, { offset: 0, laneByte: LENGTH_BYTES, lengthBytes: room });
  return { laneBytes, longestBytes, offset: room, shape };
}

/** Writes a piece of each lane's payload. */
export function writeChunk(packet: Packet, bytesByLane: Payloads, chunk: Chunk): void {
  const { offset, laneByte } = chunk;
  for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
    const bytes = bytesByLane[lane];
    const lengthBytes = bytes ? Math.min(chunk.lengthBytes, bytes.length - offset) : 0;
    if (lengthBytes > 0) writeLaneBytes(packet, { lane, laneByte, offset, lengthBytes }, bytes!);
  }
}

function shapeOf(packet: Packet, window: number, isSending: boolean): PartsShape | undefined {
  if (window === 1) return undefined;
  return { window, packetBytes: packet.laneCount * packet.laneWords * 4, isSending };
}

/** The length of the longest payload; checks that each is one, of a lane that takes part. */
function longestOf(packet: Packet, bytesByLane: Payloads): number {
  const { mask } = packet;
  let longestBytes = 0;
  for (let lane = 0; lane < bytesByLane.length; lane++) {
    const bytes = bytesByLane[lane];
    if (bytes === undefined || bytes === null) continue;
    checkByteArray(bytes);
    if (!hasLane(mask, lane)) {
      throw new RangeError(
        `Cannot send bytes for lane ${lane} as it does not take part: the lanes are ${
          lanesOf(mask)
        }`,
      );
    }
    longestBytes = Math.max(longestBytes, bytes.length);
  }
  return longestBytes;
}

/** Puts the packets of a stream together. */
export class StreamReader {
  readonly bytesByLane: (Uint8Array | undefined)[] = [];
  readonly #options: RecvStreamOptions;
  readonly #limitBytes: number;
  #longestBytes = 0;
  #shape: PartsShape | undefined;
  #hasLengths = false;
  /** Where the next packet's bytes go. */
  #offset = 0;

  constructor(options: RecvStreamOptions) {
    this.#limitBytes = limitOf(options);
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#hasLengths && this.#offset >= this.#longestBytes;
  }

  /** Whether the other side offers to send everything in parts, once the first packet has come. */
  get isOffered(): boolean {
    return this.#shape !== undefined && !this.isDone;
  }

  /** What it offers. */
  parts(): PartsWork {
    return new StreamParts(this.bytesByLane, this.#shape!);
  }

  take(packet: Packet): void {
    let laneByte = 0;
    if (!this.#hasLengths) {
      const window = this.#takeLengths(packet);
      this.#hasLengths = true;
      this.#shape = shapeOf(packet, window, false);
      if (this.#shape) return;
      laneByte = LENGTH_BYTES;
    }
    const lengthBytes = packet.laneWords * 4 - laneByte;
    this.#read(packet, { offset: this.#offset, laneByte, lengthBytes });
    this.#offset += lengthBytes;
  }

  #read(packet: Packet, chunk: Chunk): void {
    const { offset, laneByte } = chunk;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      const bytes = this.bytesByLane[lane]!;
      const lengthBytes = Math.min(chunk.lengthBytes, bytes.length - offset);
      if (lengthBytes > 0) readLaneBytes(packet, { lane, laneByte, offset, lengthBytes }, bytes);
    }
  }

  /** @returns the window */
  #takeLengths(packet: Packet): number {
    const { lengthsBytes, window } = this.#readLengths(packet);
    for (let lane = 0; lane < packet.laneCount; lane++) this.bytesByLane.push(undefined);
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      const lengthBytes = lengthsBytes[lane]!;
      this.bytesByLane[lane] = allocate(lengthBytes, lane, this.#options);
      this.#longestBytes = Math.max(this.#longestBytes, lengthBytes);
    }
    return window;
  }

  /**
   * Reads each length once: the other side could change it between a check and a use. The window is the
   * first lane's.
   */
  #readLengths(packet: Packet): { readonly lengthsBytes: readonly number[]; window: number } {
    const lengthsBytes: number[] = [];
    let shown = 1;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      const high = packet.getUint32(lane, 1);
      const window = WINDOWS[high >>> WINDOW_SHIFT];
      // The bits of a window that there is not are taken for some of the length.
      const highBytes = window === undefined ? high : high & (1 << WINDOW_SHIFT) - 1;
      const lengthBytes = packet.getUint32(lane, 0) + highBytes * HIGH_UNIT;
      if (lengthBytes > this.#limitBytes) this.#refuse(lane, lengthBytes);
      if (lane === packet.firstLane) shown = window ?? 1;
      lengthsBytes[lane] = lengthBytes;
    }
    return { lengthsBytes, window: shown };
  }

  #refuse(lane: number, lengthBytes: number): never {
    throw new LengthRefusedError(
      `Cannot receive a stream of ${lengthBytes} bytes on lane ${lane} as the limit is ${this.#limitBytes}${
        lengthHint(lengthBytes)
      }`,
    );
  }
}

function allocate(lengthBytes: number, lane: number, options: RecvStreamOptions): Uint8Array {
  const bytes = options.allocate?.(lengthBytes, lane) ?? new Uint8Array(lengthBytes);
  assert(bytes.length === lengthBytes, "an allocator returns as many bytes as it was asked for");
  return bytes;
}
