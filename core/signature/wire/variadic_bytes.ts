import type { HostVariadic, VariadicValue } from "../declare/value.ts";
import { ByteSlots, shown, SLOT_BYTES, SLOT_CODECS } from "./slot.ts";
import { alignUp } from "../../memory/regions.ts";
import type { CallerHeap } from "./heap_request.ts";

/** The most variadic arguments of a call: C promises 127 arguments of any kind. */
export const VARIADIC_MAX = 127;

/** What each tag means, by its number. Wire format: append only. */
export const TAGS = ["i32", "u32", "i64", "u64", "f64", "string"] as const;
type Tag = typeof TAGS[number];
/** The tag of an argument that is a text. */
export const TEXT_TAG: number = TAGS.indexOf("string");

/** One argument: a slot with its tag and the bytes of a text, then its value or the text. */
interface Entry {
  readonly type: Tag;
  readonly value: unknown;
}

/** Writes variadic arguments as bytes, or says what is wrong with one. */
export function writeVariadic(values: readonly VariadicValue[]): Uint8Array | string {
  if (values.length > VARIADIC_MAX) {
    return `there are ${values.length}, and ${VARIADIC_MAX} at most`;
  }
  const entries = values.map(entryOf);
  const texts: (Uint8Array | undefined)[] = [];
  for (const [index, { type, value }] of entries.entries()) {
    const text = type === "string" ? encodeText(value) : undefined;
    if (typeof text === "string") return `argument ${index} ${text}`;
    texts.push(text);
  }
  const sizes = texts.map((text) => SLOT_BYTES + (text ? alignUp(text.length, 8) : SLOT_BYTES));
  const slots = new ByteSlots(new Uint8Array(sizes.reduce((sum, size) => sum + size, 0)));
  let byte = 0;
  for (const [index, { type, value }] of entries.entries()) {
    const text = texts[index];
    slots.setUint32(byte / 4, TAGS.indexOf(type));
    slots.setUint32(byte / 4 + 1, text?.length ?? 0);
    if (text) slots.bytes.set(text, byte + SLOT_BYTES);
    else if (!SLOT_CODECS[type as "f64"].write(slots, byte / SLOT_BYTES + 1, value)) {
      return `argument ${index} is no ${type}: ${shown(value)}`;
    }
    byte += sizes[index]!;
  }
  return slots.bytes;
}

function entryOf(value: VariadicValue): Entry {
  switch (typeof value) {
    case "number":
      return { type: "f64", value };
    case "bigint":
      return { type: value < 2n ** 63n ? "i64" : "u64", value };
    case "boolean":
      return { type: "i32", value: value ? 1 : 0 };
    case "string":
      return { type: "string", value };
    default:
      return TAGS.includes(value?.type) ? value : { type: "f64", value };
  }
}

/**
 * Reads what {@linkcode writeVariadic} wrote, or what somebody says that it did.
 *
 * @throws {RangeError} when there are too many, a tag is none, or a text is longer than the bytes
 */
export function readVariadic(bytes: Uint8Array): HostVariadic[] {
  if (bytes.length % SLOT_BYTES !== 0) refuse();
  const slots = new ByteSlots(bytes);
  const values: HostVariadic[] = [];
  for (let byte = 0; byte < bytes.length;) {
    const type = TAGS[slots.getUint32(byte / 4)];
    const textBytes = slots.getUint32(byte / 4 + 1);
    const start = byte + SLOT_BYTES;
    byte = start + (type === "string" ? alignUp(textBytes, 8) : SLOT_BYTES);
    if (type === undefined || byte > bytes.length || values.length === VARIADIC_MAX) refuse();
    values.push(
      type === "string" ? { type, value: decodeText(bytes.subarray(start, start + textBytes)) } : {
        type,
        value: SLOT_CODECS[type].read(slots, start / SLOT_BYTES) as number,
      },
    );
  }
  return values;
}

function refuse(): never {
  throw new RangeError("Cannot read the variadic arguments as they are none of this format");
}

const ENCODER = new TextEncoder();
/** Keeps a mark of byte order: it is a character of the text. */
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a text, or what is wrong with it: what would not arrive as it is, is not sent. */
export function encodeText(text: unknown): Uint8Array | string {
  if (typeof text !== "string") return `must be a string: current value is ${shown(text)}`;
  if (text.includes("\0")) return `must hold no NUL: current value is ${JSON.stringify(text)}`;
  if (text.isWellFormed()) return ENCODER.encode(text);
  return `must hold no half of a surrogate pair: current value is ${JSON.stringify(text)}`;
}

/**
 * A text that the other side sent.
 *
 * @throws {RangeError} when it is not UTF-8, or holds a NUL, which would end it early for C
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new RangeError("Cannot take a text as it holds a NUL");
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new RangeError("Cannot take a text as it is not UTF-8");
  }
}

/** Bytes of an argument in a list: its tag, a word that is 0, and its value. */
const ENTRY_BYTES = 2 * SLOT_BYTES;

/**
 * The variadic arguments of a kernel's call, as `writeVariadic` writes them. In the heap each takes 16
 * bytes, and a text is an address.
 *
 * @throws {RangeError} when there are too many, or one does not lie in the heap
 */
export function heapVariadic(heap: CallerHeap, address: number, count: number): Uint8Array {
  if (count > VARIADIC_MAX) {
    throw new RangeError(
      `Cannot take the variadic arguments as there are ${VARIADIC_MAX} at most: current value is ${count}`,
    );
  }
  const list = heap.read(address, count * ENTRY_BYTES).slice();
  const entries = Array.from({ length: count }, (_, index) => {
    const entry = new ByteSlots(list.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES));
    return entry.getUint32(0) === TEXT_TAG
      ? textEntry(heap.readText(entry.getUint32(2)))
      : entry.bytes;
  });
  return joined(entries);
}

function textEntry(text: Uint8Array): Uint8Array {
  const entry = new ByteSlots(new Uint8Array(SLOT_BYTES + alignUp(text.length, SLOT_BYTES)));
  entry.setUint32(0, TEXT_TAG);
  entry.setUint32(1, text.length);
  entry.bytes.set(text, SLOT_BYTES);
  return entry.bytes;
}

/** Pieces of bytes as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let byte = 0;
  for (const part of parts) {
    whole.set(part, byte);
    byte += part.length;
  }
  return whole;
}
