import { SCALAR_BYTES } from "../../../core/signature/declare/kind.ts";
import { elementOf, resolved, SCALARS } from "./c_layout.ts";
import type { CHeader, CNamed, CType } from "./read_header.ts";

/** What a header says by the names of its parameters and functions alone: guesses, each of which is listed. */

/** A parameter, as far as a guess needs it. */
export interface NamedParameter {
  readonly name: string;
  /** Whether it points at what may have a length. */
  readonly isData: boolean;
  /** Whether it points at bytes, or at nothing that a header tells. */
  readonly isBytes: boolean;
  /** Whether it is an integer, or points at one: it may be a length. */
  readonly isInteger: boolean;
  /** Whether it is a `size_t`, or points at one, which says so by its type. */
  readonly isSize: boolean;
  /** Whether it may point at one number of its own, such as a place: then only its whole name says of a length. */
  readonly isOne: boolean;
}

/** What a guess needs of a parameter. */
export function namedParameter(header: CHeader, { name, type }: CNamed): NamedParameter {
  const made = resolved(header, type);
  const of = elementOf(header, made);
  const scalar = of.kind === "base" ? SCALARS[of.name] : undefined;
  const isRead = made.kind === "array" || made.kind === "pointer" && made.isConst;
  return {
    name,
    isData: of !== made && of.kind === "base",
    isBytes: of !== made && of.kind === "base" && SCALAR_BYTES[scalar ?? "u8"] === 1,
    isInteger: !isRead && /^(i|u)(\d+|size)$/.test(scalar ?? ""),
    isOne: of !== made && !isRead && /^([iu](16|32|64)|[iu]size)$/.test(scalar ?? ""),
    isSize: !isRead && namesOf(header, made.kind === "pointer" ? made.to : type).includes("size_t"),
  };
}

/** The names of a type, from the one that is written on. */
function namesOf(header: CHeader, type: CType): string[] {
  if (type.kind !== "base") return [];
  const next = type.name in SCALARS ? undefined : header.typedefs.get(type.name);
  return [type.name, ...next ? namesOf(header, next) : []];
}

const LENGTH =
  /([Ll]en|[Ll]ength|[Ss]ize|[Cc]ount|[Bb]ytes?|[Nn]um|[Cc]ap|[Cc]apacity|LEN|SIZE)$|(^|_)n$|[a-z]N$|^n[A-Z_]/;
/** Of whatever stands in front of it. */
const PLAIN_LENGTH =
  /^_*(n|len|length|size|count|num|n?_?bytes?|buf(fer)?_?(len|size)|cap(acity)?)$/i;
const COUNT = /^_*(n|nitems|nmemb|count|n_items|num)$/i;
/** Data whose length may have a name of its own: `src` and `compressedSize`. */
const DATA = /^_*(src|source|in|input|data|buf|buffer|bytes)$/i;
const DATA_LENGTH = /^(?!.*(dst|dest|out|original|max|target)).*(len|length|size|bytes?)$/i;
/** How much of two names must be the same. */
const STEM_LETTERS = 3;

/** Of a function that takes an object away: short words where a word begins, not as in `append`, `write_end`. */
const ENDING =
  /([Cc]lose|[Ff]ree|[Dd]estroy|[Ff]inali[sz]e|[Dd]elete|[Rr]elease|[Cc]leanup|(?<=^|_)(?<!(read|write|chunk|block|frame)_)(end|term)|(?<=[a-z0-9])(End|Term))(_?v?\d+)?$/;
/** Where the object is the only argument. */
const ENDING_ONE = /(^|_|[a-z0-9])([Ff]ree|[Dd]estroy|[Dd]elete|[Cc]lose)(?=_|[A-Z]|$)/;
/** Of a function that frees what it gets, or moves it; `delete` may also get the name of what it deletes. */
const FREEING =
  /(^|_|[a-z0-9])([Ff]ree|[Rr]ealloc|[Dd]estroy|[Dd]elete|[Rr]elease)(?=_|[A-Z0-9]|$)/;
