import type { Packet } from "../memory/packet.ts";
import { type ErrorReport, errorReport } from "./error_report.ts";
import { MESSAGE_HEAD_BYTES, MessageReader, MessageWriter } from "./message.ts";

/** The most that is sent of an error: name, then message, then stack, cut at the end. */
export const ERROR_LIMIT_BYTES = 1 << 16;
/** In front of the texts, one u32: the bytes of the name in its low byte, above those of the message. */
const HEAD_BYTES = 4;
const NAME_BYTES_MAX = 255;

/**
 * Describes what was thrown as bytes for a message, cut at whole characters.
 *
 * @param limitBytes at least 4: how many bytes there may be. Where they do not hold name and message,
 * the name is left out
 */
export function encodeError(thrown: unknown, limitBytes: number): Uint8Array {
  const { name, message, stack } = errorReport(thrown);
  const bytes = new Uint8Array(limitBytes);
  const put = (text: string, from: number, to = limitBytes) =>
    new TextEncoder().encodeInto(text, bytes.subarray(from, to));
  let messageByte = HEAD_BYTES + put(name, HEAD_BYTES, HEAD_BYTES + NAME_BYTES_MAX).written;
  let { read, written } = put(message, messageByte);
  if (read < message.length) {
    messageByte = HEAD_BYTES;
    ({ read, written } = put(message, messageByte));
  }
  const stackByte = messageByte + written;
  const end = stackByte + put(stack, stackByte).written;
  const head = (written << 8) | (messageByte - HEAD_BYTES);
  new DataView(bytes.buffer).setUint32(0, head, true);
  return bytes.slice(0, end);
}

/** Reads it back, whole or cut off anywhere; lengths that lie lead nowhere beyond the bytes. */
export function decodeError(bytes: Uint8Array): ErrorReport {
  if (bytes.length < HEAD_BYTES) return { name: "Error", message: "", stack: "" };
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  const messageByte = HEAD_BYTES + head.getUint8(0);
  const stackByte = messageByte + (head.getUint32(0, true) >>> 8);
  const text = (from: number, to?: number) => new TextDecoder().decode(bytes.subarray(from, to));
  return {
    name: text(HEAD_BYTES, messageByte) || "Error",
    message: text(messageByte, stackByte),
    stack: text(stackByte),
  };
}

/** Writes an error for a client that takes it whole; what does not fit follows in more packets. */
export function errorWriter(thrown: unknown): MessageWriter {
  return new MessageWriter(encodeError(thrown, ERROR_LIMIT_BYTES));
}

/** Writes as much of an error as one packet takes, for a server that cannot wait for its client. */
export function cutErrorWriter(thrown: unknown, { uint8 }: Packet): MessageWriter {
  return new MessageWriter(encodeError(thrown, uint8.length - MESSAGE_HEAD_BYTES));
}

/** Reads an error on the client's side. */
export function errorReader(): MessageReader {
  return new MessageReader(ERROR_LIMIT_BYTES);
}
