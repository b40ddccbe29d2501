import type { ErrorMeaning, HostApi, HostFunctions } from "../../../signature/mod.ts";
import type {
  Bytes,
  Fns,
  HandleKind,
  Nullable,
  Reference,
  Scalar,
  Struct,
} from "../../../signature/declaration_types.ts";
import { failing } from "../../../signature/declare/fns.ts";
import * as s from "../../../signature/mod.ts";
import { ByteSlots, SLOT_BYTES, SLOT_CODECS } from "../../../signature/wire/slot.ts";

/** As a source: whoever sends. */
export const MPI_ANY_SOURCE: number = -2;
/** As a source or a destination: nobody. */
export const MPI_PROC_NULL: number = -1;
/** As a tag of a receive: whatever it is. */
export const MPI_ANY_TAG: number = -1;
/** As a colour: no communicator is wanted; as an index: none. */
export const MPI_UNDEFINED: number = -32766;

/** What is known of a message. */
export type MpiStatusStruct = Struct<{
  readonly source: Scalar<"i32">;
  readonly tag: Scalar<"i32">;
  readonly error: Scalar<"i32">;
  readonly count: Scalar<"i32">;
}>;

/** What is known of a message: who sent it, its tag, an error's class or 0, and its length in bytes. */
export const mpiStatus: MpiStatusStruct = s.struct({
  source: s.i32,
  tag: s.i32,
  error: s.i32,
  count: s.i32,
});
/** Two processes along a dimension. */
export type MpiNeighboursStruct = Struct<{
  readonly source: Scalar<"i32">;
  readonly destination: Scalar<"i32">;
}>;

/** Who sends to this process along a dimension, and whom it sends to; `MPI_PROC_NULL` beyond an edge. */
export const mpiNeighbours: MpiNeighboursStruct = s.struct({ source: s.i32, destination: s.i32 });
/** Bytes of a status among several. */
export const STATUS_BYTES = 16;

/** What the words in `MPI_LINES` stand for, beside scalars and texts. */
export type MpiKinds =
  & { readonly [Name in "Comm" | "Datatype" | "Op" | "Request"]: HandleKind<Name> }
  & {
    readonly [Name in "Comm" | "Datatype" | "Request" as `${Name}OrNull`]: Nullable<
      HandleKind<Name>
    >;
  }
  & {
    /** As many handles of requests as the first parameter says. */
    readonly requests: Bytes<"inout">;
    readonly in: Bytes<"in">;
    readonly out: Bytes<"out">;
    /** Goes there and back: what a message is too short for stays as it was, as does all from MPI_PROC_NULL. */
    readonly inout: Bytes<"inout">;
    readonly inOrNull: Nullable<Bytes<"in">>;
    readonly outOrNull: Nullable<Bytes<"out">>;
    /** As `inout`, of several messages one behind the other. */
    readonly inoutOrNull: Nullable<Bytes<"inout">>;
    /** As many numbers, i32 each, as the parameter in front of it says. */
    readonly dims: Bytes<"inout">;
    readonly neighbours: Reference<"out", MpiNeighboursStruct>;
    readonly statusIn: Reference<"in", MpiStatusStruct>;
    /** Where a status is wanted, or null. */
    readonly status: Nullable<Reference<"out", MpiStatusStruct>>;
  };

const HANDLES = ["Comm", "Datatype", "Op", "Request"].flatMap((name) => {
  const handle = s.handle(name);
  return [[name, handle], [`${name}OrNull`, s.nullable(handle)]] as const;
});
const KINDS = {
  ...Object.fromEntries<HandleKind | Nullable<HandleKind>>(HANDLES),
  requests: s.bytes("inout", s.lengthOf(0).times(8)),
  in: s.bytes("in"),
  out: s.bytes("out"),
  inout: s.bytes("inout"),
  inOrNull: s.nullable(s.bytes("in")),
  outOrNull: s.nullable(s.bytes("out")),
  inoutOrNull: s.nullable(s.bytes("inout")),
  dims: s.bytes("inout", s.lengthOf(1).times(4)),
  neighbours: s.pointer("out", mpiNeighbours),
  statusIn: s.pointer("in", mpiStatus),
  status: s.nullable(s.pointer("out", mpiStatus)),
} as MpiKinds;

