import type { AnyFunction, Callback, Parameter, Result, Struct } from "../../signature/mod.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import { readStruct, writeStruct } from "../../signature/wire/struct_bytes.ts";
import { callbackDefinition } from "./foreign_types.ts";

/** A struct that C wrote to, and the object that is to have its fields. */
export interface StructBack {
  readonly struct: Struct;
  readonly bytes: Uint8Array;
  readonly target: object;
}

/** A value as C takes it; structs that C writes to are noted in `backs`. */
export function foreignValue(parameter: Parameter, value: unknown, backs: StructBack[]): unknown {
  if (parameter.kind === "nullable") {
    return value === null ? null : foreignValue(parameter.of, value, backs);
  }
  if (parameter.kind === "string") return new TextEncoder().encode(`${value}\0`);
  if (parameter.kind === "struct") return structBytes(parameter, value);
  if (parameter.kind === "callback") return callbackPointer(parameter, value as AnyFunction);
  if (parameter.kind !== "reference") return value;
  const bytes = structBytes(parameter.struct, value);
  if (parameter.direction !== "in") {
    backs.push({ struct: parameter.struct, bytes, target: value as object });
  }
  return bytes;
}

function structBytes(struct: Struct, value: unknown): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(structLayout(struct).sizeBytes);
  const problem = writeStruct(new DataView(bytes.buffer), 0, { struct, value });
  if (problem) throw new TypeError(`Cannot give a struct to the library: ${problem}`);
  return bytes;
}

/** Gives the objects what C wrote. */
export function takeBack(backs: readonly StructBack[]): void {
  for (const { struct, bytes, target } of backs) {
    readStruct(new DataView(bytes.buffer, bytes.byteOffset), 0, { struct, target });
  }
}

/** What C returned, as the function's signature has it; null where C has a null pointer. */
export function hostResult(kind: Result, result: unknown): unknown {
  const inner = kind.kind === "nullable" ? kind.of : kind;
  if (inner.kind === "string" && result !== null) {
    return new Deno.UnsafePointerView(result as Deno.PointerObject).getCString();
  }
  if (inner.kind !== "struct") return result;
  const { buffer, byteOffset } = result as Uint8Array;
  return readStruct(new DataView(buffer, byteOffset), 0, { struct: inner });
}

/** One for each function and form, for good: a library may keep the pointer. */
const callbacks = new WeakMap<AnyFunction, Map<string, Deno.UnsafeCallback>>();

function callbackPointer(kind: Callback, work: AnyFunction): Deno.PointerObject {
  const definition = callbackDefinition(kind);
  const form = JSON.stringify(definition);
  const known = callbacks.get(work) ?? new Map<string, Deno.UnsafeCallback>();
  callbacks.set(work, known);
  const callback = known.get(form) ?? new Deno.UnsafeCallback(definition, work as never);
  known.set(form, callback);
  return callback.pointer;
}
