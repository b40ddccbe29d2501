import type { Struct } from "../declare/kind.ts";
import { type StructField, structLayout, type UnionLayout } from "../declare/struct_layout.ts";
import { HANDLE_INDEXES, isHandle, shown } from "./slot.ts";
import { decodeText, encodeText } from "./variadic_bytes.ts";

type FieldType = Exclude<StructField["type"], "string" | "union">;
type FieldValue = number | bigint | boolean | null;
interface Members {
  [name: string | number]: unknown;
}

/** Where the texts of a struct are: in it stands a word for each, 0 where there is none. */
export interface StructTexts {
  /** The word of a text, or what is wrong with it. */
  put(text: unknown): bigint | string;
  /** The text of a word that is not 0. */
  get(word: bigint): string;
}

/** Texts that lie behind their struct, one after the other; a word is the length in bytes, and 1. */
export class TrailingTexts implements StructTexts {
  readonly pieces: Uint8Array[] = [];
  readonly #bytes: Uint8Array;
  #byte = 0;

  /** @param bytes of the texts, to be read */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#bytes = bytes;
  }

  put(text: unknown): bigint | string {
    const bytes = encodeText(text);
    if (typeof bytes === "string") return bytes;
    this.pieces.push(bytes);
    return BigInt(bytes.length + 1);
  }

  get(word: bigint): string {
    const start = this.#byte;
    this.#byte += Number(word) - 1;
    return decodeText(this.#bytes.subarray(start, this.#byte));
  }
}

/** How many bytes of texts lie behind a struct. */
export function trailingBytes(view: DataView, offsetByte: number, struct: Struct): number {
  return structLayout(struct).texts.reduce((sum, { offsetByte: fieldByte }) => {
    const word = view.getBigUint64(offsetByte + fieldByte, true);
    return sum + (word === 0n ? 0 : Number(word) - 1);
  }, 0);
}

/** A struct with its texts behind it, or what is wrong with the object. */
export function encodeStruct(
  what: { readonly struct: Struct; readonly value: unknown; readonly hasFailed?: boolean },
): Uint8Array | string {
  const { sizeBytes } = structLayout(what.struct);
  const head = new Uint8Array(sizeBytes);
  const texts = new TrailingTexts();
  const problem = writeStruct(new DataView(head.buffer), 0, { ...what, texts });
  if (problem !== undefined) return problem;
  const { pieces } = texts;
  if (pieces.length === 0) return head;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, sizeBytes));
  let byte = sizeBytes;
  bytes.set(head);
  for (const piece of pieces) {
    bytes.set(piece, byte);
    byte += piece.length;
  }
  return bytes;
}

/**
 * Writes the fields of an object as a struct of C.
 *
 * @param offsetByte where in the view
 * @param what `texts`, for a struct that has some; `hasFailed`: each of them may be absent
 * @returns what is wrong with the object; `undefined` when it was written
 */
export function writeStruct(
  view: DataView,
  offsetByte: number,
  { struct, value, texts, hasFailed = false }: {
    readonly struct: Struct;
    readonly value: unknown;
    readonly texts?: StructTexts;
    readonly hasFailed?: boolean;
  },
): string | undefined {
  for (
    const { path, type, offsetByte: fieldByte, union, isNullable } of structLayout(struct).fields
  ) {
    const field = fieldOf(value, path);
    const byte = offsetByte + fieldByte;
    if (type === "string") {
      const isAbsent = field === null && (isNullable || hasFailed);
      const word = isAbsent ? 0n : texts!.put(field);
      if (typeof word === "string") return `its field ${path.join(".")} ${word}`;
      view.setBigUint64(byte, word, true);
    } else if (type === "union") {
      const problem = putUnion(view, byte, { union: union!, value: field });
      if (problem !== undefined) return `its field ${path.join(".")} ${problem}`;
    } else if (!FIELD_CODECS[type].write(view, byte, field)) {
      return `its field ${path.join(".")} is no ${type}: ${shown(field)}`;
    }
  }
  return undefined;
}

/**
 * Reads a struct into an object, a new one unless one is given.
 *
 * @param what without `texts` each text is null
 */
export function readStruct(
  view: DataView,
  offsetByte: number,
  { struct, target = {}, texts }: {
    readonly struct: Struct;
    readonly target?: object;
    readonly texts?: StructTexts;
  },
): object {
  for (const { path, type, offsetByte: fieldByte, union } of structLayout(struct).fields) {
    let owner = target as Members;
    for (let depth = 0; depth < path.length - 1; depth++) {
      owner = innerOf(owner, path[depth]!, typeof path[depth + 1] === "number");
    }
    const byte = offsetByte + fieldByte;
    if (type === "string") {
      const word = view.getBigUint64(byte, true);
      owner[path.at(-1)!] = word === 0n || !texts ? null : texts.get(word);
    } else if (type === "union") {
      const start = view.byteOffset + byte;
      owner[path.at(-1)!] = unionOf(union!, view.buffer.slice(start, start + union!.sizeBytes));
    } else owner[path.at(-1)!] = FIELD_CODECS[type].read(view, byte);
  }
  return target;
}

