import { type Item, type ItemType, unsetBytes } from "./gfortran/item.ts";
import {
  hasText,
  type Outcome,
  type StatementForm,
  type StatementRecord,
  type TextName,
} from "./gfortran/perform_statement.ts";

export interface StatementLimits {
  readonly itemsMax: number;
  readonly bytesMax: number;
}

/** What a statement begins with. */
export type BegunStatement = Pick<StatementRecord, "form" | "unit" | "line" | "isUnformatted">;

/** Which ends of a statement its caller deals with, by flang's names. */
export interface Handlers {
  readonly hasIoStat: boolean;
  readonly hasErr: boolean;
  readonly hasEnd: boolean;
  readonly hasEor: boolean;
}

/** Above the library's own. */
const REFUSED_IOSTAT = 6000;

const NO_HANDLERS: Handlers = { hasIoStat: false, hasErr: false, hasEnd: false, hasEor: false };
const END_OF_RECORD = -2;
const BLANK = 0x20;
/** What a format may do for each byte that a statement may have. */
const COST_A_BYTE = 64;
/** Of 384 bytes for a number, less the 309 of the largest double, its sign and its point. */
const DIGITS_MAX = 60;

/** How a statement ends that is not given to the library. */
export function refused(reason: string): Outcome {
  return {
    iostat: REFUSED_IOSTAT,
    iomsg: `Refused: ${reason}`,
    newUnit: 0,
    internal: undefined,
  };
}

/** An input or output statement of Fortran that failed, and whose caller has no handler for it. */
export class FortranIoError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name = "FortranIoError";
  /** Fortran's IOSTAT: above 0 an error, -1 at the end of a file, -2 at the end of a record. */
  readonly iostat: number;

  constructor(record: StatementRecord, { iostat, iomsg }: Outcome) {
    const { form, line } = record;
    super(`Cannot ${form} by the statement of line ${line}: ${iomsg} (iostat ${iostat})`);
    this.iostat = iostat;
  }
}

/** A statement that is being recorded, and then how it ended. */
export class IoStatement implements StatementRecord {
  readonly form: StatementForm;
  readonly unit: number | undefined;
  readonly line: number;
  /** The client that began it; no other may go on with it. */
  readonly callerId: number;
  readonly texts: Map<TextName, Uint8Array> = new Map();
  readonly items: Item[] = [];
  readonly isUnformatted: boolean;
  /** The record of a transfer, or how long those of an OPEN are. */
  recordNumber: number | undefined;
  readonly #limits: StatementLimits;
  /** What of each value says that nothing was read into it; of those that nobody has kept. */
  readonly #unset: Map<Item, Uint8Array> = new Map();
  readonly #nulls: Set<Item> = new Set();
  #sizeBytes = 0;
  #handlers = NO_HANDLERS;
  /** Why it is not performed. */
  #refusal: string | undefined;
  #outcome: Outcome | undefined;

  constructor(
    { form, unit, line, isUnformatted = false }: BegunStatement,
    { callerId, limits }: { readonly callerId: number; readonly limits: StatementLimits },
  ) {
    this.form = form;
    this.unit = unit;
    this.line = line;
    this.isUnformatted = isUnformatted;
    this.callerId = callerId;
    this.#limits = limits;
  }

  /** How it ended, if it was performed. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Says which ends its caller deals with. */
  enableHandlers(handlers: Handlers): void {
    this.#handlers = handlers;
  }

