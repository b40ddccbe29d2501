import { argumentWords, type Conversion, type FormatPiece, scalarOf } from "./conversion.ts";
import {
  formatNumber,
  formatText,
  mayUseToFixed,
  type NumberFormat,
  numberFormat,
} from "./format_number.ts";
import type { TextWriter } from "./text_writer.ts";

/** Whether the host is little-endian, as the device's words have its byte order. */
export const LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Adds the text of a format whose numbers are consecutive words in memory.
 *
 * @returns the byte after them
 * @throws {RangeError} when the memory ends before the format does
 */
export type FormatWriter = (writer: TextWriter, values: DataView, firstByte: number) => number;

/**
 * Compiles a format into a function, so that its conversions are not analyzed again for each line.
 */
export function formatWriter(pieces: readonly FormatPiece[]): FormatWriter {
  const writers = pieces.map(pieceWriter);
  return (writer, values, firstByte) => {
    let byte = firstByte;
    for (let at = 0; at < writers.length; at++) byte = writers[at]!(writer, values, byte);
    return byte;
  };
}

function pieceWriter(piece: FormatPiece): FormatWriter {
  if (typeof piece !== "string") return conversionWriter(piece);
  const text = new TextEncoder().encode(piece);
  return (writer, _values, byte) => (writer.add(text), byte);
}

function conversionWriter(conversion: Conversion): FormatWriter {
  const { width, precision, size, elements } = conversion;
  if (elements) return listWriter(conversion, elements);
  if (width === "*" || precision === "*") return slowWriter(conversion);
  const read = readerOf(conversion);
  const add = numberWriter(numberFormat(conversion, () => 0));
  if (size === 1) return (writer, values, byte) => (add(writer, read(values, byte)), byte + 4);
  return (writer, values, byte) => {
    addComponents(writer, size, (at) => add(writer, read(values, byte + at * 4)));
    return byte + size * 4;
  };
}

/** Shows as many elements as there are, of those in the record. */
function listWriter(
  conversion: Conversion,
  { pieces, countMax }: NonNullable<Conversion["elements"]>,
): FormatWriter {
  const write = formatWriter(pieces);
  return (writer, values, firstByte) => {
    const count = values.getUint32(firstByte, LITTLE);
    let byte = firstByte + 4;
    writer.addAscii("[");
    for (let at = 0; at < Math.min(count, countMax); at++) {
      if (at > 0) writer.addAscii(", ");
      byte = write(writer, values, byte);
    }
    writer.addAscii(count > countMax ? `, and ${count - countMax} more]` : "]");
    return firstByte + argumentWords(conversion) * 4;
  };
}

/** Handles a width or precision that is an argument. */
function slowWriter(conversion: Conversion): FormatWriter {
  const read = readerOf(conversion);
  return (writer, values, firstByte) => {
    let byte = firstByte;
    const next = () => (byte += 4) - 4;
    const format = numberFormat(conversion, () => values.getInt32(next(), LITTLE));
    const add = () => writer.addAscii(shown(read(values, next()), format));
    if (conversion.size === 1) add();
    else addComponents(writer, conversion.size, add);
    return byte;
  };
}

function addComponents(writer: TextWriter, size: number, add: (at: number) => void): void {
  writer.addAscii("(");
  for (let at = 0; at < size; at++) {
    if (at > 0) writer.addAscii(", ");
    add(at);
  }
  writer.addAscii(")");
}

function readerOf(conversion: Conversion): (values: DataView, byte: number) => number {
  const scalar = scalarOf(conversion);
  if (scalar === "f32") return (values, byte) => values.getFloat32(byte, LITTLE);
  if (scalar === "i32") return (values, byte) => values.getInt32(byte, LITTLE);
  return (values, byte) => values.getUint32(byte, LITTLE);
}

/** Adds a number in a format. */
export type NumberWriter = (writer: TextWriter, value: number) => void;

/**
 * Compiles a number's format into a function that writes the text of `formatNumber`, with a fast path
 * for most numbers.
 *
 * @param format its letter determines the type of the numbers: signed 32-bit for `d`, unsigned for `u`,
 * `x` and `o`, a bool for `b`
 */
export function numberWriter(format: NumberFormat): NumberWriter {
  const slow: NumberWriter = (writer, value) => writer.addAscii(shown(value, format));
  const { flags, width, letter, precision } = format;
  if (flags.includes("#") || letter === "X" || letter === "b") return slow;
  const add = shortWriter(letter, precision);
  if (!add) return slow;
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const isSigned = !"uxo".includes(letter);
  const side = flags.includes("-") ? "-" : flags.includes("0") ? "0" : "";
  return (writer, value) => {
    const start = writer.length;
    if (isSigned) {
      if (value < 0 || Object.is(value, -0)) writer.addByte(MINUS);
      else if (sign !== "") writer.addAscii(sign);
    }
    if (!add(writer, Math.abs(value))) {
      writer.cut(start);
      return slow(writer, value);
    }
    if (width > 0) writer.pad(start, { width, side });
  };
}

