import { keepLoaded } from "../../../library/keep_loaded.ts";
import { type LibrarySource, openLibrary } from "../../../library/serve_library.ts";
import { checkGfortran } from "./check_gfortran.ts";

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
const SOURCE: LibrarySource = {
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
  constructor(source: LibrarySource = SOURCE) {
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