/** The functions of {@linkcode mpiApi}, as `fns` takes them. */
export const MPI_LINES = [
  "Init_thread: i32 -> i32",
  "Finalize: -> i32",
  "Comm: string -> Comm",
  "Datatype: string -> Datatype",
  "Op: string -> Op",
  "Comm_rank Comm_size: Comm -> i32",
  "Comm_dup: Comm -> CommOrNull",
  "Comm_split: Comm i32 i32 -> CommOrNull",
  "Comm_free: Comm -> i32",
  "Type_size: Datatype -> i32",
  "Get_count: statusIn Datatype -> i32",
  "Type_contiguous: i32 Datatype -> DatatypeOrNull",
  "Type_vector: i32 i32 i32 Datatype -> DatatypeOrNull",
  "Type_commit: Datatype -> i32",
  "Type_free: Datatype -> i32",

  // Numbers for each dimension are i32, one behind the other.
  "Dims_create: i32 i32 dims -> i32",
  "Cart_create: Comm i32 in in i32 -> CommOrNull",
  "Cart_coords: Comm i32 i32 out -> i32",
  "Cart_rank: Comm in -> i32",
  "Cart_shift: Comm i32 i32 neighbours -> i32",

  // Elements are bytes, how many elements, and what they are; then the other process, a tag, a communicator.
  "Send: in i32 Datatype i32 i32 Comm -> i32",
  "Recv: inout i32 Datatype i32 i32 Comm status -> i32",
  "Sendrecv: in i32 Datatype i32 i32 inout i32 Datatype i32 i32 Comm status -> i32",
  "Isend: in i32 Datatype i32 i32 Comm -> RequestOrNull",
  "Irecv: i32 Datatype i32 i32 Comm -> RequestOrNull",
  "Test Wait: Request outOrNull status -> i32",
  "Testall Waitall: i32 requests inoutOrNull outOrNull -> i32",
  "Testany Waitany: i32 requests outOrNull status -> i32",
  "Probe Iprobe: i32 i32 Comm status -> i32",

  "Barrier: Comm -> i32",
  "Bcast: inout i32 Datatype i32 Comm -> i32",
  "Reduce: inOrNull inoutOrNull i32 Datatype Op i32 Comm -> i32",
  "Allreduce Scan: inOrNull inout i32 Datatype Op Comm -> i32",
  "Gather: inOrNull i32 Datatype inoutOrNull i32 Datatype i32 Comm -> i32",
  "Scatter: inOrNull i32 Datatype outOrNull i32 Datatype i32 Comm -> i32",
  "Allgather Alltoall: inOrNull i32 Datatype inout i32 Datatype Comm -> i32",
  // Behind a buffer: how many elements of each process, and from which element on; i32 each.
  "Gatherv: inOrNull i32 Datatype inoutOrNull inOrNull inOrNull Datatype i32 Comm -> i32",
  "Scatterv: inOrNull inOrNull inOrNull Datatype outOrNull i32 Datatype i32 Comm -> i32",
  "Allgatherv: inOrNull i32 Datatype inout in in Datatype Comm -> i32",
  "Alltoallv: inOrNull inOrNull inOrNull Datatype inout in in Datatype Comm -> i32",

  "Wtime: -> f64",
  "Abort: Comm i32 -> i32",
  "Error_string: i32 -> string",
] as const;

/** What the functions of MPI take and give: see {@linkcode mpiApi}. */
export type MpiSignatures = Fns<typeof MPI_LINES[number], MpiKinds>;

/**
 * MPI: the names and orders of arguments are those of its C functions. What C writes behind a pointer is
 * the result (a rank, a communicator), 0 where there is nothing to say, and -1 or null after an error,
 * whose class is in `errno`; the library's own words for it are `Error_string(errno)`.
 *
 * `Comm`, `Datatype` and `Op` give handles of what has a name: `MPI_COMM_WORLD`, `MPI_DOUBLE`, `MPI_SUM`.
 * `null` where C has `MPI_IN_PLACE`: the other buffer holds what is sent, and takes what comes.
 * A receive that does not wait has its buffer on the host: its bytes come with `Wait` or `Test`. Arrays of
 * requests are handles of 8 bytes each, see `requestBytes`; those that are done become 0 in them, which is
 * `MPI_REQUEST_NULL`, and such ones are passed over.
 */
