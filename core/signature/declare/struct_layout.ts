import { alignUp } from "../../memory/regions.ts";
import {
  type Field,
  type Fields,
  type FixedArray,
  type HandleKind,
  SCALAR_BYTES,
  type ScalarName,
  type Struct,
} from "./kind.ts";

/** One scalar or handle of a struct, wherever it is nested. */
export interface StructField {
  /** The names that lead to it, from the outside in; numbers in arrays. */
  readonly path: readonly (string | number)[];
  readonly type: ScalarName | "handle";
  /** What it is a handle of. */
  readonly handle?: { readonly name: string; readonly isNullable: boolean };
  /** From the start of the outermost struct. */
  readonly offsetByte: number;
}

/** Where C puts the fields of a struct on machines of 64 bits. */
export interface StructLayout {
  readonly fields: readonly StructField[];
  /** With the bytes behind the last field. */
  readonly sizeBytes: number;
  readonly alignBytes: number;
}

/** Of a handle, and of the pointer that C has for it. */
const HANDLE_BYTES = 8;

const layouts = new WeakMap<Struct, StructLayout>();

/** Lays out a struct as C does: each field at a multiple of its own alignment. */
export function structLayout(struct: Struct): StructLayout {
  const known = layouts.get(struct);
  if (known) return known;
  const layout = layOut(struct.fields);
  layouts.set(struct, layout);
  return layout;
}

function layOut(members: Fields): StructLayout {
  const fields: StructField[] = [];
  let offsetByte = 0;
  let alignBytes = 1;
  for (const [name, member] of Object.entries(members)) {
    const inner = layoutOf(member);
    offsetByte = alignUp(offsetByte, inner.alignBytes);
    for (const field of inner.fields) {
      fields.push({
        ...field,
        path: [name, ...field.path],
        offsetByte: offsetByte + field.offsetByte,
      });
    }
    offsetByte += inner.sizeBytes;
    alignBytes = Math.max(alignBytes, inner.alignBytes);
  }
  return { fields, sizeBytes: alignUp(offsetByte, alignBytes), alignBytes };
}

function layoutOf(member: Field): StructLayout {
  if (member.kind === "struct") return structLayout(member);
  return member.kind === "array" ? arrayLayout(member) : fieldLayout(member);
}

function arrayLayout({ of, count }: FixedArray): StructLayout {
  const { fields, sizeBytes, alignBytes } = layoutOf(of);
  const all = Array.from({ length: count }, (_, index) =>
    fields.map((field) => ({
      ...field,
      path: [index, ...field.path],
      offsetByte: index * sizeBytes + field.offsetByte,
    })));
  return { fields: all.flat(), sizeBytes: count * sizeBytes, alignBytes };
}

function fieldLayout(field: Exclude<Field, Struct | FixedArray>): StructLayout {
  const place = { path: [], offsetByte: 0 };
  if (field.kind === "scalar") {
    const sizeBytes = SCALAR_BYTES[field.type];
    return { fields: [{ ...place, type: field.type }], sizeBytes, alignBytes: sizeBytes };
  }
  const isNullable = field.kind === "nullable";
  const { name }: HandleKind = isNullable ? field.of : field;
  const handle = { ...place, type: "handle", handle: { name, isNullable } } as const;
  return { fields: [handle], sizeBytes: HANDLE_BYTES, alignBytes: HANDLE_BYTES };
}
