import { fnv1a } from "../declare/fnv1a.ts";
import { innerKind, type Parameter, type Struct } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import type { VariadicValue } from "../declare/value.ts";
import { slotCodec } from "./call_shape.ts";
import {
  counted,
  joinParts,
  NO_PART,
  NULL_LENGTH,
  nullPart,
  type RequestPart,
} from "./request_parts.ts";
import { ByteSlots, shown, SLOT_BYTES } from "./slot.ts";
import { encodeStruct } from "./struct_bytes.ts";
import { encodeText, writeVariadic } from "./variadic_bytes.ts";

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
    const part = partOf(parameter, values[index]);
    return typeof part === "string" ? refuseArgument(target, index, part) : part;
  });
  return joinParts(target, target.hash, parts);
}

/** What is wrong with an argument, with the name of the function. */
export function refuseArgument(target: ApiFunction, index: number, problem: string): never {
  throw new TypeError(`Cannot call ${target.name} as argument ${index} ${problem}`);
}

/** Words of a slot, before they lie in a request. */
const word = new ByteSlots(new Uint8Array(SLOT_BYTES));

/** What an argument becomes, or what is wrong with it. */
function partOf(parameter: Parameter, value: unknown): RequestPart | string {
  switch (parameter.kind) {
    case "nullable": {
      if (value === null) return nullPart(parameter);
      const part = partOf(parameter.of, value);
      return parameter.of.kind === "reference" && typeof part !== "string"
        ? { ...part, low: 1 }
        : part;
    }
    case "constant":
      return NO_PART;
    case "bytes":
      return counted(value as Uint8Array, parameter.direction !== "out");
    case "callback":
      return typeof value === "string"
        ? { low: fnv1a(value) }
        : `must be the name of a callback: current value is ${shown(value)}`;
    case "struct":
      return structPart(parameter, value);
    case "reference":
      if (parameter.direction !== "out") return structPart(parameter.struct, value);
      return typeof value === "object" && value ? NO_PART : "must be an object to be filled";
    case "string": {
      const text = encodeText(value);
      return typeof text === "string" ? text : counted(text);
    }
    case "variadic": {
      const bytes = writeVariadic(value as readonly VariadicValue[]);
      return typeof bytes === "string" ? `is wrong: ${bytes}` : counted(bytes);
    }
    default: {
      const codec = slotCodec(parameter)!;
      word.bytes.fill(0);
      if (codec.write(word, 0, value)) return { low: word.getUint32(0), high: word.getUint32(1) };
      return `must be ${codec.demand}: current value is ${shown(value)}`;
    }
  }
}

/** A struct in slots, and its texts behind all slots. */
function structPart(struct: Struct, value: unknown): RequestPart | string {
  const bytes = encodeStruct({ struct, value });
  if (typeof bytes === "string") return `is wrong: ${bytes}`;
  const { sizeBytes } = structLayout(struct);
  if (bytes.length === sizeBytes) return { struct: bytes };
  return { struct: bytes.subarray(0, sizeBytes), payload: bytes.subarray(sizeBytes) };
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
    `argument ${index} has ${length} bytes: the others say ${due}`;
  throw new RangeError(`Cannot call ${target.name} as ${problem}`);
}
