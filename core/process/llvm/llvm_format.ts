import { EXTENT_MAX } from "../../text/conversion.ts";
import { formatNumber, type NumberFormat, padNumber } from "../../text/format_number.ts";
import { formatHexFloat } from "../../text/hex_float.ts";
import { Errno, ErrnoError } from "../../signature/declare/errno.ts";
import { padded } from "../../services/stdio/print_formatted.ts";
import { joined } from "../../signature/wire/variadic_bytes.ts";
import { untilNul } from "./lane_streams.ts";

/** A conversion of a format of C. */
interface Section {
  readonly flags: string;
  /** `*` for an argument. */
  readonly width: string | undefined;
  readonly precision: string | undefined;
  /** Bits of an integer, or 128 for a `long double`. */
  readonly bits: number;
  readonly letter: string;
}

/** Bytes as they are, or a conversion; a conversion that is none is printed as it is written, behind what it takes. */
type Piece = { readonly raw: Uint8Array; readonly stars: number } | Section;

const SECTION = /%([-+ 0#]*)(\*|\d+)?(?:\.(\*|-?\d*))?(hh|h|ll|l|j|z|t|q|L|wf?\d{1,4})?([^]?)/y;
const LETTERS = "diuoxXbBfFeEgGaAcspn%";
const INTEGERS = "diuoxXbB";
const LENGTH_BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, "": 32, L: 128 };
const POINTER_BITS = 64;
/** No pointer of a client's text. */
const NULL = 0n;

/** How the client lays its arguments: as members of a structure, or one right behind the other. */
export interface ArgumentLayout {
  readonly isPacked: boolean;
}

/** One call of C's printf: what it takes of the client, and the bytes that it makes. */
export class LlvmFormat {
  readonly #pieces: readonly Piece[];
  readonly #layout: ArgumentLayout;
  /** How many bytes of arguments the format takes. */
  readonly argumentBytes: number;

  /** @param format up to its NUL */
  constructor(format: Uint8Array, layout: ArgumentLayout) {
    this.#pieces = piecesOf(format);
    this.#layout = layout;
    const counted = new ArgumentReader(new Uint8Array(), layout);
    for (const piece of this.#pieces) counted.skip(piece);
    this.argumentBytes = counted.byte;
  }

  /** Where the client's texts are, in the order of the format: those that are not null. */
  textPointers(bytes: Uint8Array): bigint[] {
    const reader = new ArgumentReader(bytes, this.#layout);
    return this.#pieces.flatMap((piece) => {
      if (isRaw(piece) || piece.letter !== "s") {
        reader.skip(piece);
        return [];
      }
      reader.extents(piece);
      const pointer = reader.integer(POINTER_BITS);
      return pointer === NULL ? [] : [pointer];
    });
  }

  /**
   * The bytes that are printed.
   *
   * @param texts those of {@linkcode textPointers}, with or without a NUL
   * @throws {ErrnoError} `EOVERFLOW` when a width or a precision is over 4095, `EINVAL` when an argument is missing
   */
  print(bytes: Uint8Array, texts: readonly Uint8Array[]): Uint8Array {
    if (bytes.length < this.argumentBytes) {
      throw new ErrnoError(Errno.EINVAL, `print ${this.argumentBytes} bytes of ${bytes.length}`);
    }
    const reader = new ArgumentReader(bytes, this.#layout);
    const left = texts.values();
    return joined(this.#pieces.map((piece) => printed(piece, reader, left)));
  }
}

function isRaw(piece: Piece): piece is Extract<Piece, { raw: Uint8Array }> {
  return "raw" in piece;
}

/** A character a byte, so that nothing is taken for Unicode that the client did not mean so. */
function piecesOf(format: Uint8Array): Piece[] {
  const text = latin1(format);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length;) {
    const next = text.indexOf("%", at);
    const end = next < 0 ? text.length : next;
    if (end > at) pieces.push({ raw: format.subarray(at, end), stars: 0 });
    at = end;
    if (next < 0) break;
    SECTION.lastIndex = next;
    const [found, flags = "", width, precision, length = "", letter = ""] = SECTION.exec(text)!;
    at += found.length;
    pieces.push(
      letter !== "" && LETTERS.includes(letter)
        ? { flags, width, precision, bits: bitsOf(length), letter }
        : {
          raw: format.subarray(next, at),
          stars: Number(width === "*") + Number(precision === "*"),
        },
    );
  }
  return pieces;
}

function bitsOf(length: string): number {
  if (length.startsWith("w")) return Math.min(64, Math.max(1, Number(length.replace(/\D+/, ""))));
  return LENGTH_BITS[length] ?? 64;
}

/** Goes through the arguments as the client has laid them. */
class ArgumentReader {
  readonly #view: DataView;
  readonly #isPacked: boolean;
  byte = 0;

  constructor(bytes: Uint8Array, { isPacked }: ArgumentLayout) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#isPacked = isPacked;
  }

  /** What a width and a precision that are arguments say. */
  extents({ width, precision }: Pick<Section, "width" | "precision">) {
    return { width: this.#extent(width), precision: this.#extent(precision) };
  }

  #extent(written: string | undefined): number | undefined {
    if (written === "*") return Number(BigInt.asIntN(32, this.integer(32)));
    return written === undefined ? undefined : Number(written === "" ? 0 : written);
  }

  skip(piece: Piece): void {
    if (isRaw(piece)) {
      for (let star = 0; star < piece.stars; star++) this.integer(32);
      return;
    }
    this.extents(piece);
    const { letter, bits } = piece;
    if (letter === "%") return;
    if ("fFeEgGaA".includes(letter)) this.float(bits);
    else this.integer(INTEGERS.includes(letter) ? bits : letter === "c" ? 32 : POINTER_BITS);
  }

  /** An argument of so many bits, which takes 4 bytes at least; 0 behind the end. */
  integer(bits: number): bigint {
    const at = this.#take(bits > 32 ? 8 : 4);
    if (at < 0) return 0n;
    return bits > 32 ? this.#view.getBigUint64(at, true) : BigInt(this.#view.getUint32(at, true));
  }

  /** A `double`, or a `long double` of x86-64, which is rounded to one. */
  float(bits: number): number {
    const at = this.#take(bits === 128 ? 16 : 8);
    if (at < 0) return 0;
    return bits === 128 ? extended(this.#view, at) : this.#view.getFloat64(at, true);
  }

  #take(byteCount: number): number {
    const at = this.#isPacked ? this.byte : Math.ceil(this.byte / byteCount) * byteCount;
    this.byte = at + byteCount;
    return this.byte <= this.#view.byteLength ? at : -1;
  }
}

/** 64 bits of a mantissa with its leading one, 15 of an exponent, and a sign. */
function extended(view: DataView, byte: number): number {
  const mantissa = view.getBigUint64(byte, true);
  const head = view.getUint16(byte + 8, true);
  const exponent = (head & 0x7fff) - 16383 - 63;
  const sign = head & 0x8000 ? -1 : 1;
  if ((head & 0x7fff) === 0x7fff) {
    return mantissa << 1n & 0xffff_ffff_ffff_ffffn ? NaN : sign * Infinity;
  }
  // In two steps: 2 to the power of the exponent alone may be no double.
  const half = Math.trunc(exponent / 2);
  return sign * Number(mantissa) * 2 ** half * 2 ** (exponent - half);
}

function printed(
  piece: Piece,
  reader: ArgumentReader,
  texts: Iterator<Uint8Array>,
): Uint8Array {
  if (isRaw(piece)) {
    reader.skip(piece);
    return piece.raw;
  }
  const { letter, bits } = piece;
  const extents = reader.extents(piece);
  const isLeft = piece.flags.includes("-") || (extents.width ?? 0) < 0;
  const flags = isLeft ? `${piece.flags}-` : piece.flags;
  const width = Math.abs(extents.width ?? 0);
  const precision = (extents.precision ?? -1) < 0 ? undefined : extents.precision;
  // The precision of a text only cuts it.
  for (const extent of [width, letter === "s" ? 0 : precision ?? 0]) {
    if (extent <= EXTENT_MAX) continue;
    throw new ErrnoError(Errno.EOVERFLOW, `print a field of ${extent} characters`);
  }
  const field = { flags, width, precision, letter };
  switch (letter) {
    case "%":
      return new Uint8Array([0x25]);
    case "n": // what it would write is the client's memory
      reader.integer(POINTER_BITS);
      return new Uint8Array();
    case "c":
      return padded(new Uint8Array([Number(reader.integer(32) & 0xffn)]), field);
    case "s": {
      const isNull = reader.integer(POINTER_BITS) === NULL;
      const text = isNull ? ascii("(null)") : untilNul(texts.next().value ?? new Uint8Array());
      return padded(text.subarray(0, precision), field);
    }
    case "p": {
      const value = reader.integer(POINTER_BITS);
      if (value === NULL) return padded(ascii("(nullptr)"), field);
      return ascii(formatNumber(value, { ...field, flags: `${flags}#`, letter: "x" }));
    }
    case "b":
    case "B":
      return ascii(binary(BigInt.asUintN(bits, reader.integer(bits)), field));
    case "d":
    case "i":
      return ascii(formatNumber(BigInt.asIntN(bits, reader.integer(bits)), field));
    case "u":
    case "o":
    case "x":
    case "X":
      return ascii(formatNumber(BigInt.asUintN(bits, reader.integer(bits)), field));
    case "a":
    case "A":
      return ascii(formatHexFloat(reader.float(bits), field));
    default:
      return ascii(formatNumber(reader.float(bits), field));
  }
}

/** As C23 has it. */
function binary(value: bigint, field: NumberFormat): string {
  const { flags, precision, letter } = field;
  const digits = value === 0n && precision === 0 ? "" : value.toString(2);
  const head = flags.includes("#") && value !== 0n ? `0${letter}` : "";
  const mayFill = precision === undefined;
  return padNumber(head, digits.padStart(precision ?? 1, "0"), { ...field, mayFill });
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
