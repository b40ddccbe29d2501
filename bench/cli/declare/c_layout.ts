import { alignUp } from "../../../core/memory/regions.ts";
import { SCALAR_BYTES, type ScalarName } from "../../../core/signature/declare/kind.ts";
import type { CHeader, CTagged, CType } from "./read_header.ts";

/** Scalars by C's names of them, on a machine of 64 bits where `long` has as many. */
export const SCALARS: Readonly<Record<string, ScalarName>> = {
  _Bool: "bool",
  bool: "bool",
  char: "i8",
  int: "i32",
  float: "f32",
  double: "f64",
  size_t: "usize",
  ssize_t: "isize",
  ptrdiff_t: "isize",
  intptr_t: "isize",
  uintptr_t: "usize",
  ...Object.fromEntries([8, 16, 32, 64].flatMap((bits) => [
    [`int${bits}_t`, `i${bits}`],
    [`uint${bits}_t`, `u${bits}`],
  ])),
  ...Object.fromEntries(
    ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"].map((it) => [it, it]),
  ),
};

/** The type behind names. */
export function resolved({ typedefs }: Pick<CHeader, "typedefs">, type: CType): CType {
  const seen = new Set<CType>();
  for (let own = type;; seen.add(own)) {
    const next = own.kind === "base" && !(own.name in SCALARS) ? typedefs.get(own.name) : undefined;
    if (!next || seen.has(next)) return own;
    own = next;
  }
}

/** What a pointer or an array is of; anything else is itself. */
export function elementOf(header: Pick<CHeader, "typedefs">, type: CType): CType {
  if (type.kind === "pointer") return resolved(header, type.to);
  return type.kind === "array" ? resolved(header, type.of) : type;
}

/** The name of a type for something behind a pointer of which a header says nothing: `BZFILE`, `iconv_t`. */
export function pointedVoid(
  header: Pick<CHeader, "typedefs">,
  type: CType,
): string | undefined {
  const [pointer, name] = behindNames(header, type);
  if (pointer.kind !== "pointer") return undefined;
  const [to, inner] = behindNames(header, pointer.to);
  return to.kind === "base" && to.name === "void" ? inner ?? name : undefined;
}

/** The type behind names, and the last of these. */
function behindNames(
  { typedefs }: Pick<CHeader, "typedefs">,
  type: CType,
): readonly [CType, string | undefined] {
  const seen = new Set<string>();
  let own = type;
  let name: string | undefined;
  while (own.kind === "base" && typedefs.has(own.name) && !seen.has(own.name)) {
    seen.add(name = own.name);
    own = typedefs.get(name)!;
  }
  return [own, name];
}

/** How much memory a struct or union takes, and where its fields are; nothing where the header does not tell. */
export function layoutText(header: CHeader, { kind, tag }: CTagged): string | undefined {
  const layout = structLayout(header, tag);
  if (!layout) return undefined;
  if (kind === "union") return `${unionSize(header, tag)!.size} bytes`;
  const places = layout.offsets.map(([name, byte]) => `${name || "unnamed"} at ${byte}`);
  return `${layout.size} bytes: ${places.join(", ")}`;
}

interface Size {
  readonly size: number;
  readonly align: number;
}

interface Layout extends Size {
  readonly offsets: readonly (readonly [name: string, byte: number])[];
}

/** Where a C compiler for 64 bits puts fields. */
function structLayout(header: CHeader, tag: string): Layout | undefined {
  const offsets: (readonly [string, number])[] = [];
  let [end, align] = [0, 1];
  for (const { name, type } of header.structs.get(tag) ?? []) {
    const field = sizeOf(header, type);
    if (!field) return undefined;
    const byte = alignUp(end, field.align);
    offsets.push([name, byte]);
    [end, align] = [byte + field.size, Math.max(align, field.align)];
  }
  return offsets.length === 0 ? undefined : { offsets, size: alignUp(end, align), align };
}

function sizeOf(header: CHeader, type: CType): Size | undefined {
  const own = resolved(header, type);
  switch (own.kind) {
    case "pointer":
    case "function":
      return { size: 8, align: 8 };
    case "struct":
      return structLayout(header, own.tag);
    case "union":
      return unionSize(header, own.tag);
    case "array": {
      const one = sizeOf(header, own.of);
      return one && own.count >= 0 ? { size: one.size * own.count, align: one.align } : undefined;
    }
    default: {
      const scalar = SCALARS[own.name];
      if (scalar === undefined) return undefined;
      const size = SCALAR_BYTES[scalar];
      return { size, align: size };
    }
  }
}

function unionSize(header: CHeader, tag: string): Size | undefined {
  const sizes = (header.structs.get(tag) ?? []).map(({ type }) => sizeOf(header, type));
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined;
  const align = Math.max(...sizes.map((one) => one!.align));
  return { size: alignUp(Math.max(...sizes.map((one) => one!.size)), align), align };
}
