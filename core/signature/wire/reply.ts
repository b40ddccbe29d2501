import { type Bytes, innerKind, type Parameter } from "../declare/kind.ts";
import type { Reference, Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { alignUp } from "../../memory/regions.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { ByteSlots, SLOT_BYTES } from "./slot.ts";
import { argumentKind, HEAD_SLOTS, putPart, resultSlots } from "./argument_kinds.ts";
import type { RequestPart } from "./argument_kinds.ts";
import { encodeStruct, readStruct, trailingBytes, TrailingTexts } from "./struct_bytes.ts";
import { decodeText } from "./variadic_bytes.ts";
import { writtenBytes } from "./wrote_bytes.ts";

/** What a function gave back. */
export interface HostReply {
  /** As the caller sees it: a handle is a number. */
  readonly result: unknown;
  /** C's `errno`, 0 when all is well. */
  readonly errno: number;
  /** Handles that the call made inside of structs. */
  readonly made?: readonly { readonly name: string; readonly handle: number }[];
}

/** What may go back of an argument, where it does: bytes, or a struct. */
function backKind(parameter: Parameter): Bytes | Reference | undefined {
  const kind = innerKind(parameter);
  const isBack = (kind.kind === "bytes" || kind.kind === "reference") && kind.direction !== "in";
  return isBack ? kind : undefined;
}

/** An argument that goes back, as a function got it or as its caller gave it. */
interface BackArgument {
  readonly index: number;
  readonly value: object;
  /** All of it. */
  readonly sizeBytes: number;
  readonly reference: Reference | undefined;
}

function backArguments(target: ApiFunction, values: readonly unknown[]): readonly BackArgument[] {
  return target.signature.parameters.flatMap((parameter, index) => {
    const value = values[index];
    const kind = backKind(parameter);
    if (!kind || value === null) return [];
    const reference = kind.kind === "reference" ? kind : undefined;
    const sizeBytes = reference
      ? structLayout(reference.struct).sizeBytes
      : (value as Uint8Array).length;
    return [{ index, value: value as object, sizeBytes, reference }];
  });
}

/** How many bytes of a reply come before what goes back of its arguments. */
function headBytes({ signature: { result } }: ApiFunction): number {
  return (HEAD_SLOTS + resultSlots(result)) * SLOT_BYTES;
}

/** How many bytes arguments of these sizes take in a reply, each behind its count. */
function backBytes(sizesBytes: readonly number[]): number {
  return sizesBytes.reduce((sum, one) => sum + SLOT_BYTES + alignUp(one, SLOT_BYTES), 0);
}

/** Where an argument lies in a reply. */
interface BackPlace extends BackArgument {
  /** What came back of it: the start of an array, a struct. */
  readonly bytes: Uint8Array;
}

/**
 * Where everything is in a reply to these arguments, up to the text of the result.
 *
 * @throws {RangeError} when it says that more came back than there is room for
 */
export function backPlaces(
  target: ApiFunction,
  values: readonly unknown[],
  slots: ByteSlots,
): { readonly places: readonly BackPlace[]; readonly endByte: number } {
  const { bytes } = slots;
  let byte = headBytes(target);
  const places = backArguments(target, values).map((argument) => {
    const { sizeBytes, reference } = argument;
    if (byte + SLOT_BYTES > bytes.length) {
      refuseReply(target, `it has ${bytes.length} bytes, and ${byte + SLOT_BYTES} are due`);
    }
    const countBytes = slots.getUint32(byte / 4);
    const start = byte + SLOT_BYTES;
    const due = reference
      ? start + sizeBytes <= bytes.length
        ? sizeBytes + trailingBytes(slots.view, start, reference.struct)
        : Infinity
      : Math.min(countBytes, sizeBytes);
    if (countBytes !== due) {
      refuseReply(target, `${countBytes} bytes came for argument ${argument.index}`);
    }
    byte = start + alignUp(countBytes, SLOT_BYTES);
    return { ...argument, bytes: bytes.subarray(start, start + countBytes) };
  });
  return { places, endByte: byte };
}

/**
 * What is wrong with the lengths that a function wrote: they say how much of an array it filled.
 *
 * @param values with the structs as the function left them
 */
function lengthProblem({ signature }: ApiFunction, values: readonly unknown[]): string | undefined {
  for (const [index, parameter] of signature.parameters.entries()) {
    const { length } = (backKind(parameter) ?? {}) as Partial<Bytes>;
    if (!length || values[index] === null) continue;
    const filledBytes = length.of(values);
    const roomBytes = (values[index] as Uint8Array).length;
    if (filledBytes <= roomBytes) continue;
    return `says that it filled ${
      length.textOf(values)
    } bytes of argument ${index}, which has ${roomBytes}: ${
      length.problem(values) ?? "its length goes beyond"
    }`;
  }
  return undefined;
}

/**
 * Writes what a function gave back.
 *
 * ```text
 * errno     i32, and a word that is 0
 * result    a slot; as many as its size takes for a struct, none for nothing
 * back      for each struct and each array that the function wrote: a slot with its bytes, u32, and
 *           the bytes, filled up to a slot; an array may be shorter than its caller's, and a struct
 *           has its texts behind it
 * text      of a result that is one, or has some in its struct
 * ```
 *
 * @param values what the function got, and wrote to
 * @throws {TypeError} when the result is none of its kind: the function's fault
 */
export function encodeReply(
  target: ApiFunction,
  values: readonly unknown[],
  { result, errno }: HostReply,
): Uint8Array {
  const back = backArguments(target, values);
  const hasFailed = errno !== 0;
  const structs = back.map(({ reference, value }) =>
    reference && encodedStruct(target, { struct: reference.struct, value, hasFailed })
  );
  const counts = back.map(({ value, sizeBytes }, index) =>
    structs[index]?.length ?? writtenBytes(value) ?? sizeBytes
  );
  const part = resultPart(target, result);
  let byte = headBytes(target);
  const endByte = byte + backBytes(counts);
  const slots = new ByteSlots(new Uint8Array(endByte + (part.payload?.length ?? 0)));
  slots.setUint32(0, errno);
  putPart(slots, { slot: HEAD_SLOTS, count: resultSlots(target.signature.result) }, part);
  // What a function that failed wrote is its own affair: how much room it needs, for example.
  const problem = errno === 0 ? lengthProblem(target, values) : undefined;
  if (problem) refuseResult(target, problem);
  for (const [index, { value }] of back.entries()) {
    const countBytes = counts[index]!;
    slots.setUint32(byte / 4, countBytes);
    byte += SLOT_BYTES;
    const struct = structs[index];
    if (struct) slots.bytes.set(struct, byte);
    else putArray(target, value as Uint8Array, slots.bytes.subarray(byte, byte + countBytes));
    byte += alignUp(countBytes, SLOT_BYTES);
  }
  if (part.payload) slots.bytes.set(part.payload, endByte);
  return slots.bytes;
}

function encodedStruct(
  target: ApiFunction,
  what: { readonly struct: Struct; readonly value: unknown; readonly hasFailed: boolean },
): Uint8Array {
  const bytes = encodeStruct(what);
  return typeof bytes === "string"
    ? refuseResult(target, `wrote to a struct, and ${bytes}`)
    : bytes;
}

/** What a result becomes; a text of it lies behind all else. */
function resultPart(target: ApiFunction, result: unknown): RequestPart {
  const kind = target.signature.result;
  if (kind.kind === "void") return {};
  const part = argumentKind(kind).write(kind, result);
  if (typeof part !== "string") return part;
  switch (innerKind(kind).kind) {
    case "string":
      return refuseResult(target, `returned a text that ${part}`);
    case "struct":
      return refuseResult(target, part.replace("is wrong", "returned no such struct"));
    default:
      return refuseResult(target, part.replace("must be", "must return"));
  }
}

function putArray(target: ApiFunction, array: Uint8Array, room: Uint8Array): void {
  const { detached } = array.buffer as ArrayBuffer;
  if (detached) refuseResult(target, "gave the memory of an argument away");
  room.set(array.subarray(0, room.length));
}

/** What is wrong with what a function gave back. */
export function refuseResult(target: ApiFunction, problem: string): never {
  throw new TypeError(`Cannot answer ${target.name} as its function ${problem}`);
}

function hasTexts(struct: Struct): boolean {
  return structLayout(struct).texts.length > 0;
}

/** The most bytes that a reply to these arguments can have. */
export function replyLimitBytes(
  target: ApiFunction,
  values: readonly unknown[],
  textLimitBytes: number,
): number {
  const { result } = target.signature;
  const back = backArguments(target, values);
  const texts = back.filter(({ reference }) => reference && hasTexts(reference.struct));
  const isText = result.kind === "string" || result.kind === "nullable" ||
    result.kind === "struct" && hasTexts(result);
  const sizes = back.map(({ sizeBytes }) => sizeBytes);
  // The texts of each struct are filled up to a slot.
  const textBytes = isText || texts.length > 0 ? textLimitBytes + SLOT_BYTES * texts.length : 0;
  return headBytes(target) + backBytes(sizes) + textBytes;
}

/**
 * Reads a reply, and puts into the caller's arrays and objects what came back.
 *
 * @param values what the caller gave, by parameter
 * @throws {RangeError} when the bytes are no reply to this call; nothing was put anywhere then
 */
export function decodeReply(
  target: ApiFunction,
  values: readonly unknown[],
  bytes: Uint8Array,
): HostReply {
  const slots = new ByteSlots(bytes);
  const { places, endByte } = backPlaces(target, values, slots);
  const textBytes = bytes.length - endByte;
  if (textBytes < 0) refuseReply(target, `it has ${bytes.length} bytes, and ${endByte} are due`);
  const result = resultOf(slots, target, { endByte, textBytes });
  const errno = slots.getUint32(0) | 0;
  const read = ({ bytes, sizeBytes, reference }: BackPlace, target: object = {}) => {
    const texts = new TrailingTexts(bytes.subarray(sizeBytes));
    return readStruct(new ByteSlots(bytes).view, 0, { struct: reference!.struct, target, texts });
  };
  // What cannot be read is refused before anything is put anywhere.
  const after = [...values];
  for (const place of places) if (place.reference) after[place.index] = read(place);
  if (errno === 0 && countsFields(target)) {
    const problem = lengthProblem(target, after);
    if (problem) refuseReply(target, `it ${problem}`);
  }
  for (const place of places) {
    if (place.reference) read(place, place.value);
    else (place.value as Uint8Array).set(place.bytes);
  }
  return { result, errno };
}

/** Whether the function says by a field how much of an array it filled. */
function countsFields({ signature: { parameters } }: ApiFunction): boolean {
  return parameters.some((parameter) => {
    const { length } = innerKind(parameter) as Bytes;
    return length?.sources.some(({ path }) => path.length > 0);
  });
}

function refuseReply(target: ApiFunction, problem: string): never {
  throw new RangeError(
    `Cannot finish the call of ${target.name} as the reply is broken: ${problem}`,
  );
}

function resultOf(
  slots: ByteSlots,
  target: ApiFunction,
  { endByte, textBytes }: { readonly endByte: number; readonly textBytes: number },
): unknown {
  const { result } = target.signature;
  const inner = innerKind(result);
  const start = HEAD_SLOTS * SLOT_BYTES;
  const head = result.kind === "void"
    ? undefined
    : argumentKind(result).head(result, slots, HEAD_SLOTS);
  const structBytes = inner.kind === "struct" ? trailingBytes(slots.view, start, inner) : 0;
  const due = inner.kind === "string" ? head ?? 0 : structBytes;
  if (textBytes !== due) {
    const isText = inner.kind === "string";
    refuseReply(target, `${isText ? "its text has" : "behind all else it has"} ${textBytes} bytes`);
  }
  if (inner.kind === "string" && head !== null) return decodeText(slots.bytes.subarray(endByte));
  if (inner.kind !== "struct" || !hasTexts(inner)) return head;
  const texts = new TrailingTexts(slots.bytes.subarray(endByte));
  return readStruct(slots.view, start, { struct: inner, texts });
}
