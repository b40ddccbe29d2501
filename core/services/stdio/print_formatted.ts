import { formatNumber } from "../../gpu/printf/format_number.ts";
import type { HostVariadic } from "../../signature/mod.ts";
import { C_EXTENT_MAX, type CConversion, parseCFormat } from "./c_format.ts";
import { hexFloat } from "./hex_float.ts";

/** A conversion whose width and precision are numbers. */
interface Field {
  readonly conversion: CConversion;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
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
  const parts = parseCFormat(format).map((piece) =>
    piece instanceof Uint8Array ? piece : convert(fieldOf(piece, left), left)
  );
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let byte = 0;
  for (const part of parts) {
    bytes.set(part, byte);
    byte += part.length;
  }
  return bytes;
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

  float(conversion: CConversion): number {
    const { type, value } = this.take(conversion);
    return type === "string" ? refuse(conversion, "a number", value) : Number(value);
  }
}

function refuse({ text }: CConversion, demand: string, value: unknown): never {
  throw new TypeError(`Cannot print by ${text} as it takes ${demand}: current value is ${value}`);
}

/** A negative width of `*` is the flag `-`, a negative precision none. */
function fieldOf(conversion: CConversion, left: Arguments): Field {
  const { flags, width = 0, precision } = conversion;
  const extent = () => {
    const value = Number(BigInt.asIntN(32, left.integer(conversion)));
    return Math.max(-C_EXTENT_MAX, Math.min(C_EXTENT_MAX, value));
  };
  const wide = width === "*" ? extent() : width;
  const precise = precision === "*" ? extent() : precision;
  return {
    conversion,
    flags: wide < 0 ? `${flags}-` : flags,
    width: Math.abs(wide),
    precision: precise !== undefined && precise < 0 ? undefined : precise,
  };
}

function convert(field: Field, left: Arguments): Uint8Array {
  const { conversion, flags, precision } = field;
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
      return number(signed(left.integer(conversion), conversion.length), field);
    case "o":
    case "u":
    case "x":
    case "X":
      return number(unsigned(left.integer(conversion), conversion.length), field);
    default:
      return ascii(
        formatNumber(left.float(conversion), { ...field, flags, letter: conversion.letter }),
      );
  }
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function number(value: bigint, field: Field): Uint8Array {
  return ascii(formatNumber(value, { ...field, letter: field.conversion.letter }));
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
  return new Uint8Array([Number(BigInt.asUintN(8, left.integer(conversion)))]);
}

function padded(bytes: Uint8Array, { flags, width }: Field): Uint8Array {
  if (bytes.length >= width) return bytes;
  const field = new Uint8Array(width).fill(0x20);
  field.set(bytes, flags.includes("-") ? 0 : width - bytes.length);
  return field;
}

/** As glibc: a null pointer is `(nil)`, in a field of texts. */
function pointerText(value: bigint, field: Field): Uint8Array {
  if (value === 0n) return padded(ascii("(nil)"), field);
  const flags = `${field.flags}#`;
  return ascii(formatNumber(BigInt.asUintN(64, value), { ...field, flags, letter: "x" }));
}

function hexText(value: number, field: Field): Uint8Array {
  const { flags, width, precision, conversion } = field;
  const isFinite = Number.isFinite(value);
  const digits = isFinite
    ? hexFloat(value, precision, flags.includes("#"))
    : Number.isNaN(value)
    ? "nan"
    : "inf";
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const spare = Math.max(0, width - sign.length - digits.length);
  const isFilled = isFinite && flags.includes("0") && !flags.includes("-");
  const text = isFilled
    ? `${sign}0x${"0".repeat(spare)}${digits.slice(2)}`
    : flags.includes("-")
    ? sign + digits + " ".repeat(spare)
    : " ".repeat(spare) + sign + digits;
  return ascii(conversion.letter === "A" ? text.toUpperCase() : text);
}
