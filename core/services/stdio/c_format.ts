import { EXTENT_MAX } from "../../text/conversion.ts";

/** A conversion of C's `printf`, with everything that its text says. */
export interface CConversion {
  /** As written. */
  readonly text: string;
  /** Some of `-`, `+`, space, `0` and `#`. */
  readonly flags: string;
  /** A number, or that an argument in front of the value says it. */
  readonly width: number | "*" | undefined;
  readonly precision: number | "*" | undefined;
  /** How wide the argument is: `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `q`, `L`, or nothing. */
  readonly length: string;
  /** One of `diouxXfFeEgGaAcsp`. */
  readonly letter: string;
}

/** What a format is made of: bytes to show, and conversions. */
export type CPiece = Uint8Array | CConversion;

const CONVERSION = /%([-+ 0#]*)(\*|\d+)?(?:\.(\*|-?\d*))?(hh|h|ll|l|j|z|t|q|L)?([A-Za-z%]?)/y;
const LETTERS = "diouxXfFeEgGaAcsp";

/**
 * Takes a format of C apart.
 *
 * @throws {TypeError} at what is no conversion, and at `%n`, which would write to the host's memory
 *
 * @example
 * ```ts
 * import { parseCFormat } from "./c_format.ts";
 * const [text, conversion] = parseCFormat("size: %5zu");
 * if (!(text instanceof Uint8Array) || conversion instanceof Uint8Array) throw new Error("text first");
 * if (conversion?.length !== "z" || conversion.width !== 5) throw new Error(conversion?.text);
 * ```
 */
export function parseCFormat(format: string): readonly CPiece[] {
  const pieces: CPiece[] = [];
  for (let at = 0;;) {
    const next = format.indexOf("%", at);
    const text = format.slice(at, next < 0 ? undefined : next);
    if (text !== "") pieces.push(new TextEncoder().encode(text));
    if (next < 0) return pieces;
    const conversion = conversionAt(format, next);
    pieces.push(conversion.letter === "%" ? PERCENT : conversion);
    at = next + conversion.text.length;
  }
}

const PERCENT = new Uint8Array([0x25]);

function conversionAt(format: string, at: number): CConversion {
  CONVERSION.lastIndex = at;
  const [text, flags = "", width, precision, length = "", letter = ""] = CONVERSION.exec(format)!;
  if (letter === "n") {
    throw new TypeError(`Cannot print by ${text} as it writes to memory: leave it out`);
  }
  if (letter === "%" ? text !== "%%" : letter === "" || !LETTERS.includes(letter)) {
    throw new TypeError(`Cannot print by ${JSON.stringify(text)} as it is no conversion of C`);
  }
  const conversion = {
    text,
    flags,
    width: extentOf(width),
    precision: extentOf(precision === "" ? "0" : precision),
    length,
    letter,
  };
  checkExtents(conversion);
  return conversion;
}

function extentOf(written: string | undefined): number | "*" | undefined {
  if (written === undefined || written === "*") return written;
  return written.startsWith("-") ? undefined : Number(written);
}

/**
 * Checks the width and the precision of a conversion, as far as they are numbers. That of a text only
 * takes letters away, and may be as long as the text.
 *
 * @throws {TypeError} when a field would be larger than any that is made
 */
export function checkExtents({ text, letter, width, precision }: CConversion): void {
  const extents = [Math.abs(Number(width)), letter === "s" ? 0 : Number(precision)];
  const extent = extents.find((extent) => extent > EXTENT_MAX);
  if (extent === undefined) return;
  throw new TypeError(
    `Cannot print by ${text} as widths and precisions are at most ${EXTENT_MAX}: current value is ${extent}`,
  );
}