/** Formats a number, or a bool in a word. */
function shown(value: number, format: NumberFormat): string {
  if (format.letter !== "b") return formatNumber(value, format);
  return formatText(value === 0 ? "false" : "true", format);
}

const MINUS = 0x2d;

function fixedWriter(precision: number) {
  return (writer: TextWriter, value: number): boolean => {
    if (addFixed(writer, value, precision)) return true;
    if (!mayUseToFixed(value, precision)) return false;
    writer.addAscii(value.toFixed(precision));
    return true;
  };
}

/** The fast path for numbers of at least 0, whose function returns whether it wrote the number. */
function shortWriter(
  letter: string,
  precision: number | undefined,
): ((writer: TextWriter, value: number) => boolean) | undefined {
  if (letter === "f") return fixedWriter(precision ?? 6);
  if (letter === "g") {
    return (writer, value) => addGeneral(writer, value, precision || (precision ?? 6) || 1);
  }
  if (precision !== undefined) return undefined;
  if (letter === "x") return (writer, value) => (writer.addBits(value, 4), true);
  if (letter === "o") return (writer, value) => (writer.addBits(value, 3), true);
  if ("diu".includes(letter)) return (writer, value) => (writer.addInteger(value), true);
  return undefined;
}

/** The most fraction digits for which an f32 times a power of ten is exact in a double. */
const FRACTION_MAX = 9;
const POWERS = Array.from({ length: FRACTION_MAX + 2 }, (_, power) => 10 ** power);
const POINT = 0x2e;
const ZERO = 0x30;

/**
 * Adds a float as `%.2f` does, if double arithmetic is exact: an f32 has 24 bits and 5 ** 9 has 21, so
 * their product is exact in a double, which decides rounding half to even. About twenty times faster
 * than by text.
 *
 * @param value at least 0
 * @param precision digits after the point
 * @returns whether it was possible; otherwise nothing was added
 */
export function addFixed(writer: TextWriter, value: number, precision: number): boolean {
  if (precision > FRACTION_MAX || !(value < 2 ** 53) || Math.fround(value) !== value) return false;
  const power = POWERS[precision]!;
  let whole = Math.floor(value);
  const scaled = (value - whole) * power;
  let fraction = Math.floor(scaled);
  const rest = scaled - fraction;
  const last = precision === 0 ? whole : fraction;
  if (rest > 0.5 || (rest === 0.5 && last % 2 === 1)) fraction++;
  if (fraction === power) {
    fraction = 0;
    whole++;
  }
  writer.addInteger(whole);
  if (precision === 0) return true;
  writer.addByte(POINT);
  writer.addDigits(fraction, precision);
  return true;
}

/**
 * Adds a float as `%g` does, if there is no exponent and double arithmetic is exact.
 *
 * @param value at least 0
 * @param precision significant digits, from 1
 * @returns whether it was possible; otherwise nothing was added
 */
export function addGeneral(writer: TextWriter, value: number, precision: number): boolean {
  if (value === 0) return writer.addByte(ZERO), true;
  if (!(value >= 1e-4) || value >= POWERS[FRACTION_MAX]!) return false;
  // The digits before the point, or the negative number of zeros after it.
  let before = Math.floor(Math.log10(value)) + 1;
  const bound = before > 0 ? POWERS[before]! : undefined;
  if (bound !== undefined && value >= bound) before++;
  else if (before > 1 && value < POWERS[before - 1]!) before--;
  const fraction = precision - before;
  if (fraction < 0 || fraction > FRACTION_MAX) return false;
  const start = writer.length;
  if (!addFixed(writer, value, fraction)) return false;
  // Rounding up has added a digit, or the logarithm was not exact.
  if (!hasDigits(writer, { start, before, precision })) return writer.cut(start), false;
  if (fraction > 0) cutZeros(writer);
  return true;
}

/** Whether a text has the expected digits before its point, and significant digits. */
function hasDigits(
  writer: TextWriter,
  { start, before, precision }: {
    readonly start: number;
    readonly before: number;
    readonly precision: number;
  },
): boolean {
  const length = writer.length - start;
  const isWhole = writer.byteAt(start) !== ZERO;
  if (before > 0) return isWhole && length === precision + Number(precision > before);
  // In 0.00123 only zeros precede the first significant digit.
  let first = 2;
  while (first < length && writer.byteAt(start + first) === ZERO) first++;
  return !isWhole && length - first === precision;
}

function cutZeros(writer: TextWriter): void {
  let end = writer.length;
  while (writer.byteAt(end - 1) === ZERO) end--;
  if (writer.byteAt(end - 1) === POINT) end--;
  writer.cut(end);
}
