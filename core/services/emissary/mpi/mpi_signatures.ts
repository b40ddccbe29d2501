import type {
  Bytes,
  Direction,
  FunctionSignature,
  HandleKind,
  Nullable,
  Parameter,
  Reference,
  Result,
  Scalar,
  Struct,
  Text,
} from "../../../signature/mod.ts";

/** A function of MPI. */
export type MpiFunction<Ps extends readonly Parameter[], R extends Result = MpiInt> =
  FunctionSignature<Ps, R>;

/** C's `int`: a count, a rank, a tag, a code. */
export type MpiInt = Scalar<"i32">;
/** A handle of a communicator. */
export type CommHandle = HandleKind<"Comm">;
/** A handle of a datatype. */
export type DatatypeHandle = HandleKind<"Datatype">;
/** A handle of an operation. */
export type OpHandle = HandleKind<"Op">;
/** A handle of a request. */
export type RequestHandle = HandleKind<"Request">;
/** What is known of a message. */
export type StatusStruct = Struct<{
  readonly source: MpiInt;
  readonly tag: MpiInt;
  readonly error: MpiInt;
  readonly count: MpiInt;
}>;

/** Where a status is wanted, or null. */
export type MpiStatusOut = Nullable<Reference<"out", StatusStruct>>;
/** Elements in memory: the bytes, how many elements, and what they are. */
export type MpiElements<D extends Direction> = [Bytes<D>, MpiInt, DatatypeHandle];
/** As {@linkcode MpiElements}, that not every process has. */
export type MpiRootElements<D extends Direction> = [Nullable<Bytes<D>>, MpiInt, DatatypeHandle];
/** The other process, the tag, and the communicator. */
export type MpiPeer = [MpiInt, MpiInt, CommHandle];
/** Where received bytes are wanted, or null. */
export type MpiRoom = Nullable<Bytes<"out">>;
/** How many requests, and their handles. */
export type MpiRequests = [MpiInt, Bytes<"inout">];
/** As {@linkcode MpiRoom}, for several messages one behind the other, and their statuses. */
export type MpiRooms = [Nullable<Bytes<"inout">>, MpiRoom];
/** What brings values of all processes together, for all. */
export type MpiReduction = MpiFunction<[Bytes<"in">, ...MpiElements<"out">, OpHandle, CommHandle]>;
/** What gives values of all processes to all. */
export type MpiExchange = MpiFunction<[...MpiElements<"in">, ...MpiElements<"out">, CommHandle]>;

/** What the functions of MPI take and give: see `mpiApi`. */
export type MpiSignatures = {
  readonly Init_thread: MpiFunction<[MpiInt]>;
  readonly Finalize: MpiFunction<[]>;
  readonly Comm: MpiFunction<[Text], CommHandle>;
  readonly Datatype: MpiFunction<[Text], DatatypeHandle>;
  readonly Op: MpiFunction<[Text], OpHandle>;
  readonly Comm_rank: MpiFunction<[CommHandle]>;
  readonly Comm_size: MpiFunction<[CommHandle]>;
  readonly Comm_dup: MpiFunction<[CommHandle], Nullable<CommHandle>>;
  readonly Comm_split: MpiFunction<[CommHandle, MpiInt, MpiInt], Nullable<CommHandle>>;
  readonly Comm_free: MpiFunction<[CommHandle]>;
  readonly Type_size: MpiFunction<[DatatypeHandle]>;
  readonly Get_count: MpiFunction<[Reference<"in", StatusStruct>, DatatypeHandle]>;
  readonly Send: MpiFunction<[...MpiElements<"in">, ...MpiPeer]>;
  readonly Recv: MpiFunction<[...MpiElements<"inout">, ...MpiPeer, MpiStatusOut]>;
  readonly Sendrecv: MpiFunction<
    [...MpiElements<"in">, MpiInt, MpiInt, ...MpiElements<"inout">, ...MpiPeer, MpiStatusOut]
  >;
  readonly Isend: MpiFunction<[...MpiElements<"in">, ...MpiPeer], Nullable<RequestHandle>>;
  readonly Irecv: MpiFunction<[MpiInt, DatatypeHandle, ...MpiPeer], Nullable<RequestHandle>>;
  readonly Test: MpiFunction<[RequestHandle, MpiRoom, MpiStatusOut]>;
  readonly Wait: MpiFunction<[RequestHandle, MpiRoom, MpiStatusOut]>;
  readonly Testall: MpiFunction<[...MpiRequests, ...MpiRooms]>;
  readonly Waitall: MpiFunction<[...MpiRequests, ...MpiRooms]>;
  readonly Testany: MpiFunction<[...MpiRequests, MpiRoom, MpiStatusOut]>;
  readonly Waitany: MpiFunction<[...MpiRequests, MpiRoom, MpiStatusOut]>;
  readonly Probe: MpiFunction<[...MpiPeer, MpiStatusOut]>;
  readonly Iprobe: MpiFunction<[...MpiPeer, MpiStatusOut]>;
  readonly Barrier: MpiFunction<[CommHandle]>;
  readonly Bcast: MpiFunction<[...MpiElements<"inout">, MpiInt, CommHandle]>;
  readonly Reduce: MpiFunction<
    [Bytes<"in">, ...MpiRootElements<"out">, OpHandle, MpiInt, CommHandle]
  >;
  readonly Allreduce: MpiReduction;
  readonly Scan: MpiReduction;
  readonly Gather: MpiFunction<
    [...MpiElements<"in">, ...MpiRootElements<"out">, MpiInt, CommHandle]
  >;
  readonly Scatter: MpiFunction<
    [...MpiRootElements<"in">, ...MpiElements<"out">, MpiInt, CommHandle]
  >;
  readonly Allgather: MpiExchange;
  readonly Alltoall: MpiExchange;
  readonly Wtime: MpiFunction<[], Scalar<"f64">>;
  readonly Abort: MpiFunction<[CommHandle, MpiInt]>;
  readonly Error_string: MpiFunction<[MpiInt], Text>;
};
