import { keepLoaded, type LibraryFiles, openLibrary } from "../../../library/foreign_library.ts";
import { CODECS, integerOf, type Item, realOf } from "./item.ts";
import {
  isUnitOpen,
  type Outcome,
  performStatement,
  type StatementRecord,
  type TextName,
} from "./perform_statement.ts";

const BLOCK = { parameters: ["buffer"], result: "void" } as const;
/** The block, the value, and its kind in bytes. */
const ITEM = { parameters: ["buffer", "buffer", "i32"], result: "void" } as const;
/** The block, the characters, and how many. */
const CHARACTERS = { parameters: ["buffer", "buffer", "usize"], result: "void" } as const;

const SYMBOLS = {
  _gfortran_set_options: { parameters: ["i32", "buffer"], result: "void" },
  _gfortran_flush_i4: { parameters: ["buffer"], result: "void" },
  _gfortran_st_write: BLOCK,
  _gfortran_st_write_done: BLOCK,
  _gfortran_st_read: BLOCK,
  _gfortran_st_read_done: BLOCK,
  _gfortran_st_open: BLOCK,
  _gfortran_st_close: BLOCK,
  _gfortran_st_inquire: BLOCK,
  _gfortran_st_rewind: BLOCK,
  _gfortran_st_backspace: BLOCK,
  _gfortran_st_endfile: BLOCK,
  _gfortran_transfer_integer: ITEM,
  _gfortran_transfer_integer_write: ITEM,
  _gfortran_transfer_real: ITEM,
  _gfortran_transfer_real_write: ITEM,
  _gfortran_transfer_complex: ITEM,
  _gfortran_transfer_complex_write: ITEM,
  _gfortran_transfer_logical: ITEM,
  _gfortran_transfer_logical_write: ITEM,
  _gfortran_transfer_character: CHARACTERS,
  _gfortran_transfer_character_write: CHARACTERS,
} as const;

/** The functions of libgfortran that statements are made of. */
export type GfortranSymbols = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** Where the library is, on the systems that have it. */
const SOURCE: LibraryFiles = {
  files: ["libgfortran.so.5", "libgfortran.5.dylib"],
  packageHint: "the Debian package libgfortran5",
};

/**
 * What a compiled program tells the library when it starts: GNU's dialect, and -0.0 written with its
 * sign. The fourth word stays 0: 1 would have the library take the signals of the process over, to print
 * where it crashed.
 */
const OPTIONS = Int32Array.of(2116, 4095, 0, 0, 1, 0, 31);

/** GCC's library of Fortran, opened and seen to be what its callers take it for. */
export class GfortranLibrary {
  readonly symbols: GfortranSymbols;
  readonly #library: Deno.DynamicLibrary<typeof SYMBOLS>;

  /**
   * Opens it: needs `--allow-ffi`, and a machine of 64 bits.
   *
   * @throws {Error} when it is absent, or its statements have another layout than is known here
   */
  constructor(source: LibraryFiles = SOURCE) {
    this.#library = openLibrary(source, SYMBOLS);
    // Its units are closed when the program ends, whichever workers have gone by then.
    keepLoaded(source.files);
    this.symbols = this.#library.symbols;
    this.symbols._gfortran_set_options(OPTIONS.length, new Uint8Array(OPTIONS.buffer));
    try {
      checkGfortran(this.symbols);
    } catch (error) {
      this.#library.close();
      throw error;
    }
  }

  /** Closes it, but for the process: units that are open stay as they are. */
  [Symbol.dispose](): void {
    this.#library.close();
  }
}

const WIDTH = 24;

/**
 * Sees that the library takes statements as they are laid out here: by some whose results are known, on
 * texts in memory and on a file without a name.
 *
 * A library with another layout may well end the process instead: nothing more careful than to ask it
 * first for what is simplest can be done from inside.
 *
 * @throws {Error} at the first result that is another
 */
export function checkGfortran(symbols: GfortranSymbols): void {
  const perform = (form: "write" | "read", texts: Record<string, string>, items: Item[]) =>
    performStatement(symbols, recordOf({ form, texts, items }));
  const list = perform("write", { internal: "" }, [integer(7), text("ab")]);
  expect("a list", internalOf(list), "           7 ab");
  const format = "(I5,F8.3,1X,A,L2)";
  const written = perform("write", { internal: "", format }, [
    integer(-12),
    real(-0.5),
    text("ab"),
    { type: "logical", bytes: CODECS.Logical.bytesOf(true) },
  ]);
  expect("a format", internalOf(written), "  -12  -0.500 ab T");
  const [first, second] = [integer(0), real(0)];
  const read = perform("read", { internal: "-3, 2.5" }, [first, second]);
  const values = [read.iostat, integerOf(first), realOf(second, 0)];
  expect("values", values.join(" "), "0 -3 2.5");
  const wrong = perform("read", { internal: "x" }, [integer(0)]);
  expect("an error", `${wrong.iostat > 0 && wrong.iomsg !== ""}`, "true");
  expect("an end", `${perform("read", { internal: " " }, [integer(0)]).iostat}`, "-1");
  checkFile(symbols);
}

/** What OPEN and CLOSE are laid out like. */
function checkFile(symbols: GfortranSymbols): void {
  const perform = (known: Known) => performStatement(symbols, recordOf(known));
  const opened = perform({ form: "open", texts: { status: "scratch" } });
  expect("an OPEN", `${opened.iostat} ${opened.newUnit < 0}`, "0 true");
  const unit = opened.newUnit;
  expect("an open unit", `${isUnitOpen(symbols, unit)}`, "true");
  const close = (status: string) => perform({ form: "close", unit, texts: { status } }).iostat;
  expect("a wrong CLOSE", `${close("keep") > 0}`, "true");
  expect("a CLOSE", `${close("delete")}`, "0");
  expect("a closed unit", `${isUnitOpen(symbols, unit)}`, "false");
}

function expect(what: string, actual: string, expected: string): void {
  if (actual === expected) return;
  throw new Error(
    `Cannot use libgfortran as ${what} must come out as ${
      JSON.stringify(expected)
    }, its layout is another: current value is ${JSON.stringify(actual)}`,
  );
}

interface Known {
  readonly form: StatementRecord["form"];
  readonly unit?: number;
  readonly texts?: Record<string, string>;
  readonly items?: readonly Item[];
}

function recordOf({ form, unit, texts = {}, items = [] }: Known): StatementRecord {
  const encoded = Object.entries(texts).map(([name, value]) => {
    const padded = name === "internal" ? value.padEnd(WIDTH) : value;
    return [name as TextName, new TextEncoder().encode(padded)] as const;
  });
  return { form, unit, line: 0, texts: new Map(encoded), items };
}

function internalOf({ internal }: Outcome): string {
  return new TextDecoder().decode(internal).trimEnd();
}

function integer(value: number): Item {
  return { type: "integer", bytes: CODECS.Integer32.bytesOf(value) };
}

function real(value: number): Item {
  return { type: "real", bytes: CODECS.Real64.bytesOf(value) };
}

function text(value: string): Item {
  return { type: "character", bytes: new TextEncoder().encode(value) };
}
