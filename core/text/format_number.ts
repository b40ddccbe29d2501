import { type Conversion, EXTENT_MAX } from "./conversion.ts";

/** A conversion whose width and precision are numbers. */
export interface NumberFormat {
  /** Some of `-`, `+`, space, `0` and `#`. */
  readonly flags: string;
  /** The minimum number of characters. */
  readonly width: number;
  /** The precision as C defines it for the letter; `undefined` for its default. */
  readonly precision: number | undefined;
  /** One of `d i u x X o f F e E g G a A`. */
  readonly letter: string;
}

/** Limits an argument of `*`, which comes from the other side, to what a format may contain. */
function clamped(extent: number): number {
  return Math.max(-EXTENT_MAX, Math.min(EXTENT_MAX, extent));
}

/** Fills in arguments of `*`: a negative width is the flag `-`, and a negative precision is ignored. */
export function numberFormat(
  conversion: Pick<Conversion, "flags" | "width" | "precision" | "letter">,
  nextExtent: () => number,
): NumberFormat {
  const { flags, width = 0, precision, letter } = conversion;
  const wide = width === "*" ? clamped(nextExtent()) : width;
  const precise = precision === "*" ? clamped(nextExtent()) : precision;
  return {
    flags: wide < 0 ? `${flags}-` : flags,
    width: Math.abs(wide),
    precision: precise !== undefined && precise < 0 ? undefined : precise,
    letter,
  };
}

/**
 * Formats a number as C's `printf` does, digit for digit: floats are rounded from their exact value,
 * half to even. The sign of a NaN is not shown. `%a` is of `formatHexFloat`.
 *
 * @param value an f32 widened to f64, an i32 or a u32, depending on the letter; integers may be bigints
 */
export function formatNumber(value: number | bigint, format: NumberFormat): string {
  const { flags, letter, precision } = format;
  const isInteger = INTEGERS.includes(letter);
  const isUnsigned = isInteger && letter !== "d" && letter !== "i";
  const isNegative = value < 0 || Object.is(value, -0);
  const isZero = Number(value) === 0;
  const digits = isInteger
    ? integerDigits(isNegative ? -value : value, format)
    : floatDigits(Math.abs(Number(value)), format);
  const isFinite = Number.isFinite(Number(value));
  const isMarked = flags.includes("#") && !isZero && letter.toLowerCase() === "x";
  const prefix = isMarked ? `0${letter}` : "";
  const head = isUnsigned ? prefix : signOf(isNegative, flags) + prefix;
  const text = letter < "a" ? digits.toUpperCase() : digits;
  const mayFill = isInteger ? precision === undefined : isFinite;
  return padNumber(head, text, { ...format, mayFill });
}

const INTEGERS = "diuxXo";