/** What lies in the unions that were read: all of it, as nobody knows which member it is. */
const unionBytes = new WeakMap<object, Uint8Array>();

/** An object that reads and writes bytes as any of the members. */
function unionOf({ members }: UnionLayout, buffer: ArrayBufferLike): object {
  const view = new DataView(buffer);
  const made = {};
  for (const [name, struct] of members) {
    Object.defineProperty(made, name, {
      enumerable: true,
      get: () => fixed((readStruct(view, 0, { struct }) as Members)[name]),
      set(value: unknown) {
        const problem = writeStruct(view, 0, { struct, value: { [name]: value } });
        if (problem !== undefined) throw new TypeError(`Cannot set a union as ${problem}`);
      },
    });
  }
  unionBytes.set(made, new Uint8Array(buffer));
  return Object.preventExtensions(made);
}

/** A copy of what is in a union, which is set as a whole: a change within it would be lost. */
function fixed(value: unknown): unknown {
  if (Object(value) !== value) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(fixed));
  const inner = value as object;
  const copy = Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, fixed(one)]));
  const bytes = unionBytes.get(inner);
  if (bytes) unionBytes.set(copy, bytes);
  return Object.freeze(copy);
}

/** Writes a union that was read, or one member; returns what is wrong. */
function putUnion(
  view: DataView,
  byte: number,
  { union: { members, sizeBytes }, value }: {
    readonly union: UnionLayout;
    readonly value: unknown;
  },
): string | undefined {
  const room = new Uint8Array(view.buffer, view.byteOffset + byte, sizeBytes).fill(0);
  const bytes = unionBytes.get(Object(value));
  if (bytes?.length === sizeBytes) return void room.set(bytes);
  const given = [...members].filter(([name]) =>
    Object.hasOwn(Object(value), name) && fieldOf(value, [name]) !== undefined
  );
  if (given.length !== 1) {
    const names = [...members.keys()].join(", ");
    return `must have one of ${names}: current value has ${given.length} of them`;
  }
  const problem = writeStruct(view, byte, { struct: given[0]![1], value });
  return problem && `is wrong: ${problem}`;
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

/** How a value lies in a struct. */
interface FieldCodec {
  /** Writes a value, or says no when it is none of the type. */
  write(view: DataView, byte: number, value: unknown): boolean;
  read(view: DataView, byte: number): FieldValue;
}

/** As a slot has it: index, then generation; 0 for none. */
const HANDLE: FieldCodec = {
  write(view, byte, value) {
    const handle = value === null ? 0 : value;
    if (!isHandle(handle)) return false;
    view.setUint32(byte, handle % HANDLE_INDEXES, true);
    view.setUint32(byte + 4, Math.floor(handle / HANDLE_INDEXES), true);
    return true;
  },
  read(view, byte) {
    const index = view.getUint32(byte, true) % HANDLE_INDEXES;
    return view.getUint32(byte + 4, true) * HANDLE_INDEXES + index || null;
  },
};

const BOOL: FieldCodec = {
  write(view, byte, value) {
    view.setUint8(byte, value ? 1 : 0);
    return typeof value === "boolean";
  },
  read: (view, byte) => view.getUint8(byte) !== 0,
};

/** A number, as `DataView` names its type. */
function number(name: string): FieldCodec {
  const get = DataView.prototype[`get${name}` as "getInt16"];
  const set = DataView.prototype[`set${name}` as "setInt16"];
  const isBig = name.startsWith("Big");
  const isFloat = name.startsWith("Float");
  return {
    write(view, byte, value) {
      if (isBig ? typeof value !== "bigint" : typeof value !== "number") return false;
      set.call(view, byte, value as never, true);
      // What was cut is not equal any more. A float is as near as it can be, and NaN is not itself.
      return isFloat || get.call(view, byte, true) === value;
    },
    read: (view, byte) => get.call(view, byte, true),
  };
}

const FIELD_CODECS: Record<FieldType, FieldCodec> = {
  handle: HANDLE,
  bool: BOOL,
  i8: number("Int8"),
  u8: number("Uint8"),
  i16: number("Int16"),
  u16: number("Uint16"),
  i32: number("Int32"),
  u32: number("Uint32"),
  f32: number("Float32"),
  i64: number("BigInt64"),
  u64: number("BigUint64"),
  isize: number("BigInt64"),
  usize: number("BigUint64"),
  f64: number("Float64"),
};
