import type { Types } from "./inference.ts";
import { type Type, typeText } from "./value_type.ts";

/** The size and alignment of a type in memory. */
export interface Layout {
  readonly sizeBytes: number;
  readonly alignBytes: number;
}

/** Bools are words. */
const SCALAR_BYTES: ReadonlyMap<string, number> = new Map([
  ...["u32", "i32", "f32", "bool"].map((name) => [name, 4] as const),
  ["f16", 2],
]);

/**
 * Computes the layout of a type by "Alignment and Size" of the WGSL specification; bools are words.
 *
 * @throws {TypeError} for a type without a size
 */
export function layoutOf(types: Types, type: Type, around: readonly string[] = []): Layout {
  const { name, args: [element, length] } = type;
  const scalarBytes = SCALAR_BYTES.get(name);
  if (scalarBytes) return { sizeBytes: scalarBytes, alignBytes: scalarBytes };
  const [, columns = "", size = columns] = /^(?:vec|mat([234])x)([234])$/.exec(name) ?? [];
  if (size !== "") {
    const scalar = element ? layoutOf(types, element).sizeBytes : 4;
    const column = {
      sizeBytes: Number(size) * scalar,
      alignBytes: (size === "2" ? 2 : 4) * scalar,
    };
    return columns === "" ? column : arrayLayout(column, Number(columns));
  }
  if (name === "atomic" && element) return layoutOf(types, element);
  if (name === "array" && length) {
    const count = length.length ? types.value(length.length) : Number(length.name);
    if (!Number.isInteger(count) || count < 1) throw unknown(`array of ${length.name}`);
    return arrayLayout(layoutOf(types, element!, around), count);
  }
  const members = types.members(type);
  if (!members || around.includes(name)) throw unknown(typeText(type));
  const declared = types.module.byName.get(name);
  return structLayout(members.map((member, at) => {
    const { sizeBytes, alignBytes } = layoutOf(types, member.type, [...around, name]);
    const asked = (wanted: string) => {
      const attributes = declared?.kind === "struct" ? declared.members[at]!.attributes : [];
      const value = attributes.find((one) => one.name === wanted)?.args[0];
      return value ? types.value(value) : 0;
    };
    return {
      sizeBytes: Math.max(sizeBytes, asked("size")),
      alignBytes: Math.max(alignBytes, asked("align")),
    };
  }));
}

/** Computes the layout of consecutive values. */
export function structLayout(members: readonly Layout[]): Layout {
  let [sizeBytes, alignMax] = [0, 1];
  for (const member of members) {
    sizeBytes = alignUp(sizeBytes, member.alignBytes) + member.sizeBytes;
    alignMax = Math.max(alignMax, member.alignBytes);
  }
  return { sizeBytes: alignUp(sizeBytes, alignMax), alignBytes: alignMax };
}

function arrayLayout({ sizeBytes, alignBytes }: Layout, length: number): Layout {
  return { sizeBytes: alignUp(sizeBytes, alignBytes) * length, alignBytes };
}

function alignUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}

function unknown(type: string): TypeError {
  return new TypeError(
    `Cannot size the frame as its fields must be numbers, vectors, matrices, fixed arrays or structs of these: current value is ${type}`,
  );
}
