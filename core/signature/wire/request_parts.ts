import { alignUp } from "../../memory/regions.ts";
import { innerKind, type Parameter, type Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { requestSlots } from "./call_shape.ts";
import { ByteSlots, SLOT_BYTES } from "./slot.ts";

/** In the low word of a slot that has a length: there is nothing, not even no bytes. */
export const NULL_LENGTH = 0xffffffff;
/** In front of the slots of a request: the hash of the signature, and a word that is 0. */
export const HEAD_SLOTS = 1;

/** What an argument becomes in a request. */
export interface RequestPart {
  /** The words of its slot; in front of a struct that may be null, whether it is there. */
  readonly low?: number;
  readonly high?: number;
  /** What lies in its slots. */
  readonly struct?: Uint8Array;
  /** What lies behind all slots. */
  readonly payload?: Uint8Array;
  /** What its slot has the length of, when the request is made: an array may be resized until then. */
  readonly counted?: Uint8Array;
}

/** Of an argument that has no slot, or whose slot is 0. */
export const NO_PART: RequestPart = {};
/** Of bytes, or a text, that are null. */
export const NULL_COUNTED: RequestPart = { low: NULL_LENGTH };

/** Of bytes, a text, or variadic arguments; of those that only come back, the length alone. */
export function counted(bytes: Uint8Array, isSent = true): RequestPart {
  return isSent ? { counted: bytes, payload: bytes } : { counted: bytes };
}

/** Of an argument that is null. */
export function nullPart(parameter: Parameter): RequestPart {
  const { kind } = innerKind(parameter);
  return kind === "bytes" || kind === "string" ? NULL_COUNTED : NO_PART;
}

/** The struct of an argument that has texts in it, and goes to the function. */
export function textStruct(kind: Parameter): Struct | undefined {
  const isOut = kind.kind === "reference" && kind.direction === "out";
  const struct = kind.kind === "reference" ? kind.struct : kind;
  if (isOut || struct.kind !== "struct") return undefined;
  return structLayout(struct).texts.length > 0 ? struct : undefined;
}

/**
 * A call as bytes.
 *
 * ```text
 * hash      u32, and a word that is 0
 * slots     8 B for each argument that is not constant; a struct has as many as its size takes
 * payloads  bytes, texts, the texts of structs and variadic arguments in their order, each from a
 *           multiple of 8 on
 * ```
 */
export function joinParts(
  { signature: { parameters } }: ApiFunction,
  hash: number,
  parts: readonly RequestPart[],
): Uint8Array {
  let slotCount = HEAD_SLOTS;
  for (const parameter of parameters) slotCount += requestSlots(parameter);
  let byte = slotCount * SLOT_BYTES;
  const sizeBytes = parts.reduce((sum, { payload }) => sum + filled(payload), byte);
  const request = new ByteSlots(new Uint8Array(sizeBytes));
  request.setUint32(0, hash);
  let slot = HEAD_SLOTS;
  for (let index = 0; index < parts.length; index++) {
    const { low = 0, high = 0, struct, payload, counted } = parts[index]!;
    const count = requestSlots(parameters[index]!);
    if (count > 0) {
      request.setUint32(2 * slot, counted?.length ?? low);
      request.setUint32(2 * slot + 1, high);
    }
    slot += count;
    // A flag goes before a struct that may be null.
    if (struct) request.bytes.set(struct, slot * SLOT_BYTES - alignUp(struct.length, SLOT_BYTES));
    if (!payload) continue;
    request.bytes.set(payload, byte);
    byte += filled(payload);
  }
  return request.bytes;
}

/** How many bytes a payload takes, filled up to a slot. */
function filled(payload: Uint8Array | undefined): number {
  return payload ? alignUp(payload.length, SLOT_BYTES) : 0;
}