  /** Sets an option, or says how long one is that begins as blanks; false where that is too long. */
  setText(name: TextName, text: Uint8Array | number): boolean {
    this.#checkOpen();
    if (!hasText(this.form, name)) {
      throw new TypeError(
        `Cannot set ${name} as the statement has none: current value is ${this.form}`,
      );
    }
    if (!this.#grow(lengthOf(text))) return false;
    this.texts.set(name, typeof text === "number" ? new Uint8Array(text).fill(BLANK) : text);
    return true;
  }

  /** Says which record, of a transfer, or how long records are, of an OPEN; false where that is too long. */
  setRecord(name: "rec" | "recl", value: bigint): boolean {
    this.#checkOpen();
    const isOpen = this.form === "open";
    if (isOpen !== (name === "recl") || !isOpen && this.form !== "write" && this.form !== "read") {
      throw new TypeError(
        `Cannot set ${name} as the statement has none: current value is ${this.form}`,
      );
    }
    // A record of a formatted file is filled up with blanks.
    const most = isOpen ? BigInt(this.#limits.bytesMax) : BigInt(Number.MAX_SAFE_INTEGER);
    if (value < 1n || value > most) {
      this.refuse(`${name} must be 1 to ${most}: it is ${value}`);
      return false;
    }
    this.recordNumber = Number(value);
    return true;
  }

  /**
   * Adds a value to be written, or the size of one to be read.
   *
   * @returns its number in the statement, -1 where that is too long
   */
  add(type: ItemType, value: Uint8Array<ArrayBuffer> | number): number {
    this.#checkOpen();
    const isWritten = typeof value !== "number";
    if (this.form !== (isWritten ? "write" : "read")) {
      throw new TypeError(
        `Cannot ${
          isWritten ? "write" : "read"
        } a value as the statement is another: current value is ${this.form}`,
      );
    }
    if (this.items.length >= this.#limits.itemsMax) {
      this.refuse(`more than ${this.#limits.itemsMax} values`);
      return -1;
    }
    if (!this.#grow(lengthOf(value))) return -1;
    const unset = isWritten ? undefined : unsetBytes(type, value);
    const item = { type, bytes: isWritten ? value : unset?.slice() ?? new Uint8Array(value) };
    if (unset) this.#unset.set(item, unset);
    else if (!isWritten) clear(item);
    return this.items.push(item) - 1;
  }

  /** Says that the caller sets what is to be read: a READ may leave it so. */
  keep(item: Item): void {
    if (this.#unset.delete(item)) clear(item);
  }

  /** Whether a READ that succeeded had no value for it, and nobody has kept one. */
  isNull(item: Item): boolean {
    return this.#nulls.has(item);
  }

  /** The values that are still to be read. */
  get unread(): readonly Item[] {
    this.#checkOpen();
    return this.form === "read" ? this.items : [];
  }

  /**
   * Has it not performed. The first reason counts.
   *
   * @param options `isHandled`: its caller is not to fail by that
   */
  refuse(reason: string, { isHandled = false }: { readonly isHandled?: boolean } = {}): void {
    this.#refusal ??= reason;
    if (isHandled) this.#handlers = { ...NO_HANDLERS, hasIoStat: true };
  }

  /** Performs it, once. */
  finish(perform: (record: StatementRecord) => Outcome): Outcome {
    if (this.#outcome) return this.#outcome;
    this.#checkFormat();
    const outcome = this.#refusal === undefined ? perform(this) : refused(this.#refusal);
    for (const [item, unset] of this.#unset) {
      if (item.bytes.some((byte, index) => byte !== unset[index])) continue;
      clear(item);
      if (outcome.iostat === 0) this.#nulls.add(item);
    }
    return this.#outcome = outcome;
  }

  /**
   * The IOSTAT of how it ended.
   *
   * @throws {FortranIoError} at one that its caller does not deal with
   */
  statusOf(outcome: Outcome): number {
    const { iostat } = outcome;
    const { hasIoStat, hasErr, hasEnd, hasEor } = this.#handlers;
    const isHandled = iostat > 0 ? hasErr : iostat === END_OF_RECORD ? hasEor : hasEnd;
    if (iostat === 0 || hasIoStat || isHandled) return iostat;
    throw new FortranIoError(this, outcome);
  }

  /** Few bytes of a format may ask for more than all values of a statement. */
  #checkFormat(): void {
    const format = this.texts.get("format");
    if (!format) return;
    const text = closedFormat(new TextDecoder("latin1").decode(format));
    if (text === undefined) return this.refuse("a format without its closing parenthesis");
    this.texts.set("format", format.subarray(0, text.length));
    const cost = formatCost(text) * (this.items.length + 1);
    const costMax = COST_A_BYTE * this.#limits.bytesMax;
    if (cost > costMax) this.refuse(`a format that does more than ${costMax} characters`);
    if (formatDigits(text) > DIGITS_MAX) {
      this.refuse(
        `a format with more than ${DIGITS_MAX} digits behind a point, of an exponent and a scale factor`,
      );
    }
  }

  #checkOpen(): void {
    if (!this.#outcome) return;
    throw new TypeError("Cannot add to a statement as a result of it was asked for already");
  }

  #grow(countBytes: number): boolean {
    if (this.#sizeBytes + countBytes > this.#limits.bytesMax) {
      this.refuse(`more than ${this.#limits.bytesMax} bytes`);
      return false;
    }
    this.#sizeBytes += countBytes;
    return true;
  }
}

function clear({ type, bytes }: Item): void {
  bytes.fill(type === "character" ? BLANK : 0);
}

function lengthOf(value: Uint8Array | number): number {
  return typeof value === "number" ? value : value.length;
}

/** Texts, numbers, edit descriptors of two letters, other signs; blanks count in texts only. */
const PART = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\d \t]*|[A-Z][ \t]*[A-Z]?|[^ \t]/giy;
/** What the library passes over outside of texts. */
const BLANKS = /[ \t]/g;
const MOVE = /^T[LR]?$/;
const DATA_EDIT = /^(E[NSX]|DT|[IBOZFEDGAL])$/;
const REAL_EDIT = /^(E[NSX]?|[FDG])$/;
const TWO_LETTERS = /^(E[NSX]|DT|T[LR]|B[NZ]|D[CP]|R[UDZNCP]|S[PS])$/;

/** A group in parentheses that is being read. */
interface Group {
  readonly repeat: number;
  cost: number;
  /** Whether each turn of it takes a value: then there are no more turns than values. */
  takesValue: boolean;
}

/**
 * How much a format does between one value and the next, at most, in characters that it writes or
 * passes over. A few signs can ask for what takes for ever: `(1000000(1000000('')))`.
 *
 * Of a text that is no format it says anything: the library refuses that at once.
 *
 * @param format one character for each byte, as the library counts them behind `5H`
 */
export function formatCost(format: string): number {
  const groups: Group[] = [{ repeat: 1, cost: 0, takesValue: false }];
  let repeat = 1;
  let isWidth = false;
  for (const { part } of partsOf(format)) {
    const group = groups.at(-1)!;
    if (typeof part === "number" && !isWidth) {
      repeat = part;
      continue;
    }
    if (typeof part === "number") group.cost += part;
    else if (part === "(") groups.push({ repeat, cost: 1, takesValue: false });
    else if (part === ")") close(groups);
    else {
      group.takesValue ||= DATA_EDIT.test(part);
      group.cost += DATA_EDIT.test(part) ? 1 : part.length * repeat;
      isWidth = DATA_EDIT.test(part) || MOVE.test(part) || (isWidth && part === ".");
      repeat = 1;
      continue;
    }
    if (typeof part !== "number") isWidth = false;
    repeat = 1;
  }
  while (groups.length > 1) close(groups);
  return groups[0]!.cost;
}

function close(groups: Group[]): void {
  if (groups.length === 1) return;
  const { repeat, cost, takesValue } = groups.pop()!;
  const outer = groups.at(-1)!;
  outer.cost += takesValue ? cost : cost * repeat;
  outer.takesValue ||= takesValue;
}

/**
 * How many digits a real number of a format may have beside those before its point: the most behind a point,
 * of an exponent, and of a scale factor together. The library writes reals to 384 bytes, which a
 * double has 309 of, and checks no end: `(400P,F0.3)` destroys its stack.
 */
export function formatDigits(format: string): number {
  const most = { point: 0, exponent: 0, scale: 0 };
  const parts = [...partsOf(format)].map(({ part }) => part);
  for (const [at, part] of parts.entries()) {
    const [number, name] = part === "P" ? [parts[at - 1], "scale"] as const : [part, placeOf(at)];
    if (typeof number === "number" && name) most[name] = Math.max(most[name], number);
  }
  return most.point + most.exponent + most.scale;

  function placeOf(at: number): "point" | "exponent" | undefined {
    if (parts[at - 1] === "." && REAL_EDIT.test(`${parts[at - 3]}`)) return "point";
    return parts[at - 1] === "E" && parts[at - 3] === "." ? "exponent" : undefined;
  }
}

/**
 * A format up to the parenthesis that ends it; `undefined` where there is none. Where a format ends before,
 * libgfortran may read its end again and again, and behind it, too, if something is wrong before:
 * `(F5.2E` and `(F)E` never come back. What is behind means nothing.
 */
export function closedFormat(format: string): string | undefined {
  let depth = 0;
  for (const { part, end } of partsOf(format)) {
    if (part === "(") depth++;
    else if (part === ")" && --depth <= 0) return format.slice(0, end);
  }
  return undefined;
}

/** Numbers, and everything else as text, each with where it ends. */
function* partsOf(
  format: string,
): Generator<{ readonly part: number | string; readonly end: number }> {
  let last = 1;
  PART.lastIndex = 0;
  for (let at = 0; at < format.length;) {
    PART.lastIndex = at;
    const [found = " "] = PART.exec(format) ?? [];
    const letters = found.replaceAll(BLANKS, "").toUpperCase();
    at += found.length;
    if (/^\d/.test(found)) {
      last = Number(letters);
      yield { part: last, end: at };
    } else if (/^H/.test(letters)) {
      at += last - found.length + 1; // the text of so many characters behind it
    } else if (/^[A-Z]{2}$/.test(letters) && !TWO_LETTERS.test(letters)) {
      at -= found.length - 1;
      yield { part: letters[0]!, end: at };
    } else if (letters !== "") {
      yield { part: /^['"]/.test(found) ? found : letters, end: at };
    }
  }
}
