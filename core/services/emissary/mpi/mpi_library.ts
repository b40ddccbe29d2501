import { openLibrary } from "../../library/serve_library.ts";
import { MPI_ANY_SOURCE, MPI_PROC_NULL } from "./mpi_api.ts";
import { classOfMpich, classOfOpenMpi } from "./mpi_error.ts";
import { MPICH_HANDLES, openMpiSymbol } from "./mpi_names.ts";
import { type MpiSymbols, mpiSymbols } from "./mpi_symbols.ts";

/** The two libraries that are known; their handles have different forms. */
export type MpiLibraryName = "mpich" | "openmpi";

/** A handle of the library: MPICH's are numbers, Open MPI's addresses. */
export type MpiValue = number | Deno.PointerValue;

/** Where each is, and what brings it. */
const SOURCES: Record<MpiLibraryName, { files: readonly string[]; packageHint: string }> = {
  mpich: {
    files: ["libmpich.so.12", "libmpi.so.12"],
    packageHint: "the Debian package mpich or libmpich12",
  },
  openmpi: { files: ["libmpi.so.40"], packageHint: "the Debian package libopenmpi3" },
};

/** Words of a status: where each library has the source, and behind it the tag. */
const STATUS_WORD = { mpich: 2, openmpi: 0 };
/** More than a status of either takes. */
const STATUS_BYTES = 48;
/** More than the longest error text of either takes. */
const TEXT_BYTES = 2048;

/** What is known of a message: see `mpiStatus`. */
export interface MpiStatus {
  source: number;
  tag: number;
  error: number;
  count: number;
}

/** Both libraries as one: their functions, and what their numbers mean. */
export class MpiLibrary {
  readonly name: MpiLibraryName;
  readonly symbols: MpiSymbols;
  /** Where a call puts what C writes behind a pointer to a status, an `int`, or an address. */
  readonly status: Uint8Array<ArrayBuffer> = new Uint8Array(STATUS_BYTES);
  readonly number: Int32Array<ArrayBuffer> = new Int32Array(1);
  readonly #statusWords = new Int32Array(this.status.buffer);
  readonly #handles: (name: string) => MpiValue;

  /**
   * @param files where it is, when not where Debian has it
   * @throws {Error} when it cannot be opened, with what brings it
   */
  constructor(name: MpiLibraryName, files = SOURCES[name].files) {
    const names = Object.keys(MPICH_HANDLES);
    const isOpen = name === "openmpi";
    const statics = isOpen ? names.map(openMpiSymbol) : [];
    const source = { ...SOURCES[name], files };
    const { symbols } = openLibrary(source, mpiSymbols(isOpen ? "pointer" : "i32", statics));
    this.name = name;
    this.symbols = symbols as unknown as MpiSymbols;
    const addresses = symbols as unknown as Record<string, Deno.PointerValue>;
    this.#handles = isOpen
      ? (name) => addresses[openMpiSymbol(name)]!
      : (name) => MPICH_HANDLES[name]! | 0;
  }

  /** The handle of something by its name in MPI. */
  handle(name: string): MpiValue {
    return this.#handles(name);
  }

  /** The handle that a call wrote into 8 bytes; undefined for `MPI_COMM_NULL`. */
  written(place: Uint8Array): MpiValue | undefined {
    const view = new DataView(place.buffer, place.byteOffset);
    const none = this.handle("MPI_COMM_NULL");
    if (this.name === "mpich") {
      const value = view.getInt32(0, true);
      return value === none ? undefined : value;
    }
    const value = Deno.UnsafePointer.create(view.getBigUint64(0, true));
    return Deno.UnsafePointer.equals(value, none as Deno.PointerValue) ? undefined : value;
  }

  /** A handle in 8 bytes, for calls that change it. */
  place(value: MpiValue): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    if (typeof value === "number") view.setInt32(0, value, true);
    else view.setBigUint64(0, BigInt(Deno.UnsafePointer.value(value)), true);
    return bytes;
  }

  /**
   * The rank of a sender or a receiver as this library has it: the two have other numbers for "any", which
   * no receiver is, and "nobody".
   */
  rankOf(rank: number): number {
    if (this.name === "mpich") return rank;
    return rank === MPI_ANY_SOURCE ? -1 : rank === MPI_PROC_NULL ? -2 : rank;
  }

  /** What the last call wrote into the status, its length in bytes included. */
  readStatus(): MpiStatus {
    const word = STATUS_WORD[this.name];
    const [source, tag] = this.#statusWords.subarray(word, word + 2);
    this.symbols.MPI_Get_count(this.status, this.handle("MPI_BYTE"), this.number);
    const count = this.number[0]!;
    // The two numbers of Open MPI are each other's: the same step back.
    return { source: this.rankOf(source!), tag: tag!, error: 0, count };
  }

  /** The class of a code of this library's. */
  classOf(code: number): number {
    if (code === 0) return 0;
    const place = new Int32Array(1);
    this.symbols.MPI_Error_class(code, place);
    return this.name === "mpich" ? classOfMpich(place[0]!) : classOfOpenMpi(place[0]!);
  }

  /** The library's words for a code of its own. */
  textOf(code: number): string {
    const text = new Uint8Array(TEXT_BYTES);
    this.symbols.MPI_Error_string(code, text, this.number);
    return new TextDecoder().decode(text.slice(0, this.number[0]));
  }
}
