import type { Struct } from "../declare/kind.ts";
import { type StructField, structLayout } from "../declare/struct_layout.ts";
import { HANDLE_INDEXES, isHandle, shown } from "./slot.ts";

type FieldType = StructField["type"];
type FieldValue = number | bigint | boolean | null;
interface Members {
  [name: string | number]: unknown;
}

/**
 * Writes the fields of an object as a struct of C.
 *
 * @param offsetByte where in the view
 * @returns what is wrong with the object; `undefined` when it was written
 */
export function writeStruct(
  view: DataView,
  offsetByte: number,
  { struct, value }: { readonly struct: Struct; readonly value: unknown },
): string | undefined {
  for (const { path, type, offsetByte: fieldByte } of structLayout(struct).fields) {
    const field = fieldOf(value, path);
    if (!setField(view, offsetByte + fieldByte, { type, value: field })) {
      return `its field ${path.join(".")} is no ${type}: ${shown(field)}`;
    }
  }
  return undefined;
}

/** Reads a struct into an object, a new one unless one is given. */
export function readStruct(
  view: DataView,
  offsetByte: number,
  { struct, target = {} }: { readonly struct: Struct; readonly target?: object },
): object {
  for (const { path, type, offsetByte: fieldByte } of structLayout(struct).fields) {
    let owner = target as Members;
    for (let depth = 0; depth < path.length - 1; depth++) {
      owner = innerOf(owner, path[depth]!, typeof path[depth + 1] === "number");
    }
    owner[path.at(-1)!] = READERS[type](view, offsetByte + fieldByte);
  }
  return target;
}

/** An object of its own: what `constructor` names is there without, and everybody's. */
function innerOf(owner: Members, name: string | number, isArray: boolean): Members {
  const inner = Object.hasOwn(owner, name) ? owner[name] : undefined;
  return (typeof inner === "object" && inner !== null
    ? inner
    : owner[name] = isArray ? [] : {}) as Members;
}

function fieldOf(value: unknown, path: StructField["path"]): unknown {
  let field = value;
  for (const name of path) field = (field as Members | null | undefined)?.[name];
  return field;
}

interface TypedValue {
  readonly type: FieldType;
  readonly value: unknown;
}

function setField(view: DataView, byte: number, { type, value }: TypedValue): boolean {
  if (type === "handle") return setHandle(view, byte, value);
  const given: string = typeof value;
  if (given !== valueType(type)) return false;
  WRITERS[type](view, byte, value as never);
  // What was cut is not equal any more. A float is as near as it can be, and NaN is not itself.
  return type === "f32" || type === "f64" || READERS[type](view, byte) === value;
}

/** As a slot has it: index, then generation; 0 for none. */
function setHandle(view: DataView, byte: number, value: unknown): boolean {
  const handle = value === null ? 0 : value;
  if (!isHandle(handle)) return false;
  view.setUint32(byte, handle % HANDLE_INDEXES, true);
  view.setUint32(byte + 4, Math.floor(handle / HANDLE_INDEXES), true);
  return true;
}

function getHandle(view: DataView, byte: number): number | null {
  const index = view.getUint32(byte, true) % HANDLE_INDEXES;
  return view.getUint32(byte + 4, true) * HANDLE_INDEXES + index || null;
}

function valueType(type: FieldType): "boolean" | "bigint" | "number" {
  if (type === "bool") return "boolean";
  return type.endsWith("64") && type !== "f64" || type.endsWith("size") ? "bigint" : "number";
}

const READERS: Record<FieldType, (view: DataView, byte: number) => FieldValue> = {
  handle: getHandle,
  bool: (view, byte) => view.getUint8(byte) !== 0,
  i8: (view, byte) => view.getInt8(byte),
  u8: (view, byte) => view.getUint8(byte),
  i16: (view, byte) => view.getInt16(byte, true),
  u16: (view, byte) => view.getUint16(byte, true),
  i32: (view, byte) => view.getInt32(byte, true),
  u32: (view, byte) => view.getUint32(byte, true),
  f32: (view, byte) => view.getFloat32(byte, true),
  i64: (view, byte) => view.getBigInt64(byte, true),
  u64: (view, byte) => view.getBigUint64(byte, true),
  isize: (view, byte) => view.getBigInt64(byte, true),
  usize: (view, byte) => view.getBigUint64(byte, true),
  f64: (view, byte) => view.getFloat64(byte, true),
};

const WRITERS: Record<
  Exclude<FieldType, "handle">,
  (view: DataView, byte: number, value: never) => void
> = {
  bool: (view, byte, value: boolean) => view.setUint8(byte, value ? 1 : 0),
  i8: (view, byte, value: number) => view.setInt8(byte, value),
  u8: (view, byte, value: number) => view.setUint8(byte, value),
  i16: (view, byte, value: number) => view.setInt16(byte, value, true),
  u16: (view, byte, value: number) => view.setUint16(byte, value, true),
  i32: (view, byte, value: number) => view.setInt32(byte, value, true),
  u32: (view, byte, value: number) => view.setUint32(byte, value, true),
  f32: (view, byte, value: number) => view.setFloat32(byte, value, true),
  i64: (view, byte, value: bigint) => view.setBigInt64(byte, value, true),
  u64: (view, byte, value: bigint) => view.setBigUint64(byte, value, true),
  isize: (view, byte, value: bigint) => view.setBigInt64(byte, value, true),
  usize: (view, byte, value: bigint) => view.setBigUint64(byte, value, true),
  f64: (view, byte, value: number) => view.setFloat64(byte, value, true),
};
