import { closedFormat, formatCost, formatDigits } from "./format_cost.ts";
import { unsetBytes } from "./gfortran/item_values.ts";
import { hasText, type TextName } from "./gfortran/parameter_block.ts";
import {
  blockKind,
  type Item,
  type ItemType,
  type Outcome,
  type StatementForm,
  type StatementRecord,
} from "./gfortran/perform_statement.ts";

/** How much a statement may have. */
export interface StatementLimits {
  readonly itemsMax: number;
  readonly bytesMax: number;
}

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

  /** Says what failed, and why. */
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
    { form, unit, line }: Pick<StatementRecord, "form" | "unit" | "line">,
    { callerId, limits }: { readonly callerId: number; readonly limits: StatementLimits },
  ) {
    this.form = form;
    this.unit = unit;
    this.line = line;
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
    if (!hasText(blockKind(this.form), name)) {
      throw new TypeError(
        `Cannot set ${name} as the statement has none: current value is ${this.form}`,
      );
    }
    if (!this.#grow(lengthOf(text))) return false;
    this.texts.set(name, typeof text === "number" ? new Uint8Array(text).fill(BLANK) : text);
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
