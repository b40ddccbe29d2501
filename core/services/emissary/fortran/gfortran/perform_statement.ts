import type { GfortranSymbols } from "./gfortran_library.ts";
import type { Item } from "./item.ts";
import {
  type BlockKind,
  INQUIRED_TEXTS,
  type InquiredNumber,
  type InquiredText,
  ParameterBlock,
  type TextName,
} from "./parameter_block.ts";

export type StatementForm =
  | "write"
  | "read"
  | "open"
  | "close"
  | "rewind"
  | "backspace"
  | "endfile"
  | "inquire";

export interface StatementRecord {
  readonly form: StatementForm;
  /** Absent for a text in memory, and for a unit that the library chooses. */
  readonly unit: number | undefined;
  /** In the source of who calls, for its messages. */
  readonly line: number;
  readonly texts: ReadonlyMap<TextName, Uint8Array>;
  readonly items: readonly Item[];
  readonly recordNumber?: number | undefined;
  readonly isUnformatted?: boolean | undefined;
}

/** What an INQUIRE has found out. */
export interface Inquiry {
  readonly number: (name: InquiredNumber) => number;
  /** With blanks behind. */
  readonly text: (name: InquiredText) => Uint8Array;
}

export interface Outcome {
  /** Of an INQUIRE. */
  readonly inquiry?: Inquiry;
  /** 0; above 0 an error, -1 at the end of a file, -2 at the end of a record. */
  readonly iostat: number;
  /** What the library says about an `iostat` that is not 0. */
  readonly iomsg: string;
  /** The unit that an OPEN without one got. */
  readonly newUnit: number;
  /** The text in memory, as it was left. */
  readonly internal: Uint8Array | undefined;
}

/** What the parameters of a form are, as {@linkcode ParameterBlock} has them. */
export function blockKind(form: StatementForm): BlockKind {
  if (form === "write" || form === "read") return "transfer";
  return form === "open" || form === "close" || form === "inquire" ? form : "position";
}

/**
 * Performs a whole statement, from its beginning to its end, without anything between: libgfortran holds
 * the lock of the unit meanwhile, and a second statement on it would wait for ever.
 *
 * What was written has left the library's buffer when this returns, so that it stands in order with what
 * others write to the same file. A READ blocks until there is a record.
 */
export function performStatement(symbols: GfortranSymbols, record: StatementRecord): Outcome {
  const { form, unit } = record;
  if (form === "inquire") return inquire(symbols, record);
  const block = new ParameterBlock({ ...record, kind: blockKind(form) });
  const { bytes } = block;
  symbols[`_gfortran_st_${form}`](bytes);
  if (form === "write" || form === "read") {
    for (const item of record.items) {
      if (block.iostat !== 0) break;
      transfer(symbols, { form, item, block: bytes });
    }
    symbols[`_gfortran_st_${form}_done`](bytes);
  }
  if (form === "write" && unit !== undefined) {
    symbols._gfortran_flush_i4(new Uint8Array(Int32Array.of(unit).buffer));
  }
  const { iostat, iomsg, newUnit } = block;
  return { iostat, iomsg, newUnit, internal: block.text("internal") };
}

/** Whether a unit is open in this process. */
export function isUnitOpen(symbols: GfortranSymbols, unit: number): boolean {
  const block = new ParameterBlock({ kind: "inquire", unit, line: 0, texts: new Map() });
  symbols._gfortran_st_inquire(block.bytes);
  return block.iostat === 0 && block.inquired("opened") !== 0;
}

/** Asks everything at once: of a unit, or of a file that is named. */
function inquire(symbols: GfortranSymbols, record: StatementRecord): Outcome {
  const texts = new Map(record.texts);
  for (const [name, length] of INQUIRED_TEXTS) texts.set(name, new Uint8Array(length).fill(0x20));
  const block = new ParameterBlock({ ...record, kind: "inquire", texts });
  symbols._gfortran_st_inquire(block.bytes);
  const { iostat, iomsg } = block;
  const inquiry: Inquiry = {
    number: (name) => block.inquired(name),
    text: (name) => block.text(name)!,
  };
  return { iostat, iomsg, newUnit: 0, internal: undefined, inquiry };
}

interface Transfer {
  readonly form: "write" | "read";
  readonly item: Item;
  readonly block: Uint8Array<ArrayBuffer>;
}

function transfer(symbols: GfortranSymbols, { form, item, block }: Transfer): void {
  const { type, bytes } = item;
  const suffix = form === "write" ? "_write" : "";
  if (type === "character") {
    // An empty one needs an address, too: `L3` looks at its first byte.
    const memory = bytes.length > 0 ? bytes : new Uint8Array(1);
    return symbols[`_gfortran_transfer_character${suffix}`](block, memory, BigInt(bytes.length));
  }
  const kind = type === "complex" ? bytes.length / 2 : bytes.length;
  symbols[`_gfortran_transfer_${type}${suffix}`](block, bytes, kind);
}
