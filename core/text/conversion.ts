/** What a conversion may take, by the names of WGSL. */
export type NumberType = "f32" | "i32" | "u32";

/** How wide or how precise a conversion is: a number, or an i32 argument in front of the value. */
export type Extent = number | "*" | undefined;

/** One conversion of a format, as `%-8.3f`; its letters and flags mean what they mean in C. */
export interface Conversion {
  /** As written. */
  readonly text: string;
  /** Some of `-`, `+`, space, `0` and `#`. */
  readonly flags: string;
  readonly width: Extent;
  readonly precision: Extent;
  /** 2 to 4 components, 1 for a scalar, 0 where the argument says it: `%v`. */
  readonly size: 0 | 1 | 2 | 3 | 4;
  /** What is done to each component; `v` where the argument says it. */
  readonly letter: string;
}

/** What a format is made of: text to show, and conversions. */
export type FormatPiece = string | Conversion;

/** How many words the arguments of a conversion take. */
export function argumentWords({ width, precision, size }: Conversion): number {
  return Number(width === "*") + Number(precision === "*") + size;
}

/** What C promises of every conversion; more is refused, so that a width cannot fill the memory. */
export const EXTENT_MAX = 4095;

/** Which scalar each letter takes. */
const SCALAR_OF: Readonly<Record<string, NumberType>> = {
  ...{ d: "i32", i: "i32" },
  ...{ u: "u32", x: "u32", X: "u32", o: "u32" },
  ...{ f: "f32", F: "f32", e: "f32", E: "f32", g: "f32", G: "f32" },
};

const CONVERSION = /%([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?(?:(v)([2-4]?))?([A-Za-z%]?)/y;
const LETTERS = "%d %i %u %x %X %o %f %F %e %E %g %G %s %v %v3f %%";

/** Which scalar a conversion takes; `undefined` for `%s` and `%v`. */
export function scalarOf({ letter }: Conversion): NumberType | undefined {
  return SCALAR_OF[letter];
}

/** The letter that `%v` means for components of a type. */
export const LETTER_OF_SCALAR: Readonly<Record<NumberType, string>> = {
  f32: "g",
  i32: "d",
  u32: "u",
};

/**
 * Takes a format apart.
 *
 * @throws {TypeError} at what is no conversion; the text says what is wrong, and the way out
 *
 * @example
 * ```ts
 * import { parseFormat } from "./conversion.ts";
 * const pieces = parseFormat("x = %5.1f%%\n");
 * const texts = pieces.map((piece) => typeof piece === "string" ? piece : piece.text);
 * if (texts.join("|") !== "x = |%5.1f|%\n") throw new Error("text, conversion, text");
 * ```
 */
export function parseFormat(format: string): readonly FormatPiece[] {
  const pieces: FormatPiece[] = [];
  const addText = (text: string) => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else if (text !== "") pieces.push(text);
  };
  for (let at = 0; at < format.length;) {
    const next = format.indexOf("%", at);
    addText(format.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    const { piece, end } = conversionAt(format, next);
    if (typeof piece === "string") addText(piece);
    else pieces.push(piece);
    at = end;
  }
  return pieces;
}

function conversionAt(format: string, at: number) {
  CONVERSION.lastIndex = at;
  const [found, flags = "", width, precision, vector, size, last = ""] = CONVERSION.exec(format)!;
  // `%v` is a conversion of its own: a letter behind it is text, unless a size makes it `%v3f`.
  const isBare = vector === "v" && size === "" && !/\d/.test(format[at + found.length] ?? "");
  const letter = isBare ? "v" : last;
  const text = isBare ? found.slice(0, found.length - last.length) : found;
  const end = at + text.length;
  if (letter === "%" && text === "%%") return { piece: "%", end };
  checkLetter(
    letter === "" ? format.slice(at, end + 2) : text,
    letter,
    vector !== undefined && !isBare,
  );
  const piece: Conversion = {
    text,
    flags,
    width: extentOf(text, width),
    precision: precision === undefined ? undefined : extentOf(text, precision || "0"),
    size: isBare ? 0 : (Number(size || 1) as 1 | 2 | 3 | 4),
    letter,
  };
  return { piece, end };
}

function checkLetter(text: string, letter: string, isVector: boolean): void {
  if (letter in SCALAR_OF || (!isVector && (letter === "s" || letter === "v"))) return;
  const reason = /^[hljzLt]$/.test(letter)
    ? `${text} has a length, and numbers of WGSL have one length only: leave ${letter} out`
    : `${text} is no conversion: use ${LETTERS}`;
  throw new TypeError(reason);
}

function extentOf(text: string, written: string | undefined): Extent {
  if (written === undefined || written === "*") return written;
  const extent = Number(written);
  if (extent <= EXTENT_MAX) return extent;
  throw new TypeError(`a width or precision is at most ${EXTENT_MAX}: ${text} has ${written}`);
}