const FREEING_ALONE = /(^|_|[a-z0-9])([Ff]ree|[Rr]ealloc)(?=_|[A-Z0-9]|$)/;
/** Of a function that may keep what it gets for later calls. */
const KEEPING =
  /((^|_)(set|init(ialize)?|load|attach|bind|register|save|continue)|(?<=[a-z0-9]|^|_)(Set|Init(ialize)?|Load|Attach|Bind|Register|Save|Continue))(?=_|[A-Z0-9]|$)/;

/** Whether a function takes an object away, by its name. */
export function isEnding(name: string, parameterCount: number): boolean {
  return ENDING.test(name) || parameterCount === 1 && ENDING_ONE.test(name);
}

/**
 * Whether a function frees what it gets, by its name.
 *
 * @param isAlone whether its name must say nothing else, as of what may be a name itself
 */
export function isFreeing(name: string, isAlone: boolean): boolean {
  return (isAlone ? FREEING_ALONE : FREEING).test(name);
}

/** Whether a function may keep what it gets, by its name. */
export function isKeeping(name: string): boolean {
  return KEEPING.test(name);
}

/** Whether a type's name says no more than that it points somewhere: `png_voidp`, `gpointer`. */
export function isPlainPointer(name: string): boolean {
  return /void|ptr|pointer|addr/i.test(name);
}

/** The parameter that says how long the data at an index are, wherever it stands; -1 where none does. */
export function lengthIndex(parameters: readonly NamedParameter[], index: number): number {
  const own = ownLength(parameters, index);
  // What has a length itself is none: `in_pos` and `out_pos` of one call.
  if (own >= 0 && ownLength(parameters, own) >= 0) return -1;
  if (own >= 0 || !DATA.test(parameters[index]!.name)) return own;
  const taken = parameters.map((_, at) => at === index ? -1 : ownLength(parameters, at));
  const left = parameters.flatMap(({ name, isInteger }, at) =>
    isInteger && DATA_LENGTH.test(name) && !taken.includes(at) ? [at] : []
  );
  return left.length === 1 ? left[0]! : -1;
}

/** A number that may be the length of a text, though no name says of which: nobody else's. */
export function strayLength(parameters: readonly NamedParameter[]): string | undefined {
  const taken = parameters.map((_, index) => lengthIndex(parameters, index));
  return parameters.find(({ name, isInteger, isData }, index) =>
    isInteger && !isData && LENGTH.test(name) && !taken.includes(index)
  )?.name;
}

/** Whether a length counts elements of a size in front of it, as `fread` has them. */
export function isCounted(size: NamedParameter, count: NamedParameter | undefined): boolean {
  return /size$/i.test(size.name) && COUNT.test(count?.name ?? "");
}

function ownLength(parameters: readonly NamedParameter[], index: number): number {
  const { name, isData, isBytes, isOne } = parameters[index]!;
  const next = parameters[index + 1];
  if (!isData) return -1;
  if (next?.isInteger && PLAIN_LENGTH.test(next.name)) return index + 1;
  if (name === "") {
    const isLength = next?.name === "" && next.isSize && (isBytes || !next.isData);
    return isLength ? index + 1 : -1;
  }
  const letters = parameters.map((other, at) =>
    at !== index && other.isInteger && LENGTH.test(other.name) ? sharedLetters(name, other.name) : 0
  );
  const most = Math.max(...letters);
  const { length } = stemOf(name);
  const isEnough = most >= (isOne ? length : Math.min(STEM_LETTERS, length));
  return most > 0 && isEnough ? letters.indexOf(most) : -1;
}

/** How many letters two names have in common from their start, or behind an `n` or `len` of the second. */
function sharedLetters(data: string, length: string): number {
  const own = stemOf(data);
  const others = [length, length.replace(/^(n|num|len|size|cb)_?(?=[A-Z_]|[a-z]{3})/, "")];
  return Math.max(...others.map((one) => {
    const other = one.toLowerCase();
    let count = 0;
    while (count < own.length && own[count] === other[count]) count++;
    return count;
  }));
}

/** Without the letter that says what the name is of: `zSql`, `pKey`. */
function stemOf(name: string): string {
  return name.replace(/^_+/, "").replace(/^[apz](?=[A-Z])/, "").toLowerCase();
}
