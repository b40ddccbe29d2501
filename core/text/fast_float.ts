import type { TextWriter } from "./text_writer.ts";

/** The digits behind the point up to which an f32 times a power of ten is exact in a double. */
const FRACTION_MAX = 9;
const POWERS = Array.from({ length: FRACTION_MAX + 2 }, (_, power) => 10 ** power);
const POINT = 0x2e;
const ZERO = 0x30;

/**
 * Adds a float as `%.2f` shows it, where no large numbers are needed for that: an f32 has 24 bits and
 * five to the 9 has 21, so that a product of both is exact in a double, and half to even is decided by
 * looking. Some twenty times faster than by text.
 *
 * @param value at least 0
 * @param precision digits behind the point
 * @returns whether it could; else nothing was added
 *
 * @example
 * ```ts
 * import { addFixed } from "./fast_float.ts";
 * import { TextWriter } from "./text_writer.ts";
 * const writer = new TextWriter();
 * if (!addFixed(writer, 2.5, 0) || !addFixed(writer, 0.375, 2)) throw new Error("both are f32");
 * if (new TextDecoder().decode(writer.written) !== "20.38") throw new Error("halves to even");
 * ```
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
 * Adds a float as `%g` shows it, where that has no exponent and no large numbers are needed.
 *
 * @param value at least 0
 * @param precision digits that count, from 1
 * @returns whether it could; else nothing was added
 */
export function addGeneral(writer: TextWriter, value: number, precision: number): boolean {
  if (value === 0) return writer.addByte(ZERO), true;
  if (!(value >= 1e-4) || value >= POWERS[FRACTION_MAX]!) return false;
  // The digits in front of the point, or how many zeros follow it, with a minus.
  let before = Math.floor(Math.log10(value)) + 1;
  const bound = before > 0 ? POWERS[before]! : undefined;
  if (bound !== undefined && value >= bound) before++;
  else if (before > 1 && value < POWERS[before - 1]!) before--;
  const fraction = precision - before;
  if (fraction < 0 || fraction > FRACTION_MAX) return false;
  const start = writer.length;
  if (!addFixed(writer, value, fraction)) return false;
  // Rounding up has made a digit more, or the logarithm was not exact.
  if (!hasDigits(writer, { start, before, precision })) return writer.cut(start), false;
  if (fraction > 0) cutZeros(writer);
  return true;
}

/** Whether a text has so many digits in front of its point, and so many that count. */
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
  // In 0.00123 the first digit that counts is at its place, and only zeros are in front of it.
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
