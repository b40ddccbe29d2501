import {
  bytes,
  ends,
  f64,
  fn,
  type FunctionOptions,
  handle,
  type HostApi,
  hostApi,
  type HostFunctions,
  i32,
  lengthOf,
  nullable,
  pointer,
  string,
  struct,
} from "../../../signature/mod.ts";
import type { MpiSignatures, StatusStruct } from "./mpi_signatures.ts";
import { ByteSlots } from "../../../signature/wire/byte_slots.ts";
import { SLOT_BYTES, SLOT_CODECS } from "../../../signature/wire/slot.ts";
import { mpiMeaning } from "./mpi_error.ts";

/** As a source: whoever sends. */
export const MPI_ANY_SOURCE: number = -2;
/** As a source or a destination: nobody. */
export const MPI_PROC_NULL: number = -1;
/** As a tag of a receive: whatever it is. */
export const MPI_ANY_TAG: number = -1;
/** As a colour: no communicator is wanted; as an index: none. */
export const MPI_UNDEFINED: number = -32766;

/** What is known of a message: who sent it, its tag, an error's class or 0, and its length in bytes. */
export const mpiStatus: StatusStruct = struct({ source: i32, tag: i32, error: i32, count: i32 });
/** Bytes of a status among several. */
export const STATUS_BYTES = 16;

const comm = handle("Comm");
const datatype = handle("Datatype");
const op = handle("Op");
const request = handle("Request");
const requests = bytes("inout", lengthOf(0).times(8));
const status = nullable(pointer("out", mpiStatus));
const given = bytes("in");
const taken = bytes("out");
/** Goes there and back: what a message is too short for stays as it was, as does all from MPI_PROC_NULL. */
const filled = bytes("inout");
const optional = nullable(taken);
/** As `filled`, of several messages one behind the other. */
const filledAll = nullable(filled);
const fails: FunctionOptions = { failsWith: -1, meaningOf: mpiMeaning };
const failsWithNull: FunctionOptions = { failsWith: null, meaningOf: mpiMeaning };
/** What is sent to all, or gathered from all: two arrays, each with a count and a datatype. */
const exchange = [given, i32, datatype, taken, i32, datatype] as const;

/**
 * MPI: the names and orders of arguments are those of its C functions. What C writes behind a pointer is
 * the result (a rank, a communicator), 0 where there is nothing to say, and -1 or null after an error,
 * whose class is in `errno`; the library's own words for it are `Error_string(errno)`.
 *
 * `Comm`, `Datatype` and `Op` give handles of what has a name: `MPI_COMM_WORLD`, `MPI_DOUBLE`, `MPI_SUM`.
 * A receive that does not wait has its buffer on the host: its bytes come with `Wait` or `Test`. Arrays of
 * requests are handles of 8 bytes each, see `requestBytes`; those that are done become 0 in them, which is
 * `MPI_REQUEST_NULL`, and such ones are passed over.
 */
export const mpiApi: HostApi<MpiSignatures> = hostApi("mpi", {
  Init_thread: fn([i32], i32, fails),
  Finalize: fn([], i32, fails),
  Comm: fn([string], comm),
  Datatype: fn([string], datatype),
  Op: fn([string], op),
  Comm_rank: fn([comm], i32, fails),
  Comm_size: fn([comm], i32, fails),
  Comm_dup: fn([comm], nullable(comm), failsWithNull),
  Comm_split: fn([comm, i32, i32], nullable(comm), failsWithNull),
  Comm_free: fn([ends("Comm")], i32, fails),
  Type_size: fn([datatype], i32, fails),
  Get_count: fn([pointer("in", mpiStatus), datatype], i32, fails),
  Send: fn([given, i32, datatype, i32, i32, comm], i32, fails),
  Recv: fn([filled, i32, datatype, i32, i32, comm, status], i32, fails),
  Sendrecv: fn(
    [given, i32, datatype, i32, i32, filled, i32, datatype, i32, i32, comm, status],
    i32,
    fails,
  ),
  Isend: fn([given, i32, datatype, i32, i32, comm], nullable(request), failsWithNull),
  Irecv: fn([i32, datatype, i32, i32, comm], nullable(request), failsWithNull),
  Test: fn([request, optional, status], i32, fails),
  Wait: fn([request, optional, status], i32, fails),
  Testall: fn([i32, requests, filledAll, optional], i32, fails),
  Waitall: fn([i32, requests, filledAll, optional], i32, fails),
  Testany: fn([i32, requests, optional, status], i32, fails),
  Waitany: fn([i32, requests, optional, status], i32, fails),
  Probe: fn([i32, i32, comm, status], i32, fails),
  Iprobe: fn([i32, i32, comm, status], i32, fails),
  Barrier: fn([comm], i32, fails),
  Bcast: fn([bytes("inout"), i32, datatype, i32, comm], i32, fails),
  Reduce: fn([given, optional, i32, datatype, op, i32, comm], i32, fails),
  Allreduce: fn([given, taken, i32, datatype, op, comm], i32, fails),
  Scan: fn([given, taken, i32, datatype, op, comm], i32, fails),
  Gather: fn([given, i32, datatype, optional, i32, datatype, i32, comm], i32, fails),
  Scatter: fn(
    [nullable(given), i32, datatype, taken, i32, datatype, i32, comm],
    i32,
    fails,
  ),
  Allgather: fn([...exchange, comm], i32, fails),
  Alltoall: fn([...exchange, comm], i32, fails),
  Wtime: fn([], f64),
  Abort: fn([comm, i32], i32, fails),
  Error_string: fn([i32], string),
});

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
