import { hasLane, lanesOf } from "../memory/lane_mask.ts";
import type { Packet } from "../memory/packet.ts";
import { checkByteArray } from "./byte_array.ts";
import {
  type Chunk,
  LENGTH_BYTES,
  type StreamRest,
  WINDOW_SHIFT,
  WINDOWS,
} from "./stream_window.ts";

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
