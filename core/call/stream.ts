import { assert } from "../memory/assert.ts";
import { checkByteArray } from "./byte_array.ts";
import { checkLimit, LengthRefusedError } from "./limit.ts";
import { hasLane, lanesOf } from "../memory/lane_mask.ts";
import type { Packet } from "../memory/packet.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import type { PacketWork } from "../memory/packet.ts";

/** Bytes of the length in front of a stream: a u64, low word first. */
const LENGTH_BYTES = 8;

/** Either side's port, as far as sending a stream needs it. */
export interface SendingPort {
  /** Fills the packet and gives it away, waiting until it is here if it must. */
  send(fill: PacketWork, options?: WaitOptions): unknown;
}

/** Either side's port, as far as receiving a stream needs it. */
export interface ReceivingPort {
  /** Waits until the packet is here, and uses it. */
  recv(use: PacketWork, options?: WaitOptions): unknown;
}

/** A port that can wait without blocking. */
export interface AsyncReceivingPort {
  /** As `recv` of a {@linkcode ReceivingPort}, without blocking the event loop. */
  recvAsync(use: PacketWork, options?: WaitOptions): Promise<unknown>;
}

/** A port after a stream was sent on it: in a state in which the types allow a receive, too. */
export interface StreamedPort extends SendingPort {
  /** Fits any holder, as far as types can tell. */
  readonly holder: never;
}

/** What a receiver takes. */
export interface RecvBytesOptions extends WaitOptions {
  /** A number of bytes. The longest payload of one lane. There is no default: the length comes from the other side. */
  readonly limitBytes: number;
  /** Where a lane's payload goes; must return exactly `lengthBytes` bytes. New arrays when absent. */
  readonly allocate?: (lengthBytes: number, lane: number) => Uint8Array;
}

/**
 * Sends a payload for each lane that takes part, of lengths that may differ. A payload that is
 * missing counts as empty.
 *
 * Sends 1 + ceil(max(0, longest - 56) / 64) packets on a channel of 64 bytes a lane, and waits for the
 * other side between them. Wire format of LLVM libc's `send_n`: a u64 length and 56 bytes, then 64 bytes a
 * packet, or more as the channel's `laneBytes` says; lanes that are done take part to the end.
 *
 * Every packet costs a round trip, about as much as a call. A mebibyte there and back took, at best, in
 * runs that `postMessage` did in 1 ms: 31 to 52 ms through 1 lane, 7 to 23 through 32, 9 to 24 through
 * 64, and as one message (`Client.callBytes`) 38 to 183, 3 and 0.9 to 20 ms. With fewer free
 * processors than workers each packet waits for one to wake, and medians were ten to forty times that.
 *
 * @param options a deadline or a signal, of the whole stream
 * @throws {RangeError} when a payload is given for a lane that does not take part; nothing is sent
 * @throws {TypeError} when a payload is no `Uint8Array`; nothing is sent
 */
export function sendBytes(
  port: SendingPort,
  bytesByLane: readonly (Uint8Array | undefined)[],
  options?: WaitOptions,
): asserts port is StreamedPort {
  const deadline = Deadline.of(options);
  let longestBytes = 0;
  let laneBytes = 0;
  port.send((packet) => {
    checkLanes(packet, bytesByLane);
    laneBytes = packet.laneWords * 4;
    packet.forEachLane((lane) => {
      const bytes = bytesByLane[lane];
      const lengthBytes = bytes?.length ?? 0;
      longestBytes = Math.max(longestBytes, lengthBytes);
      packet.setUint32(lane, 0, lengthBytes);
      packet.setUint32(lane, 1, Math.floor(lengthBytes / 2 ** 32));
      if (bytes) packet.writeLane(lane, bytes.subarray(0, laneBytes - LENGTH_BYTES), LENGTH_BYTES);
    });
  }, deadline);
  for (let offset = laneBytes - LENGTH_BYTES; offset < longestBytes; offset += laneBytes) {
    port.send((packet) => sendChunk(packet, bytesByLane, offset), deadline);
  }
}

