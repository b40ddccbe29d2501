import type { HostVariadic } from "../../signature/declaration_types.ts";
import {
  checkC,
  checkExtents,
  type Conversion,
  type Extent,
  FormatCache,
  type FormatPiece,
  parseFormat,
} from "../../text/conversion.ts";
import {
  formatNumber,
  type NumberFormat,
  numberFormat,
  padNumber,
  signOf,
} from "../../text/format_number.ts";
import { formatHexFloat } from "../../text/hex_float.ts";
import { numberWriter } from "../../text/format_writer.ts";
import { TextWriter } from "../../text/text_writer.ts";

/** A conversion whose width and precision are numbers. */
interface Field extends NumberFormat {
  readonly conversion: Conversion;
}

/**
 * Formats as C's `printf` does, byte for byte: widths and precisions of texts count bytes, and floats
 * are rounded from their exact value. The reference is glibc.
 *
 * An integer conversion truncates its argument to its length, or to 32 bits, as C does. A double is
 * truncated to an integer first, and an integer for a float conversion is widened, as callers in
 * TypeScript have only one kind of number.
 *
 * @throws {TypeError} when a conversion is invalid, or its argument is missing or has the wrong type
 */
export function printFormatted(format: string, values: readonly HostVariadic[]): Uint8Array {
  const left = new Arguments(values);
  const writer = new TextWriter(FIRST_BYTES);
  for (const write of piecesOf(format)) write(writer, left);
  return writer.written;
}

/** Enough for most lines. */
const FIRST_BYTES = 128;

/** Adds a piece of a format, and takes its arguments. */
type PieceWriter = (writer: TextWriter, left: Arguments) => void;

/** The compiled pieces of known formats. */
const known = new FormatCache<string, readonly PieceWriter[]>();

function piecesOf(format: string): readonly PieceWriter[] {
  return known.find(format, () => true) ??
    known.learn(format, format.length, parseFormat(format, checkC).map(pieceWriter));
}

/** Compiles a piece, with a fast path for 32-bit numbers and floats without `*`. */
function pieceWriter(piece: FormatPiece): PieceWriter {
  if (typeof piece === "string") {
    const bytes = bytesOf(piece);
    return (writer) => writer.add(bytes);
  }
  const { letter, length, width, precision } = piece;
  const isFixed = width !== "*" && precision !== "*";
  const isWord = length === "" && "diuxXo".includes(letter);
  if (!isFixed || !(isWord || "fFeEgG".includes(letter))) {
    return (writer, left) => writer.add(convert(fieldOf(piece, left), left));
  }
  const write = numberWriter(numberFormat(piece, () => 0));
  if (!isWord) return (writer, left) => write(writer, left.float(piece));
  return letter === "d" || letter === "i"
    ? (writer, left) => write(writer, left.word(piece))
    : (writer, left) => write(writer, left.word(piece) >>> 0);
}

/** The remaining arguments. */
class Arguments {
  readonly #values: readonly HostVariadic[];
  #next = 0;

  constructor(values: readonly HostVariadic[]) {
    this.#values = values;
  }

  take({ text }: Conversion): HostVariadic {
    const value = this.#values[this.#next++];
    if (value) return value;
    throw new TypeError(`Cannot print by ${text} as there is no argument for it`);
  }

  integer(conversion: Conversion): bigint {
    const { type, value } = this.take(conversion);
    if (type === "string") refuse(conversion, "an integer", value);
    if (typeof value === "bigint") return value;
    if (!Number.isFinite(value)) refuse(conversion, "an integer", value);
    return BigInt(Math.trunc(value));
  }

  /** The next argument as a signed integer of 32 bits. */
  word(conversion: Conversion): number {
    const { type, value } = this.take(conversion);
    if (typeof value === "bigint") return Number(BigInt.asIntN(32, value));
    if (type === "string" || !Number.isFinite(value)) refuse(conversion, "an integer", value);
    return Number(value) | 0;
  }

  float(conversion: Conversion): number {
    const { type, value } = this.take(conversion);
    return type === "string" ? refuse(conversion, "a number", value) : Number(value);
  }
}

function refuse({ text }: Conversion, demand: string, value: unknown): never {
  throw new TypeError(`Cannot print by ${text} as it takes ${demand}: current value is ${value}`);
}

function fieldOf(conversion: Conversion, left: Arguments): Field {
  const extentOf = (extent: Extent) =>
    extent === "*" ? Number(signed(left.integer(conversion), "")) : extent;
  const width = extentOf(conversion.width);
  const given = { ...conversion, width, precision: extentOf(conversion.precision) };
  checkExtents(given);
  return { ...numberFormat(given, () => 0), conversion };
}

function convert(field: Field, left: Arguments): Uint8Array {
  const { conversion, precision } = field;
  switch (conversion.letter) {
    case "s":
      return padded(textOf(left.take(conversion), conversion).subarray(0, precision), field);
    case "c":
      return padded(characterOf(left, conversion), field);
    case "p":
      return pointerText(left.integer(conversion), field);
    case "d":
    case "i":
      return bytesOf(formatNumber(signed(left.integer(conversion), conversion.length), field));
    case "o":
    case "u":
    case "x":
    case "X":
      return bytesOf(formatNumber(unsigned(left.integer(conversion), conversion.length), field));
    case "a":
    case "A":
      return bytesOf(formatHexFloat(left.float(conversion), field));
    default:
      return bytesOf(formatNumber(left.float(conversion), field));
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, "": 32 };

function signed(value: bigint, length: string): bigint {
  return BigInt.asIntN(BITS[length] ?? 64, value);
}

function unsigned(value: bigint, length: string): bigint {
  return BigInt.asUintN(BITS[length] ?? 64, value);
}

function textOf({ type, value }: HostVariadic, conversion: Conversion): Uint8Array {
  return type === "string" ? bytesOf(value) : refuse(conversion, "a string", value);
}

function characterOf(left: Arguments, conversion: Conversion): Uint8Array {
  const code = left.integer(conversion);
  if (conversion.length !== "l") return new Uint8Array([Number(BigInt.asUintN(8, code))]);
  const point = Number(BigInt.asUintN(32, code));
  if (point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)) {
    return new TextEncoder().encode(String.fromCodePoint(point));
  }
  throw new TypeError(
    `Cannot print by ${conversion.text} as the value must be a character of Unicode: current value is ${code}`,
  );
}

/** A text in its field. */
export function padded(
  bytes: Uint8Array,
  { flags, width }: Pick<Field, "flags" | "width">,
): Uint8Array {
  if (bytes.length >= width) return bytes;
  const field = new Uint8Array(width).fill(0x20);
  field.set(bytes, flags.includes("-") ? 0 : width - bytes.length);
  return field;
}

/** Formats a pointer as glibc does: null is `(nil)`, padded as text; others may have a sign. */
function pointerText(value: bigint, field: Field): Uint8Array {
  if (value === 0n) return padded(bytesOf("(nil)"), field);
  const { flags, precision } = field;
  const digits = BigInt.asUintN(64, value).toString(16).padStart(precision ?? 1, "0");
  const mayFill = precision === undefined;
  return bytesOf(padNumber(`${signOf(false, flags)}0x`, digits, { ...field, mayFill }));
}
