import { type Conversion, type FormatPiece, scalarOf } from "./conversion.ts";
import { addFixed, addGeneral } from "./fast_float.ts";
import { formatNumber, mayUseToFixed, type NumberFormat, numberFormat } from "./format_number.ts";
import type { TextWriter } from "./text_writer.ts";

/** The device's words are in the order of the host's bytes. */
export const LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Adds the text of a format whose numbers stand in memory, one word each, from a byte on.
 *
 * @returns the byte behind them
 * @throws {RangeError} when the memory ends before the format does
 */
export type FormatWriter = (writer: TextWriter, values: DataView, firstByte: number) => number;

/**
 * Makes a function of a format, once, so that nothing is decided about the format for each line: which
 * conversions there are, and which of them may take a short way.
 *
 * @example
 * ```ts
 * import { parseFormat } from "./conversion.ts";
 * import { formatWriter } from "./format_writer.ts";
 * import { TextWriter } from "./text_writer.ts";
 * const write = formatWriter(parseFormat("%d of %u\n"));
 * const writer = new TextWriter();
 * const end = write(writer, new DataView(new Int32Array([-1, 3]).buffer), 0);
 * const text = new TextDecoder().decode(writer.written);
 * if (text !== "-1 of 3\n" || end !== 8) throw new Error(text);
 * ```
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
  const { width, precision, size } = conversion;
  if (width === "*" || precision === "*") return slowWriter(conversion);
  const read = readerOf(conversion);
  const add = numberWriter(numberFormat(conversion, () => 0));
  if (size === 1) return (writer, values, byte) => (add(writer, read(values, byte)), byte + 4);
  return (writer, values, byte) => {
    addComponents(writer, size, (at) => add(writer, read(values, byte + at * 4)));
    return byte + size * 4;
  };
}

/** For a width or precision that is an argument. */
function slowWriter(conversion: Conversion): FormatWriter {
  const read = readerOf(conversion);
  return (writer, values, firstByte) => {
    let byte = firstByte;
    const next = () => (byte += 4) - 4;
    const format = numberFormat(conversion, () => values.getInt32(next(), LITTLE));
    const add = () => writer.addAscii(formatNumber(read(values, next()), format));
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

/** Adds a number; made once for each format. */
export type NumberWriter = (writer: TextWriter, value: number) => void;

/**
 * Makes a function of a number's format that writes what `formatNumber` gives, by the short way where
 * the number allows it.
 *
 * @param format its letter says what the numbers are: for `d` of 32 bits with a sign, for `u`, `x` and `o`
 * without one
 */
export function numberWriter(format: NumberFormat): NumberWriter {
  const slow: NumberWriter = (writer, value) => writer.addAscii(formatNumber(value, format));
  const { flags, width, letter, precision } = format;
  if (flags.includes("#") || letter === "X") return slow;
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

const MINUS = 0x2d;

function fixedWriter(precision: number) {
  return (writer: TextWriter, value: number): boolean => {
    if (addFixed(writer, value, precision)) return true;
    if (!mayUseToFixed(value, precision)) return false;
    writer.addAscii(value.toFixed(precision));
    return true;
  };
}

/** How numbers of at least 0 are written the short way; returns whether one could be. */
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