/** The sign of a number, depending on the flags. */
export function signOf(isNegative: boolean, flags: string): string {
  return isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

/** Formats a text as `%-10.3s` does; the precision counts characters. */
export function formatText(text: string, { flags, width, precision }: NumberFormat): string {
  const letters = [...text].slice(0, precision);
  // Fields count characters, some of which are two UTF-16 units.
  const spare = " ".repeat(Math.max(0, width - letters.length));
  const shown = letters.join("");
  return flags.includes("-") ? shown + spare : spare + shown;
}

/**
 * Pads digits to their field, with zeros after the head or spaces on one side.
 *
 * @param head the sign and a prefix such as `0x`
 */
export function padNumber(
  head: string,
  digits: string,
  { flags, width, mayFill }: Pick<NumberFormat, "flags" | "width"> & { readonly mayFill: boolean },
): string {
  const spare = width - head.length - digits.length;
  if (spare <= 0) return head + digits;
  if (flags.includes("-")) return head + digits + " ".repeat(spare);
  if (flags.includes("0") && mayFill) return head + "0".repeat(spare) + digits;
  return " ".repeat(spare) + head + digits;
}

function integerDigits(
  value: number | bigint,
  { letter, precision, flags }: NumberFormat,
): string {
  const base = letter === "x" || letter === "X" ? 16 : letter === "o" ? 8 : 10;
  const plain = Number(value) === 0 && precision === 0 ? "" : value.toString(base);
  const digits = plain.padStart(precision ?? 1, "0");
  return letter === "o" && flags.includes("#") && !digits.startsWith("0") ? `0${digits}` : digits;
}

function floatDigits(value: number, format: NumberFormat): string {
  if (Number.isNaN(value)) return "nan";
  if (value === Infinity) return "inf";
  const { letter, precision = 6, flags } = format;
  const isAlternate = flags.includes("#");
  const kind = letter.toLowerCase();
  if (kind === "f") return withPoint(fixedDigits(value, precision), precision, isAlternate);
  if (kind === "e") return exponential(value, precision, isAlternate);
  return general(value, precision || 1, isAlternate);
}

function exponential(value: number, precision: number, isAlternate: boolean): string {
  const { digits, exponent } = significantDigits(value, precision + 1);
  return withPoint(digits, precision, isAlternate) + exponentText(exponent);
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function general(value: number, precision: number, isAlternate: boolean): string {
  const { digits, exponent } = significantDigits(value, precision);
  const isFixed = exponent >= -4 && exponent < precision;
  const fraction = isFixed ? precision - 1 - exponent : precision - 1;
  const mantissa = isFixed ? fixedDigits(value, fraction) : digits;
  const text = withPoint(mantissa, fraction, isAlternate);
  const trimmed = isAlternate || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
  return isFixed ? trimmed : trimmed + exponentText(exponent);
}

/** Inserts the point before the last digits. */
function withPoint(digits: string, fraction: number, isAlternate: boolean): string {
  const at = digits.length - fraction;
  if (fraction === 0) return isAlternate ? `${digits}.` : digits;
  return `${digits.slice(0, at)}.${digits.slice(at)}`;
}

/** The digits of the value times a power of ten, with at least one before the point. */
function fixedDigits(value: number, fraction: number): string {
  return rounded(value, fraction).padStart(fraction + 1, "0");
}

function significantDigits(value: number, count: number) {
  if (value === 0) return { digits: "0".repeat(count), exponent: 0 };
  const exponent = decimalExponent(value);
  const digits = rounded(value, count - 1 - exponent);
  // Rounding up may have reached a power of ten.
  if (digits.length === count) return { digits, exponent };
  return { digits: digits.slice(0, count), exponent: exponent + 1 };
}

/** The exponent of the largest power of ten that is not above a value. */
function decimalExponent(value: number): number {
  const shortest = value.toExponential();
  const guess = Number(shortest.split("e")[1]);
  // The shortest text may round up to a power of ten.
  if (!shortest.startsWith("1e")) return guess;
  const { up, down } = scaled(value, -guess);
  return up < down ? guess - 1 : guess;
}

/** The value times ten to a power, as a fraction; exact. */
function scaled(value: number, power: number): { readonly up: bigint; readonly down: bigint } {
  const { mantissa, exponent } = parts(value);
  const ten = 10n ** BigInt(Math.abs(power));
  const two = BigInt(Math.abs(exponent));
  return {
    up: (power > 0 ? mantissa * ten : mantissa) << (exponent > 0 ? two : 0n),
    down: (power > 0 ? 1n : ten) << (exponent > 0 ? 0n : two),
  };
}

/** The value times ten to a power, rounded half to even. */
function rounded(value: number, power: number): string {
  if (mayUseToFixed(value, power)) {
    return value.toFixed(power).replace(".", "").replace(/^0+(?=\d)/, "");
  }
  const { up, down } = scaled(value, power);
  const quotient = up / down;
  const twice = (up - quotient * down) * 2n;
  const isUp = twice > down || (twice === down && quotient % 2n === 1n);
  return String(isUp ? quotient + 1n : quotient);
}

/**
 * Whether `toFixed` rounds correctly, which is about ten times faster: it is exact, but rounds halves
 * up. A half times five is still a half, so powers of two are enough to detect it.
 */
export function mayUseToFixed(value: number, power: number): boolean {
  if (power < 0 || power > 100 || !(value < 1e21)) return false;
  const isHalf = Number.isInteger(value * 2 ** (power + 1)) &&
    !Number.isInteger(value * 2 ** power);
  return !isHalf;
}

const view = new DataView(new ArrayBuffer(8));

/** A finite value as an integer times a power of two. */
function parts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const biased = Number(bits >> 52n) & 0x7ff;
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 1n << 52n, exponent: biased - 1075 };
}
