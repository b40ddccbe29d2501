import { fnv1a } from "../declare/fnv1a.ts";
import { type Bytes, innerKind, type Parameter, type Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { alignUp } from "../../memory/regions.ts";
import type { VariadicValue } from "../declare/value.ts";
import { ByteSlots, shown, SLOT_BYTES, SLOT_CODECS, type SlotCodec } from "./slot.ts";
import { requestSlots } from "./call_shape.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { encodeStruct, writeStruct } from "./struct_bytes.ts";
import { encodeText, writeVariadic } from "./variadic_bytes.ts";

/** In the low word of a slot that has a length: there is nothing, not even no bytes. */
export const NULL_LENGTH = 0xffffffff;
/** In front of the slots of a request: the hash of the signature, and a word that is 0. */
export const HEAD_SLOTS = 1;

/** What goes behind the slots, by parameter. */
type Payloads = (Uint8Array | undefined)[];

/** The struct of an argument that has texts in it, and goes to the function. */
export function textStruct(kind: Parameter): Struct | undefined {
  const isOut = kind.kind === "reference" && kind.direction === "out";
  const struct = kind.kind === "reference" ? kind.struct : kind;
  if (isOut || struct.kind !== "struct") return undefined;
  return structLayout(struct).texts.length > 0 ? struct : undefined;
}

/**
 * Writes a call as bytes.
 *
 * ```text
 * hash      u32, and a word that is 0
 * slots     8 B for each argument that is not constant; a struct has as many as its size takes
 * payloads  bytes, texts, the texts of structs and variadic arguments in their order, each from a
 *           multiple of 8 on
 * ```
 *
 * @param values by parameter, constants included
 * @throws {TypeError} when an argument is none of its kind
 * @throws {RangeError} when an array has another length than the other arguments say
 */
export function encodeRequest(target: ApiFunction, values: readonly unknown[]): Uint8Array {
  const { parameters } = target.signature;
  const payloads = parameters.map((parameter, index) =>
    payloadOf(target, { parameter, index, values })
  );
  const slotCount = parameters.reduce((sum, one) => sum + requestSlots(one), HEAD_SLOTS);
  const heads = parameters.map((parameter, index) => takeHead(parameter, payloads, index));
  const payloadBytes = payloads.reduce((sum, one) => sum + alignUp(one?.length ?? 0, 8), 0);
  const slots = new ByteSlots(new Uint8Array(slotCount * SLOT_BYTES + payloadBytes));
  slots.setUint32(0, target.hash);
  // First: reading a struct may run code of the caller's, which may resize the arrays.
  putPayloads(slots.bytes, slotCount * SLOT_BYTES, payloads);
  let slot = HEAD_SLOTS;
  for (const [index, parameter] of parameters.entries()) {
    const problem = putArgument(slots, slot, {
      parameter,
      value: values[index],
      payloads,
      index,
      head: heads[index],
    });
    if (problem) refuseArgument(target, index, problem);
    slot += requestSlots(parameter);
  }
  return slots.bytes;
}

/** Leaves what lies behind the slots of an argument's struct: the texts. */
function takeHead(parameter: Parameter, payloads: Payloads, index: number) {
  const struct = textStruct(innerKind(parameter) as Parameter);
  const bytes = payloads[index];
  if (!struct || !bytes) return undefined;
  const { sizeBytes } = structLayout(struct);
  payloads[index] = bytes.subarray(sizeBytes);
  return bytes.subarray(0, sizeBytes);
}

/** What is wrong with an argument, with the name of the function. */
export function refuseArgument(target: ApiFunction, index: number, problem: string): never {
  throw new TypeError(`Cannot call ${target.name} as argument ${index} ${problem}`);
}

interface Argument {
  readonly parameter: Parameter;
  readonly index: number;
  readonly values: readonly unknown[];
}

function payloadOf(target: ApiFunction, argument: Argument): Uint8Array | undefined {
  const { parameter, index, values } = argument;
  const value = values[index];
  const kind = innerKind(parameter);
  if (parameter.kind === "nullable" && value === null) return undefined;
  if (kind.kind === "bytes") {
    checkArray(target, { ...argument, parameter: kind });
    return kind.direction === "out" ? undefined : value as Uint8Array;
  }
  const struct = textStruct(kind);
  if (struct) {
    const bytes = encodeStruct({ struct, value });
    return typeof bytes === "string" ? refuseArgument(target, index, `is wrong: ${bytes}`) : bytes;
  }
  const isText = kind.kind === "string";
  if (!isText && kind.kind !== "variadic") return undefined;
  const bytes = isText ? encodeText(value) : writeVariadic(value as readonly VariadicValue[]);
  if (typeof bytes !== "string") return bytes;
  return refuseArgument(target, index, isText ? bytes : `is wrong: ${bytes}`);
}

function checkArray(
  target: ApiFunction,
  { parameter, index, values }: Argument & { readonly parameter: Bytes },
): void {
  const value = values[index];
  if (Object.prototype.toString.call(value) !== "[object Uint8Array]") {
    refuseArgument(target, index, `must be a Uint8Array: current value is ${shown(value)}`);
  }
  const { length } = value as Uint8Array;
  if (length >= NULL_LENGTH) {
    refuseArgument(target, index, `has ${length} bytes, which are too many`);
  }
  const due = parameter.length?.of(values) ?? length;
  if (due === length) return;
  const problem = parameter.length?.problem(values) ??
    `argument ${index} has ${length} bytes: the others say ${due}`;
  throw new RangeError(`Cannot call ${target.name} as ${problem}`);
}

interface Place {
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly payloads: Payloads;
  readonly index: number;
  /** A struct whose texts are payloads. */
  readonly head: Uint8Array | undefined;
}

function putArgument(slots: ByteSlots, slot: number, place: Place): string | undefined {
  const { parameter, value, payloads, index, head } = place;
  if (head && parameter.kind !== "nullable") {
    slots.bytes.set(head, slot * SLOT_BYTES);
    return undefined;
  }
  switch (parameter.kind) {
    case "scalar":
      return putScalar(slots, slot, { codec: SLOT_CODECS[parameter.type], value });
    case "handle":
      return putScalar(slots, slot, { codec: SLOT_CODECS.handle, value });
    case "callback":
      return putCallback(slots, slot, value);
    case "struct":
      return putStruct(slots, slot, { struct: parameter, value });
    case "reference":
      if (parameter.direction !== "out") {
        return putStruct(slots, slot, { struct: parameter.struct, value });
      }
      return typeof value === "object" && value ? undefined : "must be an object to be filled";
    case "nullable":
      return putNullable(slots, slot, place);
    case "constant":
      return undefined;
    default:
      putLength(slots, slot, payloads[index]?.length ?? (value as Uint8Array).length);
      return undefined;
  }
}

function putNullable(slots: ByteSlots, slot: number, place: Place): string | undefined {
  const { of } = place.parameter as Parameter & { readonly kind: "nullable" };
  const { value } = place;
  if (of.kind === "reference") {
    slots.setUint32(2 * slot, value === null ? 0 : 1);
    return value === null ? undefined : putArgument(slots, slot + 1, { ...place, parameter: of });
  }
  if (value !== null) return putArgument(slots, slot, { ...place, parameter: of });
  if (of.kind === "bytes" || of.kind === "string") putLength(slots, slot, NULL_LENGTH);
  return undefined;
}

function putScalar(
  slots: ByteSlots,
  slot: number,
  { codec, value }: { readonly codec: SlotCodec; readonly value: unknown },
): string | undefined {
  if (codec.write(slots, slot, value)) return undefined;
  return `must be ${codec.demand}: current value is ${shown(value)}`;
}

function putCallback(slots: ByteSlots, slot: number, value: unknown): string | undefined {
  if (typeof value !== "string") {
    return `must be the name of a callback: current value is ${shown(value)}`;
  }
  slots.setUint32(2 * slot, fnv1a(value));
  return undefined;
}

function putStruct(
  slots: ByteSlots,
  slot: number,
  what: { readonly struct: Struct; readonly value: unknown },
): string | undefined {
  const problem = writeStruct(slots.view, slot * SLOT_BYTES, what);
  return problem && `is wrong: ${problem}`;
}

function putLength(slots: ByteSlots, slot: number, lengthBytes: number): void {
  slots.setUint32(2 * slot, lengthBytes);
}

function putPayloads(bytes: Uint8Array, firstByte: number, payloads: Payloads): void {
  let byte = firstByte;
  for (const payload of payloads) {
    if (!payload) continue;
    bytes.set(payload, byte);
    byte += alignUp(payload.length, 8);
  }
}
