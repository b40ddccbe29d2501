const view = new DataView(new ArrayBuffer(8));
const FRACTION_BITS = 52;
const FRACTION_DIGITS = 13;

/**
 * The digits of a finite double in hexadecimal, as C's `%a` writes them for a positive value:
 * `0x1.8p+1` for 3. Rounded to `precision` digits, halves to even; all that are not 0 when absent.
 *
 * @param isAlternate whether there is a point without digits behind it, too
 */
export function hexFloat(
  value: number,
  precision: number | undefined,
  isAlternate: boolean,
): string {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0) & 0x7fff_ffff_ffff_ffffn;
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
  return `0x${lead}${point}${shown}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

/** Keeps so many hexadecimal digits of the fraction, rounded to the nearest, halves to even. */
function roundedTo(significand: bigint, digits: number): bigint {
  const drop = BigInt(FRACTION_BITS - 4 * digits);
  if (drop === 0n) return significand;
  const kept = significand >> drop;
  const rest = significand & ((1n << drop) - 1n);
  const half = 1n << (drop - 1n);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}
