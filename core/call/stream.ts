import type { Packet, PacketWork } from "../memory/packet.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import { Form } from "../memory/port_headers.ts";
import type { LimitOptions } from "./limit.ts";
import {
  checkWindow,
  StreamReader,
  type StreamRest,
  writeChunk,
  writeFirst,
} from "./stream_packets.ts";
import { type PartsWork, StreamParts } from "./stream_parts.ts";

/** A port that tells the other side what crosses. */
export interface FormedPort {
  /**
   * Says, before the first packet of a client, what it begins; compares that, on a server.
   *
   * @internal
   * @throws {TypeError} when the client said something else
   */
  declareForm?(form: Form): void;
}

/** Either side's port, as far as sending a stream needs it. */
export interface SendingPort extends FormedPort {
  /** Fills the packet and gives it away, waiting until it is here if it must. */
  send(fill: PacketWork, options?: WaitOptions): unknown;
  /** Says that it is going to send in parts; not every port can. */
  offerParts?(): boolean;
  /** Sends all parts; returns whether the other side takes any. */
  sendParts?(work: PartsWork, options?: WaitOptions): boolean;
}

/** Either side's port, as far as receiving a stream needs it. */
export interface ReceivingPort extends FormedPort {
  /** Waits until the packet is here, and uses it. */
  recv(use: PacketWork, options?: WaitOptions): unknown;
  /** Receives all parts, unless this side takes none; returns whether it did. */
  recvParts?(partsWork: () => PartsWork, options?: WaitOptions): boolean;
}

/** A port that can wait without blocking. */
export interface AsyncReceivingPort extends FormedPort {
  /** As `recv` of a {@linkcode ReceivingPort}, without blocking the event loop. */
  recvAsync(use: PacketWork, options?: WaitOptions): Promise<unknown>;
}

/** A port that can wait without blocking. */
export interface AsyncSendingPort extends FormedPort {
  /** As `send` of a {@linkcode SendingPort}, without blocking the event loop. */
  sendAsync(fill: PacketWork, options?: WaitOptions): Promise<unknown>;
}

/** A port after a stream was sent on it: in a state in which the types allow a receive, too. */
export interface StreamedPort extends SendingPort {
  /** Fits any holder, as far as types can tell. */
  readonly holder: never;
}

/** How a stream is sent. */
export interface SendStreamOptions extends WaitOptions {
  /** How many parts of a packet may be under way at once: 1 when absent, 2, 4 or 8. */
  readonly window?: number;
}

/** What a receiver takes. */
export interface RecvStreamOptions extends WaitOptions, LimitOptions {
  /**
   * Where a lane's payload goes; must return exactly `lengthBytes` bytes. New arrays when absent, which may
   * cost more than the stream: 64 KiB through one lane took 34 us with a new array, and 7 without.
   */
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
 * 64, and as one message (`Client.callMessage`) 38 to 183, 3 and 0.9 to 20 ms. With fewer free
 * processors than workers each packet waits for one to wake, and medians were ten to forty times that.
 *
 * With a `window`, what does not fit into one packet goes in parts: the whole packet is divided into that
 * many places, and the next ones are filled while the other side takes the last. The stream costs three
 * round trips, however long it is. Where a port of either side cannot do that, the stream goes on packet by
 * packet: where a side may not block, or waits in a way of its own, in a kernel, and in ports of
 * `core/linear`. Packets of 64 KiB or more, all lanes together, carry most.
 *
 * @param options a deadline or a signal, of the whole stream, and its window
 * @throws {RangeError} when a payload is given for a lane that does not take part, or there is no such
 * window; nothing is sent
 * @throws {TypeError} when a payload is no `Uint8Array`, or the client sent no stream and waits for none;
 * nothing is sent
 */
export function sendStream(
  port: SendingPort,
  bytesByLane: readonly (Uint8Array | undefined)[],
  options?: SendStreamOptions,
): asserts port is StreamedPort {
  const { window = 1 } = options ?? {};
  checkWindow(window);
  const deadline = Deadline.of(options);
  port.declareForm?.(Form.stream);
  const offer = () => window > 1 && port.offerParts?.() ? window : 1;
  let first: StreamRest | undefined;
  port.send((packet) => void (first = writeFirst(packet, bytesByLane, offer)), deadline);
  const rest = first!;
  if (rest.shape && port.sendParts!(new StreamParts(bytesByLane, rest.shape), deadline)) return;
  const { laneBytes: lengthBytes, longestBytes } = rest;
  for (let { offset } = rest; offset < longestBytes; offset += lengthBytes) {
    const chunk = { offset, laneByte: 0, lengthBytes };
    port.send((packet) => writeChunk(packet, bytesByLane, chunk), deadline);
  }
}

/** As {@linkcode sendStream} without a window, without blocking the event loop. */
export async function sendStreamAsync(
  port: AsyncSendingPort,
  bytesByLane: readonly (Uint8Array | undefined)[],
  options?: WaitOptions,
): Promise<void> {
  const deadline = Deadline.of(options);
  let first: StreamRest | undefined;
  port.declareForm?.(Form.stream);
  const fill = (packet: Packet) => void (first = writeFirst(packet, bytesByLane, () => 1));
  await port.sendAsync(fill, deadline);
  const { laneBytes: lengthBytes, longestBytes, offset: begin } = first!;
  for (let offset = begin; offset < longestBytes; offset += lengthBytes) {
    const chunk = { offset, laneByte: 0, lengthBytes };
    await port.sendAsync((packet) => writeChunk(packet, bytesByLane, chunk), deadline);
  }
}

/**
 * Receives what {@linkcode sendStream} sends.
 *
 * @param options `limitBytes`: the longest payload of one lane; a mebibyte when absent
 * @returns the payloads by lane; `undefined` for lanes that do not take part
 * @throws {RangeError} when the limit is not a number of at least 0
 * @throws {TypeError} when the client sent a message or a value
 * @throws {LengthRefusedError} when a lane's length is beyond the limit, before anything is allocated.
 * The port stays usable: a handler lets it pass, a client closes.
 */
export function recvStream(
  port: ReceivingPort,
  options: RecvStreamOptions = {},
): (Uint8Array | undefined)[] {
  const reader = new StreamReader(options);
  const deadline = Deadline.of(options);
  const take = (packet: Packet) => reader.take(packet);
  port.declareForm?.(Form.stream);
  port.recv(take, deadline);
  if (reader.isOffered && port.recvParts?.(() => reader.parts(), deadline)) {
    return reader.bytesByLane;
  }
  while (!reader.isDone) port.recv(take, deadline);
  return reader.bytesByLane;
}

/** As {@linkcode recvStream}, without blocking the event loop. */
export async function recvStreamAsync(
  port: AsyncReceivingPort,
  options: RecvStreamOptions = {},
): Promise<(Uint8Array | undefined)[]> {
  const reader = new StreamReader(options);
  const deadline = Deadline.of(options);
  port.declareForm?.(Form.stream);
  do await port.recvAsync((packet) => reader.take(packet), deadline); while (!reader.isDone);
  return reader.bytesByLane;
}
