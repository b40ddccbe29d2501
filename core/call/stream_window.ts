import type { Packet } from "../memory/packet.ts";

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

/** What a part carries. */
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
