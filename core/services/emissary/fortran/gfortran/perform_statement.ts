import type { GfortranSymbols } from "./gfortran_library.ts";
import type { Item } from "./item.ts";

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
function blockKind(form: StatementForm): BlockKind {
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
  const block = new ParameterBlock(record);
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
  const nothing = { line: 0, texts: new Map(), items: [] };
  const block = new ParameterBlock({ form: "inquire", unit, ...nothing });
  symbols._gfortran_st_inquire(block.bytes);
  return block.iostat === 0 && block.inquired("opened") !== 0;
}

/** Asks everything at once: of a unit, or of a file that is named. */
function inquire(symbols: GfortranSymbols, record: StatementRecord): Outcome {
  const texts = new Map(record.texts);
  for (const [name, length] of INQUIRED_TEXTS) texts.set(name, new Uint8Array(length).fill(0x20));
  const block = new ParameterBlock({ ...record, texts });
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

/** Bytes that libgfortran asks its callers to reserve for a statement; the others need less. */
const BLOCK_BYTES = 544;
const IOSTAT_BYTE = BLOCK_BYTES;
const ANSWER_BYTE = IOSTAT_BYTE + 4;
const ANSWERS = 6;
const IOMSG_BYTE = ANSWER_BYTE + 4 * ANSWERS;
const IOMSG_BYTES = 256;
const FILENAME_BYTE = IOMSG_BYTE + IOMSG_BYTES;

/** Where the fields stand that all statements have. */
const COMMON = { flags: 0, unit: 4, filename: 8, line: 16, iomsgBytes: 24, iomsg: 32, iostat: 40 };
const HAS_IOSTAT = 1 << 5;
const HAS_IOMSG = 1 << 6;
const LIST_FORMAT = 1 << 7;
/** Where the library is told to put the numbers that it answers: of an OPEN the new unit. */
const NEW_UNIT = { newUnit: { flag: 1 << 23, byte: 296 } };
const INQUIRED = {
  exist: { flag: 1 << 7, byte: 48 },
  opened: { flag: 1 << 8, byte: 56 },
  number: { flag: 1 << 9, byte: 64 },
  named: { flag: 1 << 10, byte: 72 },
  nextrec: { flag: 1 << 11, byte: 80 },
  recl: { flag: 1 << 12, byte: 88 },
};
/** What an INQUIRE answers by numbers. */
export type InquiredNumber = keyof typeof INQUIRED;
/** Numbers that a statement has: a record's, which it may say, and how long records are. */
const REC = { flag: 1 << 9, byte: 48 };
const RECL = { flag: 1 << 7, byte: 48 };
/** Compilers always say whether they know a unit to be read only, by a field that is 0. */
const HAS_READ_ONLY = 1 << 24;

/** Where a text of a statement stands: its flag, the pointer, the length. */
interface TextPlace {
  readonly flag: number;
  readonly byte: number;
  readonly lengthByte: number;
}

/** The texts of each kind of statement: `st_parameter_dt`, `st_parameter_open`, `st_parameter_close`. */
const TEXT_PLACES = {
  transfer: {
    format: { flag: 1 << 12, byte: 80, lengthByte: 88 },
    advance: { flag: 1 << 13, byte: 104, lengthByte: 96 },
    internal: { flag: 1 << 14, byte: 112, lengthByte: 120 },
  },
  open: {
    file: { flag: 1 << 8, byte: 64, lengthByte: 56 },
    status: { flag: 1 << 9, byte: 72, lengthByte: 80 },
    position: { flag: 1 << 13, byte: 136, lengthByte: 144 },
    action: { flag: 1 << 14, byte: 160, lengthByte: 152 },
    delim: { flag: 1 << 15, byte: 168, lengthByte: 176 },
    access: { flag: 1 << 10, byte: 96, lengthByte: 88 },
    form: { flag: 1 << 11, byte: 104, lengthByte: 112 },
  },
  close: { status: { flag: 1 << 7, byte: 48, lengthByte: 56 } },
  position: {},
  inquire: {
    file: { flag: 1 << 14, byte: 104, lengthByte: 112 },
    access: { flag: 1 << 15, byte: 128, lengthByte: 120 },
    form: { flag: 1 << 16, byte: 136, lengthByte: 144 },
    position: { flag: 1 << 18, byte: 168, lengthByte: 176 },
    action: { flag: 1 << 19, byte: 192, lengthByte: 184 },
    delim: { flag: 1 << 20, byte: 200, lengthByte: 208 },
    sequential: { flag: 1 << 23, byte: 256, lengthByte: 248 },
    direct: { flag: 1 << 24, byte: 264, lengthByte: 272 },
    formatted: { flag: 1 << 25, byte: 288, lengthByte: 280 },
    unformatted: { flag: 1 << 26, byte: 296, lengthByte: 304 },
    read: { flag: 1 << 27, byte: 320, lengthByte: 312 },
    write: { flag: 1 << 28, byte: 328, lengthByte: 336 },
    readwrite: { flag: 1 << 29, byte: 352, lengthByte: 344 },
  },
} as const satisfies Record<string, Readonly<Record<string, TextPlace>>>;

/** What a statement is about: values, a file that it opens or closes, a place in one, or a question. */
type BlockKind = keyof typeof TEXT_PLACES;
export type TextName = { readonly [K in BlockKind]: keyof typeof TEXT_PLACES[K] }[BlockKind];

/** What an INQUIRE answers by texts. */
export type InquiredText = Exclude<keyof typeof TEXT_PLACES["inquire"], "file">;
/** All of them, each as long as it is at most. */
export const INQUIRED_TEXTS: ReadonlyMap<InquiredText, number> = new Map(
  Object.keys(TEXT_PLACES.inquire).flatMap((name) => name === "file" ? [] : [[name, 16] as never]),
);

/** Whether a statement of this form has such an option. */
export function hasText(form: StatementForm, name: TextName): boolean {
  return Object.hasOwn(TEXT_PLACES[blockKind(form)], name);
}

/**
 * The parameters of one statement as compiled code hands them to libgfortran 5 (GCC 8 and later) on a
 * machine of 64 bits: `struct st_parameter_dt` and its like in `libgfortran/io/io.h` of GCC.
 *
 * It always asks for `iostat` and `iomsg`: without them the library ends the process at an error.
 */
export class ParameterBlock {
  /** What the library takes the address of. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  /** The memory behind the texts of the block, which has to stay as long as it. */
  readonly #texts = new Map<TextName, Uint8Array>();

  constructor({ form, unit, line, texts, recordNumber, isUnformatted = false }: StatementRecord) {
    const kind = blockKind(form);
    const memory = new ArrayBuffer(FILENAME_BYTE + 1);
    this.bytes = new Uint8Array(memory);
    this.#view = new DataView(memory);
    this.bytes.fill(0x20, IOMSG_BYTE, FILENAME_BYTE);
    const address = addressOf(this.bytes);
    this.#setWord(COMMON.unit, unit ?? (kind === "transfer" ? -1 : 0));
    this.#setPointer(COMMON.filename, address + BigInt(FILENAME_BYTE));
    this.#setWord(COMMON.line, line);
    this.#setPointer(COMMON.iomsgBytes, BigInt(IOMSG_BYTES));
    this.#setPointer(COMMON.iomsg, address + BigInt(IOMSG_BYTE));
    this.#setPointer(COMMON.iostat, address + BigInt(IOSTAT_BYTE));
    let flags = HAS_IOSTAT | HAS_IOMSG | this.#putTexts(kind, texts);
    if (kind === "transfer" && !texts.has("format") && !isUnformatted) flags |= LIST_FORMAT;
    if (kind === "open") flags |= HAS_READ_ONLY;
    if (recordNumber !== undefined) {
      flags |= kind === "open" ? RECL.flag : REC.flag;
      if (kind === "open") this.#setWord(RECL.byte, recordNumber);
      else this.#setPointer(REC.byte, BigInt(recordNumber));
    }
    const isNewUnit = kind === "open" && unit === undefined;
    const answers: Readonly<Record<string, Pick<TextPlace, "flag" | "byte">>> = isNewUnit
      ? NEW_UNIT
      : kind === "inquire"
      ? INQUIRED
      : {};
    for (const [index, { flag, byte }] of Object.values(answers).entries()) {
      this.#setPointer(byte, address + BigInt(ANSWER_BYTE + 4 * index));
      flags |= flag;
    }
    this.#setWord(COMMON.flags, flags);
  }

  /** 0, or why the statement failed: below 0 at an end of a file or record. */
  get iostat(): number {
    return this.#view.getInt32(IOSTAT_BYTE, true);
  }

  get iomsg(): string {
    return new TextDecoder().decode(this.bytes.subarray(IOMSG_BYTE, FILENAME_BYTE)).trimEnd();
  }

  /** The unit that the library chose for an `open` without one. */
  get newUnit(): number {
    return this.#view.getInt32(ANSWER_BYTE, true);
  }

  /** What an `inquire` answers. */
  inquired(name: InquiredNumber): number {
    const index = Object.keys(INQUIRED).indexOf(name);
    return this.#view.getInt32(ANSWER_BYTE + 4 * index, true);
  }

  /** A text as it is by now: what was written to one in memory. */
  text(name: TextName): Uint8Array | undefined {
    return this.#texts.get(name);
  }

  #putTexts(kind: BlockKind, texts: ReadonlyMap<TextName, Uint8Array>): number {
    const places: Readonly<Partial<Record<TextName, TextPlace>>> = TEXT_PLACES[kind];
    let flags = 0;
    for (const [name, text] of texts) {
      const place = places[name]!;
      // Memory of its own, which the engine does not move, and an address for an empty text, too.
      const kept = new Uint8Array(new ArrayBuffer(text.length + 1));
      kept.set(text);
      this.#texts.set(name, kept.subarray(0, text.length));
      flags |= place.flag;
      this.#setPointer(place.byte, addressOf(kept));
      this.#setPointer(place.lengthByte, BigInt(text.length));
    }
    return flags;
  }

  #setWord(byte: number, value: number): void {
    this.#view.setInt32(byte, value, true);
  }

  #setPointer(byte: number, value: bigint): void {
    this.#view.setBigUint64(byte, value, true);
  }
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
}
