import { formatNumber, type NumberFormat, padNumber, signOf } from "./format_number.ts";

/** Formats a double as `%a` and `%A` of C do, bit for bit; no page that prints from shaders loads it. */
export function formatHexFloat(value: number, format: NumberFormat): string {
  const { flags, letter, precision } = format;
  const isUpper = letter === "A";
  if (!Number.isFinite(value)) {
    return formatNumber(value, { ...format, letter: isUpper ? "F" : "f" });
  }
  const text = `0x${hexDigits(value, precision, flags.includes("#"))}`;
  const [head, digits] = [text.slice(0, 2), text.slice(2)]
    .map((part) => isUpper ? part.toUpperCase() : part);
  const isNegative = value < 0 || Object.is(value, -0);
  return padNumber(signOf(isNegative, flags) + head!, digits!, { ...format, mayFill: true });
}

const view = new DataView(new ArrayBuffer(8));
const FRACTION_BITS = 52;
const FRACTION_DIGITS = 13;

/**
 * The digits of a finite double in hexadecimal, as C's `%a` writes them after `0x`: `1.8p+1` for 3.
 * Rounded half to even to `precision` digits; without trailing zeros when absent.
 *
 * @param isAlternate whether to write the point even without digits after it
 */
function hexDigits(
  value: number,
  precision: number | undefined,
  isAlternate: boolean,
): string {
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> BigInt(FRACTION_BITS));
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const significand = biased === 0 ? fraction : fraction | 1n << BigInt(FRACTION_BITS);
  const exponent = bits === 0n ? 0 : biased === 0 ? -1022 : biased - 1023;
  const digits = precision === undefined ? FRACTION_DIGITS : Math.min(precision, FRACTION_DIGITS);
  const text = roundedTo(significand, digits).toString(16).padStart(digits + 1, "0");
  const lead = text.slice(0, text.length - digits);
  const rest = text.slice(text.length - digits);
  const shown = precision === undefined ? rest.replace(/0+$/, "") : rest.padEnd(precision, "0");
  const point = shown !== "" || isAlternate ? "." : "";
  return `${lead}${point}${shown}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

/** Rounds the fraction to some hexadecimal digits, half to even. */
function roundedTo(significand: bigint, digits: number): bigint {
  const drop = BigInt(FRACTION_BITS - 4 * digits);
  if (drop === 0n) return significand;
  const kept = significand >> drop;
  const rest = significand & ((1n << drop) - 1n);
  const half = 1n << (drop - 1n);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}
