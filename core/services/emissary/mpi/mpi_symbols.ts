import type { MpiValue } from "./mpi_library.ts";

/** How a parameter is given to C: `handle` is what the library's handles are, `out` memory for a result. */
type Kind = "handle" | "bytes" | "out" | "int";
type ValueOf<K> = K extends "handle" ? MpiValue
  : K extends "int" ? number
  : Uint8Array | Int32Array | null;

const transfer = ["bytes", "int", "handle", "int", "int", "handle", "out"] as const;
const reduction = ["bytes", "bytes", "int", "handle", "handle"] as const;
const exchange = ["bytes", "int", "handle", "bytes", "int", "handle"] as const;

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
  MPI_Isend: transfer,
  MPI_Irecv: transfer,
  MPI_Test: ["out", "out", "out"],
  MPI_Request_free: ["out"],
  MPI_Iprobe: ["int", "int", "handle", "out", "out"],
  MPI_Improbe: ["int", "int", "handle", "out", "out", "out"],
  MPI_Imrecv: ["bytes", "int", "handle", "out", "out"],
  MPI_Get_count: ["out", "handle", "out"],
  MPI_Ibarrier: ["handle", "out"],
  MPI_Ibcast: ["bytes", "int", "handle", "int", "handle", "out"],
  MPI_Ireduce: [...reduction, "int", "handle", "out"],
  MPI_Iallreduce: [...reduction, "handle", "out"],
  MPI_Iscan: [...reduction, "handle", "out"],
  MPI_Igather: [...exchange, "int", "handle", "out"],
  MPI_Iscatter: [...exchange, "int", "handle", "out"],
  MPI_Iallgather: [...exchange, "handle", "out"],
  MPI_Ialltoall: [...exchange, "handle", "out"],
  MPI_Abort: ["handle", "int"],
  MPI_Error_string: ["int", "out", "out"],
  MPI_Error_class: ["int", "out"],
} as const;
type FunctionTable = typeof FUNCTIONS;

type ValuesOf<Kinds extends readonly Kind[]> = { [I in keyof Kinds]: ValueOf<Kinds[I]> };

/** The functions of an opened library. */
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

/**
 * What is asked of `Deno.dlopen`.
 *
 * @param handle what handles are in this library
 * @param statics symbols whose addresses are handles
 */
export function mpiSymbols(
  handle: "i32" | "pointer",
  statics: readonly string[],
): Deno.ForeignLibraryInterface {
  const types = { handle, bytes: "buffer", out: "buffer", int: "i32" } as const;
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
