import {
  type AnyFunction,
  type Parameter,
  type Result,
  type Struct,
  struct as structKind,
  u64,
} from "../../signature/mod.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import { handleStruct, mapHandles } from "../../signature/server/struct_handles.ts";
import { readStruct, writeStruct } from "../../signature/wire/struct_bytes.ts";
import { callbackPointer } from "./foreign_callback.ts";

/** A struct that C wrote to, and the object that is to have its fields. */
export interface StructBack {
  readonly struct: Struct;
  readonly bytes: Uint8Array;
  readonly target: object;
}

/** A value as C takes it; structs that C writes to are noted in `backs`. */
export function foreignValue(parameter: Parameter, value: unknown, backs: StructBack[]): unknown {
  if (parameter.kind === "nullable") {
    if (value !== null) return foreignValue(parameter.of, value, backs);
    return parameter.of.kind === "handle" ? 0n : null;
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
  const problem = writeStruct(new DataView(bytes.buffer), 0, {
    struct: withAddresses(struct),
    value: handleStruct(struct) ? mapHandles(struct, value, (_, address) => address ?? 0n) : value,
  });
  if (problem) throw new TypeError(`Cannot give a struct to the library: ${problem}`);
  return bytes;
}

/** Gives the objects what C wrote. */
export function takeBack(backs: readonly StructBack[]): void {
  for (const { struct, bytes, target } of backs) {
    readForeign(struct, bytes, target);
  }
}

function readForeign(struct: Struct, { buffer, byteOffset }: Uint8Array, target?: object): object {
  const view = new DataView(buffer, byteOffset);
  if (!handleStruct(struct)) return readStruct(view, 0, target ? { struct, target } : { struct });
  const value = readStruct(view, 0, { struct: withAddresses(struct) });
  const made = mapHandles(struct, value, (_, address) => address === 0n ? null : address);
  return Object.assign(target ?? {}, made);
}

const addressed = new WeakMap<Struct, Struct>();

/** The struct as C has it: a handle is an address there. */
function withAddresses(struct: Struct): Struct {
  if (!handleStruct(struct)) return struct;
  const known = addressed.get(struct);
  if (known) return known;
  const fields = Object.entries(struct.fields).map(([name, field]) => {
    if (field.kind === "struct") return [name, withAddresses(field)] as const;
    return [name, field.kind === "scalar" ? field : u64] as const;
  });
  const made = structKind(Object.fromEntries(fields));
  addressed.set(struct, made);
  return made;
}

/** What C returned, as the function's signature has it; null where C has a null pointer. */
export function hostResult(kind: Result, result: unknown): unknown {
  const inner = kind.kind === "nullable" ? kind.of : kind;
  if (inner.kind === "string" && result !== null) {
    return new Deno.UnsafePointerView(result as Deno.PointerObject).getCString();
  }
  if (inner.kind === "handle") return result === 0n ? null : result;
  return inner.kind === "struct" ? readForeign(inner, result as Uint8Array) : result;
}