export const mpiApi: HostApi<MpiSignatures> = s.hostApi(
  "mpi",
  failing(s.fns(KINDS, ...MPI_LINES), { meaningOf: mpiMeaning }),
);

/** What serves each of them. */
export type MpiFunctions = HostFunctions<MpiSignatures>;

/**
 * Handles of requests as `Waitall` and its like take them, 0 or null for `MPI_REQUEST_NULL`: 8 bytes each,
 * as a kernel has them in a `vec2u`.
 *
 * @throws {TypeError} when one is no handle
 */
export function requestBytes(requests: readonly (number | null)[]): Uint8Array {
  const slots = new ByteSlots(new Uint8Array(SLOT_BYTES * requests.length));
  for (const [index, request] of requests.entries()) {
    if (SLOT_CODECS.handle.write(slots, index, request ?? 0)) continue;
    throw new TypeError(
      `Cannot write the handles of requests as one is no handle: current value is ${request}`,
    );
  }
  return slots.bytes;
}

/** What {@linkcode requestBytes} wrote, or a kernel; 0 for `MPI_REQUEST_NULL`. */
export function requestHandles(bytes: Uint8Array): readonly number[] {
  const slots = new ByteSlots(bytes);
  const count = bytes.length / SLOT_BYTES;
  return Array.from(
    { length: count },
    (_, index) => SLOT_CODECS.handle.read(slots, index) as number,
  );
}

/**
 * The classes of MPI's errors, by the number that callers get, which is MPICH's: a class, and never one
 * of a library's own codes.
 */
const CLASSES: readonly (readonly [code: string, text: string])[] = [
  ["MPI_SUCCESS", "all is well"],
  ["MPI_ERR_BUFFER", "invalid buffer"],
  ["MPI_ERR_COUNT", "invalid count"],
  ["MPI_ERR_TYPE", "invalid datatype"],
  ["MPI_ERR_TAG", "invalid tag"],
  ["MPI_ERR_COMM", "invalid communicator"],
  ["MPI_ERR_RANK", "invalid rank"],
  ["MPI_ERR_ROOT", "invalid root"],
  ["MPI_ERR_GROUP", "invalid group"],
  ["MPI_ERR_OP", "invalid operation"],
  ["MPI_ERR_TOPOLOGY", "invalid topology"],
  ["MPI_ERR_DIMS", "invalid dimension"],
  ["MPI_ERR_ARG", "invalid argument"],
  ["MPI_ERR_UNKNOWN", "unknown error"],
  ["MPI_ERR_TRUNCATE", "message longer than its buffer"],
  ["MPI_ERR_OTHER", "an error of another kind"],
  ["MPI_ERR_INTERN", "internal error of the library"],
  ["MPI_ERR_IN_STATUS", "the error is in a status"],
  ["MPI_ERR_PENDING", "not done yet"],
  ["MPI_ERR_REQUEST", "invalid request"],
];

/** A datatype that is none, or none that can be freed. */
export const MPI_ERR_TYPE = 3;
/** A communicator that is none, or none that can be freed. */
export const MPI_ERR_COMM = 5;
/** An argument that is none of those that the function takes. */
export const MPI_ERR_ARG = 12;
/** The number of the class that a class without a number here is put into. */
const MPI_ERR_OTHER = 15;
/** Something is not done yet that had to be. */
export const MPI_ERR_PENDING = 18;
/** A request that is none, or none any more. */
export const MPI_ERR_REQUEST = 19;

/** What a number means that a call of MPI failed with. */
export function mpiMeaning(errorClass: number): ErrorMeaning {
  const [code, text] = CLASSES[errorClass] ?? CLASSES[MPI_ERR_OTHER]!;
  return { code, text };
}

/** Open MPI puts its requests in the middle of the list, and MPICH at the end. */
export function classOfOpenMpi(number: number): number {
  if (number < 7) return number;
  if (number === 7) return MPI_ERR_REQUEST;
  return number <= MPI_ERR_REQUEST ? number - 1 : MPI_ERR_OTHER;
}

/** A class of MPICH's, where it is one that callers know. */
export function classOfMpich(number: number): number {
  return number <= MPI_ERR_REQUEST ? number : MPI_ERR_OTHER;
}
