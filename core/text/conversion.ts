/** The types that a conversion may take, as in WGSL. */
export type NumberType = "f32" | "i32" | "u32" | "bool";

/** A width or precision: a number, or an i32 argument before the value. */
export type Extent = number | "*" | undefined;

/** A conversion of a format, such as `%-8.3f`, with letters and flags as in C. */
export interface Conversion {
  /** As written. */
  readonly text: string;
  /** Some of `-`, `+`, space, `0` and `#`. */
  readonly flags: string;
  readonly width: Extent;
  readonly precision: Extent;
  /** 2 to 4 components, 1 for a scalar, or 0 if the argument determines all: `%v`. */
  readonly size: 0 | 1 | 2 | 3 | 4;
  /** The length modifier of C: `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `q`, `L`, or nothing. */
  readonly length: string;
  /** The conversion of each component; `v` if the argument determines it. */
  readonly letter: string;
  /** How each element is shown, if it is of a list: a word says how many there are, before so many of them. */
  readonly elements?: { readonly pieces: readonly FormatPiece[]; readonly countMax: number };
}

/** Checks what a dialect has; `isVector` says whether a size was written, and `around` what. */
type CheckConversion = (conversion: Conversion, isVector: boolean, around: string) => void;

/** A part of a format: text, or a conversion. */
export type FormatPiece = string | Conversion;

/** The number of words of a conversion's arguments. */
export function argumentWords({ width, precision, size, elements }: Conversion): number {
  if (elements) return 1 + elements.countMax * wordsOfPieces(elements.pieces);
  return Number(width === "*") + Number(precision === "*") + size;
}

/** The number of words of the arguments of all conversions. */
export function wordsOfPieces(pieces: readonly FormatPiece[]): number {
  return pieces.reduce((sum, one) => sum + (typeof one === "string" ? 0 : argumentWords(one)), 0);
}

/** The largest field that C guarantees. More is rejected, so that a width cannot fill the memory. */
export const EXTENT_MAX = 4095;

/** The scalar that each letter takes. */
const SCALAR_OF: Readonly<Record<string, NumberType>> = {
  ...{ d: "i32", i: "i32" },
  ...{ u: "u32", x: "u32", X: "u32", o: "u32" },
  ...{ f: "f32", F: "f32", e: "f32", E: "f32", g: "f32", G: "f32" },
  b: "bool",
};

