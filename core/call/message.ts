import type { Packet } from "../memory/packet.ts";
import { Form } from "../memory/port_headers.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import type { ValueCodec } from "./codec.ts";
import { lengthHint, LengthRefusedError, limitOf, type LimitOptions } from "./limit.ts";
import type { AsyncReceivingPort, AsyncSendingPort, ReceivingPort, SendingPort } from "./stream.ts";

/** Bytes of the length in front of a message: a u64, low word first. */
export const MESSAGE_HEAD_BYTES = 8;

/** How a message is asked for: how long to wait, and what is taken. */
export interface MessageOptions extends WaitOptions, LimitOptions {}

/** How values cross, and how many bytes of them. */
export interface CodecOptions extends LimitOptions {
  /** The same on both sides: `jsonCodec` when absent, or `cloneCodec`. */
  readonly codec?: ValueCodec;
}

interface FormOptions {
  readonly form?: Form;
}

/**
 * Writes a message into packets: a u64 length and the bytes, over all lanes of the packet, whatever
 * its mask. A channel of 64 lanes moves 4 KiB a packet so, where a stream moves 64 bytes a lane.
 */
export class MessageWriter {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #hasBegun = false;

  /** @throws {TypeError} when the bytes are none */
  constructor(bytes: Uint8Array) {
    checkByteArray(bytes);
    this.#bytes = bytes;
  }

  /** Whether everything was put into a packet. */
  get isDone(): boolean {
    return this.#hasBegun && this.#offset >= this.#bytes.length;
  }

  /** Fills one packet with what comes next. */
  put(packet: Packet): void {
    const head = this.#hasBegun ? 0 : MESSAGE_HEAD_BYTES;
    const room = packet.uint8;
    if (!this.#hasBegun) {
      packet.uint32[0] = this.#bytes.length;
      packet.uint32[1] = Math.floor(this.#bytes.length / 2 ** 32);
    }
    this.#hasBegun = true;
    const end = this.#offset + room.length - head;
    room.set(this.#bytes.subarray(this.#offset, end), head);
    this.#offset = Math.min(end, this.#bytes.length);
  }
}

/** Reads what a {@linkcode MessageWriter} wrote. */
export class MessageReader {
  readonly #limitBytes: number;
  #bytes: Uint8Array | undefined;
  #offset = 0;

  /** @throws {RangeError} when the limit is not a number of at least 0 */
  constructor(limitBytes: number) {
    this.#limitBytes = limitOf({ limitBytes });
  }

  /** Whether the message is whole. */
  get isDone(): boolean {
    return this.#bytes !== undefined && this.#offset >= this.#bytes.length;
  }

  /** What has come: the message, once it is done. */
  get bytes(): Uint8Array {
    return this.#bytes?.subarray(0, this.#offset) ?? new Uint8Array();
  }

  /**
   * Takes the bytes of one packet.
   *
   * @throws {LengthRefusedError} at the first, when the length is beyond the limit; nothing was
   * allocated then
   */
  take(packet: Packet): void {
    const head = this.#bytes === undefined ? MESSAGE_HEAD_BYTES : 0;
    const bytes = this.#bytes ??= new Uint8Array(this.#readLength(packet));
    const source = packet.uint8;
    const countBytes = Math.min(source.length - head, bytes.length - this.#offset);
    bytes.set(source.subarray(head, head + countBytes), this.#offset);
    this.#offset += countBytes;
  }

  /** Each word is read once: the other side could change it between a check and a use. */
  #readLength({ uint32 }: Packet): number {
    const lengthBytes = uint32[0]! + uint32[1]! * 2 ** 32;
    if (lengthBytes <= this.#limitBytes) return lengthBytes;
    throw new LengthRefusedError(
      `Cannot receive ${lengthBytes} bytes as the limit is ${this.#limitBytes}${
        lengthHint(lengthBytes)
      }`,
    );
  }
}

/**
 * Sends a message on a port of either side. Waits for the other side between packets.
 *
 * @param options `form`: what a client calls it; `Form.message` when absent
 */
export function sendMessage(
  port: SendingPort,
  bytes: Uint8Array,
  options?: FormOptions & WaitOptions,
): void {
  const deadline = Deadline.of(options);
  port.declareForm?.(options?.form ?? Form.message);
  const writer = new MessageWriter(bytes);
  do port.send((packet) => writer.put(packet), deadline); while (!writer.isDone);
}

/** As {@linkcode sendMessage}, without blocking the event loop. */
export async function sendMessageAsync(
  port: AsyncSendingPort,
  bytes: Uint8Array,
  options?: FormOptions & WaitOptions,
): Promise<void> {
  const deadline = Deadline.of(options);
  port.declareForm?.(options?.form ?? Form.message);
  const writer = new MessageWriter(bytes);
  do await port.sendAsync((packet) => writer.put(packet), deadline); while (!writer.isDone);
}

/**
 * Receives what {@linkcode sendMessage} sends.
 *
 * @throws {RangeError} when the limit is not a number of at least 0
 * @throws {TypeError} when the client sent something else, and says so
 * @throws {LengthRefusedError} when the message is longer; nothing was allocated then
 */
export function recvMessage(
  port: ReceivingPort,
  options: FormOptions & MessageOptions = {},
): Uint8Array {
  const reader = new MessageReader(limitOf(options));
  const deadline = Deadline.of(options);
  port.declareForm?.(options.form ?? Form.message);
  do port.recv((packet) => reader.take(packet), deadline); while (!reader.isDone);
  return reader.bytes;
}

/** As {@linkcode recvMessage}, without blocking the event loop. */
export async function recvMessageAsync(
  port: AsyncReceivingPort,
  options: FormOptions & MessageOptions = {},
): Promise<Uint8Array> {
  const reader = new MessageReader(limitOf(options));
  const deadline = Deadline.of(options);
  port.declareForm?.(options.form ?? Form.message);
  do await port.recvAsync((packet) => reader.take(packet), deadline); while (!reader.isDone);
  return reader.bytes;
}

/**
 * Checks that a value can be sent as bytes. Arrays of wider elements have a length, too, that is not
 * one of bytes; by its tag, because a `Uint8Array` may be of another realm.
 *
 * @throws {TypeError} when it is no `Uint8Array`
 */
export function checkByteArray(value: unknown): asserts value is Uint8Array {
  const tag = Object.prototype.toString.call(value);
  if (tag === "[object Uint8Array]") return;
  throw new TypeError(`Cannot send bytes as they must be a Uint8Array: current value is ${tag}`);
}