function sendChunk(
  packet: Packet,
  bytesByLane: readonly (Uint8Array | undefined)[],
  offset: number,
): void {
  packet.forEachLane((lane) => {
    const bytes = bytesByLane[lane];
    if (bytes && offset < bytes.length) {
      packet.writeLane(lane, bytes.subarray(offset, offset + packet.laneWords * 4));
    }
  });
}

function checkLanes(packet: Packet, bytesByLane: readonly (Uint8Array | undefined)[]): void {
  const { mask } = packet;
  for (const bytes of bytesByLane) if (bytes !== undefined && bytes !== null) checkByteArray(bytes);
  const stray = bytesByLane.findIndex((bytes, lane) => bytes && !hasLane(mask, lane));
  if (stray < 0) return;
  throw new RangeError(
    `Cannot send bytes for lane ${stray} as it does not take part: the lanes are ${lanesOf(mask)}`,
  );
}

/**
 * Receives what {@linkcode sendBytes} sends.
 *
 * @returns the payloads by lane; `undefined` for lanes that do not take part
 * @throws {RangeError} when the limit is not a number of at least 0
 * @throws {LengthRefusedError} when a lane's length is beyond the limit, before anything is allocated.
 * The port stays usable: a handler lets it pass, a client closes.
 */
export function recvBytes(
  port: ReceivingPort,
  options: RecvBytesOptions,
): (Uint8Array | undefined)[] {
  const reader = new StreamReader(options);
  const deadline = Deadline.of(options);
  do port.recv((packet) => reader.take(packet), deadline); while (!reader.isDone);
  return reader.bytesByLane;
}

/** As {@linkcode recvBytes}, without blocking the event loop. */
export async function recvBytesAsync(
  port: AsyncReceivingPort,
  options: RecvBytesOptions,
): Promise<(Uint8Array | undefined)[]> {
  const reader = new StreamReader(options);
  const deadline = Deadline.of(options);
  do await port.recvAsync((packet) => reader.take(packet), deadline); while (!reader.isDone);
  return reader.bytesByLane;
}

/** Puts the packets of a stream together. */
class StreamReader {
  readonly bytesByLane: (Uint8Array | undefined)[] = [];
  readonly #options: RecvBytesOptions;
  #longestBytes = 0;
  /** Where the next packet's bytes go; 0 before the first. */
  #offset = 0;

  constructor(options: RecvBytesOptions) {
    checkLimit(options.limitBytes);
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#offset >= this.#longestBytes;
  }

  take(packet: Packet): void {
    const laneBytes = packet.laneWords * 4;
    if (this.#offset === 0) return this.#takeFirst(packet, laneBytes - LENGTH_BYTES);
    const end = this.#offset + laneBytes;
    packet.forEachLane((lane) =>
      packet.readLane(lane, this.bytesByLane[lane]!.subarray(this.#offset, end))
    );
    this.#offset = end;
  }

  #takeFirst(packet: Packet, firstBytes: number): void {
    const lengthsBytes = readLengths(packet, this.#options.limitBytes);
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

/** Reads each length once: the other side could change it between a check and a use. */
function readLengths(packet: Packet, limitBytes: number): Map<number, number> {
  const lengthsBytes = new Map<number, number>();
  packet.forEachLane((lane) => {
    const lengthBytes = packet.getUint32(lane, 0) + packet.getUint32(lane, 1) * 2 ** 32;
    if (lengthBytes > limitBytes) {
      throw new LengthRefusedError(
        `Cannot receive a stream of ${lengthBytes} bytes on lane ${lane} as the limit is ${limitBytes}`,
      );
    }
    lengthsBytes.set(lane, lengthBytes);
  });
  return lengthsBytes;
}

function allocate(lengthBytes: number, lane: number, options: RecvBytesOptions): Uint8Array {
  const bytes = options.allocate?.(lengthBytes, lane) ?? new Uint8Array(lengthBytes);
  assert(bytes.length === lengthBytes, "an allocator returns as many bytes as it was asked for");
  return bytes;
}
