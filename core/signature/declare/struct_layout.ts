import { alignUp } from "../../memory/regions.ts";
import {
  type Field,
  type Fields,
  type FixedArray,
  type HandleKind,
  type Nullable,
  type Scalar,
  SCALAR_BYTES,
  type ScalarName,
  type Struct,
  type Text,
  type Union,
} from "./kind.ts";

/** One scalar, pointer or union of a struct, wherever it is nested. */
export interface StructField {
  /** The names that lead to it, from the outside in; numbers in arrays. */
  readonly path: readonly (string | number)[];
  readonly type: ScalarName | "handle" | "string" | "union";
  /** What it is a handle of. */
  readonly handle?: string;
  /** Of a pointer: whether it may be null. */
  readonly isNullable?: boolean;
  /** What lies there, each member by itself. */
  readonly union?: UnionLayout;
  /** From the start of the outermost struct. */
  readonly offsetByte: number;
}

/** A union's members, each as the only field of a struct. */
export interface UnionLayout {
  readonly members: ReadonlyMap<string, Struct>;
  readonly sizeBytes: number;
}

/** Where C puts the fields of a struct on machines of 64 bits. */
export interface StructLayout {
  readonly fields: readonly StructField[];
  /** With the bytes behind the last field. */
  readonly sizeBytes: number;
  readonly alignBytes: number;
}

/** A layout, and those of its fields that are texts. */
export interface OuterLayout extends StructLayout {
  readonly texts: readonly StructField[];
}

/** Of a handle or a text, and of the pointer that C has for it. */
const POINTER_BYTES = 8;

const layouts = new WeakMap<Struct, OuterLayout>();

/** Lays out a struct as C does: each field at a multiple of its own alignment. */
export function structLayout(struct: Struct): OuterLayout {
  const known = layouts.get(struct);
  if (known) return known;
  const inner = layOut(struct.fields);
  const layout = { ...inner, texts: inner.fields.filter(({ type }) => type === "string") };
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
  if (member.kind === "union") return unionLayout(member);
  return member.kind === "array" ? arrayLayout(member) : fieldLayout(member);
}

function arrayLayout({ of, count }: FixedArray<Field>): StructLayout {
  const { fields, sizeBytes, alignBytes } = layoutOf(of);
  const all = Array.from({ length: count }, (_, index) =>
    fields.map((field) => ({
      ...field,
      path: [index, ...field.path],
      offsetByte: index * sizeBytes + field.offsetByte,
    })));
  return { fields: all.flat(), sizeBytes: count * sizeBytes, alignBytes };
}

function unionLayout({ fields }: Union): StructLayout {
  const members = new Map(
    Object.entries(fields).map(([name, field]) =>
      [name, { kind: "struct", fields: { [name]: field } } satisfies Struct] as const
    ),
  );
  const all = [...members.values()].map(structLayout);
  const alignBytes = Math.max(...all.map((one) => one.alignBytes));
  const sizeBytes = alignUp(Math.max(...all.map((one) => one.sizeBytes)), alignBytes);
  const field = { path: [], offsetByte: 0, type: "union", union: { members, sizeBytes } } as const;
  return { fields: [field], sizeBytes, alignBytes };
}

function fieldLayout(
  field: Scalar | Text | HandleKind | Nullable<Text> | Nullable<HandleKind>,
): StructLayout {
  const place = { path: [], offsetByte: 0 };
  if (field.kind === "scalar") {
    const sizeBytes = SCALAR_BYTES[field.type];
    return { fields: [{ ...place, type: field.type }], sizeBytes, alignBytes: sizeBytes };
  }
  const isNullable = field.kind === "nullable";
  const of: Text | HandleKind = isNullable ? field.of : field;
  const pointer: StructField = of.kind === "string"
    ? { ...place, type: "string", isNullable }
    : { ...place, type: "handle", isNullable, handle: of.name };
  return { fields: [pointer], sizeBytes: POINTER_BYTES, alignBytes: POINTER_BYTES };
}
