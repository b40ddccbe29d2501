const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]] as const;

/**
 * A duration as text, with three significant digits: `251 ns`, `1.20 ms`.
 *
 * @example
 * ```ts
 * import { durationText } from "./duration_text.ts";
 * if (durationText(251e-9) !== "251 ns") throw new Error("nanoseconds");
 * ```
 */
export function durationText(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size * 0.9995) ?? UNITS.at(-1)!;
  return `${threeDigits(seconds / size)} ${unit}`;
}

/**
 * A number with three significant digits, without an exponent: `0.980`, `12.3`, `4100000`.
 *
 * @example
 * ```ts
 * import { threeDigits } from "./duration_text.ts";
 * if (threeDigits(4_103_567) !== "4100000") throw new Error("no exponent");
 * ```
 */
export function threeDigits(value: number): string {
  const text = value.toPrecision(3);
  const [, exponent] = text.split("e-");
  if (exponent !== undefined) return value.toFixed(Number(exponent) + 2);
  return value >= 1000 || text.includes("e") ? String(Number(text)) : text;
}
