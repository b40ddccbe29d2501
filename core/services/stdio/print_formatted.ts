import {
  formatNumber,
  type NumberFormat,
  numberFormat,
  padNumber,
  signOf,
} from "../../text/format_number.ts";
import { numberWriter } from "../../text/format_writer.ts";
import { TextWriter } from "../../text/text_writer.ts";
import type { HostVariadic } from "../../signature/mod.ts";
import { type CConversion, checkExtents, type CPiece, parseCFormat } from "./c_format.ts";
import { hexFloat } from "./hex_float.ts";

/** A conversion whose width and precision are numbers. */
interface Field extends NumberFormat {
  readonly conversion: CConversion;
}

/**
 * What C's `printf` writes, byte for byte: widths and precisions of texts count bytes; floats are
 * rounded from their exact value. The oracle is glibc.
 *
 * An integer conversion cuts its argument to its length, 32 bits where it has none, as C does. A number
 * that came as a double is cut to an integer first, and an integer for a float conversion widened:
 * callers in TypeScript have one kind of number.
 *
 * @throws {TypeError} when a conversion has no argument, or one that it cannot show, or is none
 *
 * @example
 * ```ts
 * import { printFormatted } from "./print_formatted.ts";
 * const bytes = printFormatted("%-4s|%+.2f|%#x", [
 *   { type: "string", value: "ab" },
 *   { type: "f64", value: 2.5 },
 *   { type: "u32", value: 255 },
 * ]);
 * if (new TextDecoder().decode(bytes) !== "ab  |+2.50|0xff") throw new Error("as C has it");
 * ```
 */
export function printFormatted(format: string, values: readonly HostVariadic[]): Uint8Array {
  const left = new Arguments(values);
  const writer = new TextWriter(FIRST_BYTES);
  for (const write of piecesOf(format)) write(writer, left);
  return writer.written;
}

/** Enough for most lines. */
const FIRST_BYTES = 128;
/** More formats than a program has; a client that makes up new ones does not fill the memory. */
const FORMATS_MAX = 256;
/** Longer ones are taken apart each time: what is made of a format takes some 60 times its memory. */
const FORMAT_LETTERS_MAX = 1024;

/** Adds a piece of a format, and takes the arguments that it needs. */
type PieceWriter = (writer: TextWriter, left: Arguments) => void;

/** What formats that were met before are made of. */
const known = new Map<string, readonly PieceWriter[]>();

function piecesOf(format: string): readonly PieceWriter[] {
  const before = known.get(format);
  if (before) return before;
  const pieces = parseCFormat(format).map(pieceWriter);
  if (format.length > FORMAT_LETTERS_MAX) return pieces;
  if (known.size === FORMATS_MAX) known.clear();
  known.set(format, pieces);
  return pieces;
}

/** The short ways: numbers of 32 bits and floats whose widths are in the format. */
function pieceWriter(piece: CPiece): PieceWriter {
  if (piece instanceof Uint8Array) return (writer) => writer.add(piece);
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

/** The arguments that are still to be shown. */
class Arguments {
  readonly #values: readonly HostVariadic[];
  #next = 0;

  constructor(values: readonly HostVariadic[]) {
    this.#values = values;
  }

  take({ text }: CConversion): HostVariadic {
    const value = this.#values[this.#next++];
    if (value) return value;
    throw new TypeError(`Cannot print by ${text} as there is no argument for it`);
  }

  integer(conversion: CConversion): bigint {
    const { type, value } = this.take(conversion);
    if (type === "string") refuse(conversion, "an integer", value);
    if (typeof value === "bigint") return value;
    if (!Number.isFinite(value)) refuse(conversion, "an integer", value);
    return BigInt(Math.trunc(value));
  }

  /** The last 32 bits of an integer, with a sign. */
  word(conversion: CConversion): number {
    const { type, value } = this.take(conversion);
    if (typeof value === "bigint") return Number(BigInt.asIntN(32, value));
    if (type === "string" || !Number.isFinite(value)) refuse(conversion, "an integer", value);
    return Number(value) | 0;
  }

  float(conversion: CConversion): number {
    const { type, value } = this.take(conversion);
    return type === "string" ? refuse(conversion, "a number", value) : Number(value);
  }
}

function refuse({ text }: CConversion, demand: string, value: unknown): never {
  throw new TypeError(`Cannot print by ${text} as it takes ${demand}: current value is ${value}`);
}

function fieldOf(conversion: CConversion, left: Arguments): Field {
  const extentOf = (extent: number | "*" | undefined) =>
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
    case "a":
    case "A":
      return hexText(left.float(conversion), field);
    case "d":
    case "i":
      return ascii(formatNumber(signed(left.integer(conversion), conversion.length), field));
    case "o":
    case "u":
    case "x":
    case "X":
      return ascii(formatNumber(unsigned(left.integer(conversion), conversion.length), field));
    default:
      return ascii(formatNumber(left.float(conversion), field));
  }
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, "": 32 };

function signed(value: bigint, length: string): bigint {
  return BigInt.asIntN(BITS[length] ?? 64, value);
}

function unsigned(value: bigint, length: string): bigint {
  return BigInt.asUintN(BITS[length] ?? 64, value);
}

function textOf({ type, value }: HostVariadic, conversion: CConversion): Uint8Array {
  return type === "string" ? ascii(value) : refuse(conversion, "a string", value);
}

function characterOf(left: Arguments, conversion: CConversion): Uint8Array {
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

function padded(bytes: Uint8Array, { flags, width }: Field): Uint8Array {
  if (bytes.length >= width) return bytes;
  const field = new Uint8Array(width).fill(0x20);
  field.set(bytes, flags.includes("-") ? 0 : width - bytes.length);
  return field;
}

/** As glibc: a null pointer is `(nil)`, in a field of texts; another may have a sign. */
function pointerText(value: bigint, field: Field): Uint8Array {
  if (value === 0n) return padded(ascii("(nil)"), field);
  const { flags, precision } = field;
  const digits = BigInt.asUintN(64, value).toString(16).padStart(precision ?? 1, "0");
  const mayFill = precision === undefined;
  return ascii(padNumber(`${signOf(false, flags)}0x`, digits, { ...field, mayFill }));
}

function hexText(value: number, field: Field): Uint8Array {
  const { flags, precision, letter } = field;
  const mayFill = Number.isFinite(value);
  const isNegative = value < 0 || Object.is(value, -0);
  const hex = mayFill ? hexFloat(value, precision, flags.includes("#")) : undefined;
  const head = signOf(isNegative, flags) + (hex ? "0x" : "");
  const digits = hex?.slice("0x".length) ?? (Number.isNaN(value) ? "nan" : "inf");
  const text = padNumber(head, digits, { ...field, mayFill });
  return ascii(letter === "A" ? text.toUpperCase() : text);
}