const CONVERSION =
  /%([-+ 0#]*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:(v)([2-4]?))?(hh|h|ll|l|j|z|t|q|L)?([A-Za-z%]?)/y;
const LETTERS = "%d %i %u %x %X %o %f %F %e %E %g %G %b %s %v %v3f %%";
const C_LETTERS = "diouxXfFeEgGaAcsp";

/** The scalar that a conversion takes; `undefined` for `%s` and `%v`. */
export function scalarOf({ letter }: Conversion): NumberType | undefined {
  return SCALAR_OF[letter];
}

/** The letter that `%v` stands for, by the type of the components. */
export const LETTER_OF_SCALAR: Readonly<Record<NumberType, string>> = {
  f32: "g",
  i32: "d",
  u32: "u",
  bool: "b",
};

/**
 * Parses a format.
 *
 * @param check of the dialect: of WGSL, which has vectors, or `checkC`
 * @throws {TypeError} at an invalid conversion, with a message that says how to fix it
 */
export function parseFormat(
  format: string,
  check: CheckConversion = checkWgsl,
): readonly FormatPiece[] {
  const pieces: FormatPiece[] = [];
  for (let at = 0; at < format.length;) {
    const next = format.indexOf("%", at);
    pieces.push(format.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    const { piece, end } = conversionAt(format, next, check);
    pieces.push(piece);
    at = end;
  }
  return joinTexts(pieces);
}

/** Joins adjacent texts, and leaves out empty ones. */
export function joinTexts(pieces: readonly FormatPiece[]): readonly FormatPiece[] {
  const joined: FormatPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece !== "string" || typeof last !== "string") joined.push(piece);
    else joined[joined.length - 1] = last + piece;
  }
  return joined.filter((piece) => piece !== "");
}

function conversionAt(format: string, at: number, check: CheckConversion) {
  CONVERSION.lastIndex = at;
  const [found, flags = "", width, precision, vector, size, length = "", last = ""] = CONVERSION
    .exec(format)!;
  // `%v` is complete: a letter after it is text, unless a size makes it `%v3f`.
  const isBare = vector === "v" && size === "" && !/\d/.test(format[at + found.length] ?? "");
  const text = isBare ? found.slice(0, found.length - last.length - length.length) : found;
  const end = at + text.length;
  if (text === "%%") return { piece: "%", end };
  const piece: Conversion = {
    text,
    flags,
    width: extentOf(width),
    precision: extentOf(precision === "" ? "0" : precision),
    size: isBare ? 0 : (Number(size || 1) as 1 | 2 | 3 | 4),
    length: isBare ? "" : length,
    letter: isBare ? "v" : last,
  };
  check(piece, vector !== undefined && !isBare, format.slice(at, end + 2));
  return { piece, end };
}

function extentOf(written: string | undefined): Extent {
  if (written === undefined || written === "*") return written;
  return written.startsWith("-") ? undefined : Number(written);
}

function checkWgsl(
  { text, width, precision, length, letter }: Conversion,
  isVector: boolean,
  around: string,
): void {
  if (length !== "" && length !== "q") {
    const shown = text.slice(0, text.length - letter.length - length.length + 1);
    throw new TypeError(
      `${shown} has a length, and numbers of WGSL have one length only: leave ${length[0]} out`,
    );
  }
  const isKnown = letter in SCALAR_OF || (!isVector && (letter === "s" || letter === "v"));
  if (!isKnown || length !== "" || text.includes(".-")) {
    const shown = JSON.stringify(letter === "" ? around : text).slice(1, -1);
    throw new TypeError(`${shown} is no conversion: use ${LETTERS}`);
  }
  const large = [width, precision].find((extent) => Number(extent) > EXTENT_MAX);
  if (large === undefined) return;
  throw new TypeError(`a width or precision is at most ${EXTENT_MAX}: ${text} has ${large}`);
}

/** Checks a conversion of C, which has lengths, characters, pointers and `%a`. */
export function checkC(conversion: Conversion): void {
  const { text, size, letter } = conversion;
  if (letter === "n") {
    throw new TypeError(`Cannot print by ${text} as it writes to memory: leave it out`);
  }
  if (letter === "" || !C_LETTERS.includes(letter) || size !== 1) {
    throw new TypeError(`Cannot print by ${JSON.stringify(text)} as it is no conversion of C`);
  }
  checkExtents(conversion);
}

/**
 * Checks the width and precision of a conversion of C, as far as they are numbers. The precision of a
 * text only removes characters, so it has no limit.
 *
 * @throws {TypeError} when a field would exceed the limit
 */
export function checkExtents(
  { text, letter, width, precision }: Pick<Conversion, "text" | "letter" | "width" | "precision">,
): void {
  const extents = [Math.abs(Number(width)), letter === "s" ? 0 : Number(precision)];
  const extent = extents.find((one) => one > EXTENT_MAX);
  if (extent === undefined) return;
  throw new TypeError(
    `Cannot print by ${text} as widths and precisions are at most ${EXTENT_MAX}: current value is ${extent}`,
  );
}

/** More formats than programs have. The limit keeps clients from filling the memory. */
const FORMATS_MAX = 256;
/** Longer formats are parsed each time, as the result takes many times their memory. */
const LENGTH_MAX = 1024;

/**
 * Caches the results of parsing formats.
 */
export class FormatCache<Key, Made> {
  readonly #known = new Map<Key, Made[]>();
  #count = 0;

  /** Finds the result for a key; `isMeant` selects among formats with the same key. */
  find(key: Key, isMeant: (made: Made) => boolean): Made | undefined {
    return this.#known.get(key)?.find(isMeant);
  }

  /** Keeps the result for a format, unless it is too long. */
  learn(key: Key, length: number, made: Made): Made {
    if (length > LENGTH_MAX) return made;
    if (this.#count++ === FORMATS_MAX) {
      this.#known.clear();
      this.#count = 1;
    }
    const others = this.#known.get(key);
    if (others) others.push(made);
    else this.#known.set(key, [made]);
    return made;
  }
}
