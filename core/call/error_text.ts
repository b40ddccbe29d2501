import type { Packet } from "../memory/packet.ts";
import { Status } from "../memory/status.ts";

/** Bytes in front of the text: its length as a u32. */
const LENGTH_BYTES = 4;

/**
 * Writes what a handler failed with into the packet, as UTF-8: length, then text, over all lanes;
 * cut at the packet's end, 60 bytes on a channel of one lane.
 */
export function writeErrorText(packet: Packet, message: string): void {
  const bytes = packet.uint8;
  // encodeInto() refuses shared memory in some runtimes, hence the detour.
  const room = new Uint8Array(bytes.length - LENGTH_BYTES);
  const { written } = new TextEncoder().encodeInto(message, room);
  bytes.set(room.subarray(0, written), LENGTH_BYTES);
  packet.setUint32(0, 0, written);
}

/** Whether a reply of this status says in its packet what went wrong. */
export function hasErrorText(status: number): boolean {
  return status === Status.handlerFailed || status === Status.lengthRefused ||
    status === Status.handlerLate;
}

/** Reads the text back; the length is the other side's word and is cut to the packet. */
export function readErrorText(packet: Packet): string {
  const { uint8 } = packet;
  const lengthBytes = Math.min(packet.getUint32(0, 0), uint8.length - LENGTH_BYTES);
  const text = uint8.slice(LENGTH_BYTES, LENGTH_BYTES + lengthBytes);
  // Of an error that goes on in more packets the last character may be cut.
  return new TextDecoder().decode(text, { stream: true });
}
