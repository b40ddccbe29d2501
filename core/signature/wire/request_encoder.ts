import { alignUp } from "../../memory/regions.ts";
import { innerKind, type Parameter } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import {
  argumentKind,
  HEAD_SLOTS,
  NULL_LENGTH,
  putPart,
  type RequestPart,
  requestSlots,
} from "./argument_kinds.ts";
import { ByteSlots, shown, SLOT_BYTES } from "./slot.ts";

/**
 * Writes a call as bytes, as `joinParts` has them.
 *
 * @param values by parameter, constants included
 * @throws {TypeError} when an argument is none of its kind
 * @throws {RangeError} when an array has another length than the other arguments say
 */
export function encodeRequest(target: ApiFunction, values: readonly unknown[]): Uint8Array {
  const { parameters } = target.signature;
  for (const [index, parameter] of parameters.entries()) {
    checkArray(target, index, { parameter, values });
  }
  const parts = parameters.map((parameter, index) => {
    const part = argumentKind(parameter).write(parameter, values[index]);
    return typeof part === "string" ? refuseArgument(target, index, part) : part;
  });
  return joinParts(target, target.hash, parts);
}

/** What is wrong with an argument, with the name of the function. */
export function refuseArgument(target: ApiFunction, index: number, problem: string): never {
  throw new TypeError(`Cannot call ${target.name} as argument ${index} ${problem}`);
}

function checkArray(
  target: ApiFunction,
  index: number,
  { parameter, values }: { readonly parameter: Parameter; readonly values: readonly unknown[] },
): void {
  const kind = innerKind(parameter);
  const value = values[index];
  if (kind.kind !== "bytes" || parameter !== kind && value === null) return;
  if (Object.prototype.toString.call(value) !== "[object Uint8Array]") {
    refuseArgument(target, index, `must be a Uint8Array: current value is ${shown(value)}`);
  }
  const { length } = value as Uint8Array;
  if (length >= NULL_LENGTH) {
    refuseArgument(target, index, `has ${length} bytes, which are too many`);
  }
  const due = kind.length?.of(values) ?? length;
  if (due === length) return;
  const problem = kind.length?.problem(values) ??
    `argument ${index} has ${length} bytes: the others say ${kind.length?.textOf(values)}`;
  throw new RangeError(`Cannot call ${target.name} as ${problem}`);
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
    const part = parts[index]!;
    const count = requestSlots(parameters[index]!);
    putPart(request, { slot, count }, part);
    slot += count;
    const { payload } = part;
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
