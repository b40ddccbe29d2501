import { openLibrary } from "../../library/foreign_library.ts";
import { classOfMpich, classOfOpenMpi, MPI_ANY_SOURCE, MPI_PROC_NULL } from "./mpi_api.ts";

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
/** `MPI_IN_PLACE`. */
const IN_PLACE = { mpich: 2n ** 64n - 1n, openmpi: 1n };
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

  handle(name: string): MpiValue {
    return this.#handles(name);
  }

  /** Where a buffer is, for C; where both are one, as C has it. */
  placeOf(bytes: Uint8Array | null | "in place"): Deno.PointerValue {
    if (bytes !== "in place") return bytes && Deno.UnsafePointer.of(bytes as BufferSource);
    return Deno.UnsafePointer.create(IN_PLACE[this.name]);
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

/**
 * How a parameter is given to C: `handle` is what the library's handles are, `out` memory for a result, `place`
 * a buffer or `MPI_IN_PLACE`.
 */
type Kind = "handle" | "bytes" | "place" | "out" | "int";
type ValueOf<K> = K extends "handle" ? MpiValue
  : K extends "place" ? Deno.PointerValue
  : K extends "int" ? number
  : Uint8Array | Int32Array | null;

const transfer = ["bytes", "int", "handle", "int", "int", "handle", "out"] as const;
const reduction = ["place", "place", "int", "handle", "handle"] as const;
const same = ["place", "int", "handle"] as const;
const varied = ["place", "bytes", "bytes", "handle"] as const;
const exchange = [...same, ...same] as const;

/** The functions of MPI that are used, by their parameters in C; each returns an `int`, 0 for success. */
const FUNCTIONS = {
  MPI_Initialized: ["out"],
  MPI_Finalize: [],
  MPI_Comm_rank: ["handle", "out"],
  MPI_Comm_size: ["handle", "out"],
  MPI_Comm_idup: ["handle", "out", "out"],
  MPI_Comm_split: ["handle", "int", "int", "out"],
  MPI_Comm_free: ["out"],
  MPI_Comm_set_errhandler: ["handle", "handle"],
  MPI_Type_size: ["handle", "out"],
  MPI_Type_get_extent: ["handle", "out", "out"],
  MPI_Type_contiguous: ["int", "handle", "out"],
  MPI_Type_vector: ["int", "int", "int", "handle", "out"],
  MPI_Type_commit: ["out"],
  MPI_Type_free: ["out"],
  MPI_Dims_create: ["int", "int", "out"],
  MPI_Cart_create: ["handle", "int", "bytes", "bytes", "int", "out"],
  MPI_Cart_coords: ["handle", "int", "int", "out"],
  MPI_Cart_rank: ["handle", "bytes", "out"],
  MPI_Cart_shift: ["handle", "int", "int", "out", "out"],
  MPI_Cartdim_get: ["handle", "out"],
  MPI_Send: ["bytes", "int", "handle", "int", "int", "handle"],
  MPI_Recv: transfer,
  MPI_Isend: transfer,
  MPI_Irecv: transfer,
  MPI_Test: ["out", "out", "out"],
  MPI_Request_free: ["out"],
  MPI_Iprobe: ["int", "int", "handle", "out", "out"],
  MPI_Improbe: ["int", "int", "handle", "out", "out", "out"],
  MPI_Imrecv: ["bytes", "int", "handle", "out", "out"],
  MPI_Get_count: ["out", "handle", "out"],
  MPI_Ibarrier: ["handle", "out"],
  MPI_Ibcast: ["place", "int", "handle", "int", "handle", "out"],
  MPI_Ireduce: [...reduction, "int", "handle", "out"],
  MPI_Iallreduce: [...reduction, "handle", "out"],
  MPI_Iscan: [...reduction, "handle", "out"],
  MPI_Igather: [...exchange, "int", "handle", "out"],
  MPI_Iscatter: [...exchange, "int", "handle", "out"],
  MPI_Iallgather: [...exchange, "handle", "out"],
  MPI_Ialltoall: [...exchange, "handle", "out"],
  MPI_Igatherv: [...same, ...varied, "int", "handle", "out"],
  MPI_Iscatterv: [...varied, ...same, "int", "handle", "out"],
  MPI_Iallgatherv: [...same, ...varied, "handle", "out"],
  MPI_Ialltoallv: [...varied, ...varied, "handle", "out"],
  MPI_Abort: ["handle", "int"],
  MPI_Error_string: ["int", "out", "out"],
  MPI_Error_class: ["int", "out"],
} as const;
type FunctionTable = typeof FUNCTIONS;

type ValuesOf<Kinds extends readonly Kind[]> = { [I in keyof Kinds]: ValueOf<Kinds[I]> };

export type MpiSymbols =
  & { readonly [K in keyof FunctionTable]: (...values: ValuesOf<FunctionTable[K]>) => number }
  & {
    /** Takes null for `argc` and `argv`. */
    readonly MPI_Init_thread: (
      argc: null,
      argv: null,
      required: number,
      provided: Int32Array,
    ) => number;
    readonly MPI_Wtime: () => number;
  };

/** A function of MPI that is called and returns, by its name there without `MPI_`. */
export type MpiAction = keyof FunctionTable extends `MPI_${infer Name}` ? Name : never;

/**
 * What is asked of `Deno.dlopen`.
 *
 * @param handle what handles are in this library
 * @param statics symbols whose addresses are handles
 */
function mpiSymbols(
  handle: "i32" | "pointer",
  statics: readonly string[],
): Deno.ForeignLibraryInterface {
  const types = { handle, bytes: "buffer", place: "pointer", out: "buffer", int: "i32" } as const;
  const functions = Object.entries(FUNCTIONS).map(([name, kinds]) => {
    const parameters = (kinds as readonly Kind[]).map((kind) => types[kind]);
    return [name, { parameters, result: "i32" }] as const;
  });
  return Object.fromEntries<Deno.ForeignFunction | Deno.ForeignStatic>([
    ...functions,
    ["MPI_Init_thread", { parameters: ["pointer", "pointer", "i32", "buffer"], result: "i32" }],
    ["MPI_Wtime", { parameters: [], result: "f64" }],
    ...statics.map((name) => [name, { type: "pointer" }] as const),
  ]);
}

/** What has a name in MPI, by MPICH's numbers; Open MPI has a symbol for each. */
const DATATYPES = {
  MPI_CHAR: 0x4c000101,
  MPI_SIGNED_CHAR: 0x4c000118,
  MPI_UNSIGNED_CHAR: 0x4c000102,
  MPI_BYTE: 0x4c00010d,
  MPI_SHORT: 0x4c000203,
  MPI_UNSIGNED_SHORT: 0x4c000204,
  MPI_INT: 0x4c000405,
  MPI_UNSIGNED: 0x4c000406,
  MPI_LONG: 0x4c000807,
  MPI_UNSIGNED_LONG: 0x4c000808,
  MPI_LONG_LONG_INT: 0x4c000809,
  MPI_UNSIGNED_LONG_LONG: 0x4c000819,
  MPI_FLOAT: 0x4c00040a,
  MPI_DOUBLE: 0x4c00080b,
  MPI_INT8_T: 0x4c000137,
  MPI_INT16_T: 0x4c000238,
  MPI_INT32_T: 0x4c000439,
  MPI_INT64_T: 0x4c00083a,
  MPI_UINT8_T: 0x4c00013b,
  MPI_UINT16_T: 0x4c00023c,
  MPI_UINT32_T: 0x4c00043d,
  MPI_UINT64_T: 0x4c00083e,
  MPI_C_BOOL: 0x4c00013f,
  MPI_C_FLOAT_COMPLEX: 0x4c000840,
  MPI_C_DOUBLE_COMPLEX: 0x4c001041,
  MPI_FLOAT_INT: 0x8c000000,
  MPI_DOUBLE_INT: 0x8c000001,
  MPI_LONG_INT: 0x8c000002,
  MPI_2INT: 0x4c000816,
};

const OPS = {
  MPI_MAX: 0x58000001,
  MPI_MIN: 0x58000002,
  MPI_SUM: 0x58000003,
  MPI_PROD: 0x58000004,
  MPI_LAND: 0x58000005,
  MPI_BAND: 0x58000006,
  MPI_LOR: 0x58000007,
  MPI_BOR: 0x58000008,
  MPI_LXOR: 0x58000009,
  MPI_BXOR: 0x5800000a,
  MPI_MINLOC: 0x5800000b,
  MPI_MAXLOC: 0x5800000c,
};

const COMMS = { MPI_COMM_WORLD: 0x44000000, MPI_COMM_SELF: 0x44000001 };
const OTHERS = { MPI_COMM_NULL: 0x04000000, MPI_ERRORS_RETURN: 0x54000001 };

/** What kinds of things callers ask for by name. */
export type NamedKind = "Comm" | "Datatype" | "Op";

const KINDS: Record<NamedKind, Readonly<Record<string, number>>> = {
  Comm: COMMS,
  Datatype: DATATYPES,
  Op: OPS,
};

/** Every name, by MPICH's handle. */
export const MPICH_HANDLES: Readonly<Record<string, number>> = {
  ...DATATYPES,
  ...OPS,
  ...COMMS,
  ...OTHERS,
};

/** The symbol of Open MPI whose address is the handle of a name. */
export function openMpiSymbol(name: string): string {
  const word = name.slice("MPI_".length).toLowerCase();
  return Object.hasOwn(OPS, name) ? `ompi_mpi_op_${word}` : `ompi_mpi_${word}`;
}

/**
 * Checks that something of a kind has this name, which comes from a caller.
 *
 * @throws {RangeError} when nothing has
 */
export function checkName(kind: NamedKind, name: string): void {
  if (Object.hasOwn(KINDS[kind], name)) return;
  throw new RangeError(
    `Cannot find the ${kind} ${JSON.stringify(name)}: names are ${
      Object.keys(KINDS[kind]).join(", ")
    }`,
  );
}

export interface MpiLauncher {
  readonly command: string;
  /** What it needs to start several on one machine, whoever asks for it. */
  readonly args: readonly string[];
  /** The Debian package that has it. */
  readonly packageName: string;
}

/** How each library starts processes; both names of MPICH's are in use. */
const LAUNCHERS: Record<MpiLibraryName, readonly MpiLauncher[]> = {
  mpich: ["mpiexec.hydra", "mpiexec.mpich"].map((command) => ({
    command,
    args: [],
    packageName: "mpich",
  })),
  openmpi: [{
    command: "mpiexec.openmpi",
    // Not bound: the threads of a process would share one processor.
    args: ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
    packageName: "openmpi-bin",
  }],
};

/** The `mpiexec` of a library, where it is on the path; else the reason why there is none. */
export function mpiLauncher(library: MpiLibraryName): MpiLauncher | string {
  const [first] = LAUNCHERS[library];
  const isLinux = Deno.build.os === "linux";
  const found = LAUNCHERS[library].find(({ command }) => isLinux && isThere(command));
  return found ?? `there is no ${first!.command}: the Debian package ${first!.packageName} has it`;
}

function isThere(command: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.some((folder) => {
    try {
      return Deno.statSync(`${folder}/${command}`).isFile;
    } catch {
      return false;
    }
  });
}
