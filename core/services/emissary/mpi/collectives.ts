import type { Pending } from "../../../toggle/pending/pending.ts";
import { wroteBytes } from "../../../signature/mod.ts";
import { MPI_ERR_ARG, MPI_UNDEFINED, type MpiFunctions } from "./mpi_api.ts";
import { checkBuffer, type MpiBuffer, type MpiComm, type MpiSession } from "./mpi_session.ts";
import type { NamedKind } from "./mpi_library.ts";

/** A buffer, where there is one. */
export type Bytes = Uint8Array | null;
type Result<T> = T | Pending<T>;

/** What all processes of a communicator do together: one call of each. */
export class Collective {
  readonly #session: MpiSession;
  readonly action: string;
  readonly comm: MpiComm;

  constructor(session: MpiSession, action: string, comm: MpiComm) {
    this.#session = session;
    this.action = action;
    this.comm = comm;
  }

  get symbols(): MpiSession["library"]["symbols"] {
    return this.#session.running(this.action).symbols;
  }

  get size(): number {
    return this.#session.sizeOf(this.comm, this.action);
  }

  /** A buffer that is as long as it should be. */
  checked(buffer: MpiBuffer): Uint8Array {
    checkBuffer(this.action, buffer);
    return buffer.bytes;
  }

  /** Whether this process is that one. */
  isRoot(root: number): boolean {
    return this.#session.rankOf(this.comm, this.action) === root;
  }

  /** Where what is sent or taken is: checked, unless it is in the other buffer. */
  placed(
    { bytes, ...rest }: Omit<MpiBuffer, "bytes"> & { readonly bytes: Bytes },
    mayBe = true,
  ): Deno.PointerValue {
    if (bytes === null && mayBe) return this.place("in place");
    return this.place(this.checked({ bytes: bytes ?? new Uint8Array(), ...rest }));
  }

  /** Where a buffer is, for the library. */
  place(bytes: Bytes | "in place"): Deno.PointerValue {
    return this.#session.library.placeOf(bytes);
  }

  /**
   * A buffer that one process has: checked there, and not there for the library elsewhere, where its
   * caller's stays as it is.
   */
  rooted(root: number, { bytes, ...rest }: Omit<MpiBuffer, "bytes"> & { bytes: Bytes }): Bytes {
    if (!this.isRoot(root)) {
      if (bytes) wroteBytes(bytes, 0);
      return null;
    }
    return this.checked({ bytes: bytes ?? new Uint8Array(), ...rest });
  }

  /** Begins, and waits until it is done. */
  run(buffers: readonly Bytes[], start: (place: Uint8Array) => number): Result<number> {
    const begin = () => this.#session.begin(this.action, { kind: "collective", buffers }, start);
    return this.#session.wait(this.action, begin, () => 0);
  }
}

/** What brings together one value of each process. */
export function reductionFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Barrier" | "Reduce" | "Allreduce" | "Scan"> {
  const toAll = (action: "Allreduce" | "Scan"): MpiFunctions["Scan"] => {
    return (sent, taken, count, datatype, op, comm) => {
      const call = new Collective(session, action, comm);
      const place = call.placed({ bytes: sent, count, datatype });
      call.checked({ bytes: taken, count, datatype });
      const symbol = call.symbols[action === "Scan" ? "MPI_Iscan" : "MPI_Iallreduce"];
      const what = [place, taken, count, datatype.value, op.value, comm.value] as const;
      return call.run([sent, taken], (place) => symbol(...what, place));
    };
  };
  return {
    Barrier: (comm) => {
      const call = new Collective(session, "Barrier", comm);
      return call.run([], (place) => call.symbols.MPI_Ibarrier(comm.value, place));
    },
    Reduce: (sent, given, count, datatype, op, root, comm) => {
      const call = new Collective(session, "Reduce", comm);
      const place = call.placed({ bytes: sent, count, datatype }, call.isRoot(root));
      const taken = call.rooted(root, { bytes: given, count, datatype });
      const what = [place, taken, count, datatype.value, op.value, root, comm.value] as const;
      return call.run([sent, taken], (place) => call.symbols.MPI_Ireduce(...what, place));
    },
    Allreduce: toAll("Allreduce"),
    Scan: toAll("Scan"),
  };
}

/** When all processes of a communicator have come here. */
function met<T>(
  session: MpiSession,
  action: string,
  { comm, use }: { readonly comm: MpiComm; readonly use: () => T | undefined },
): Result<T> {
  const { symbols } = session.running(action);
  const begun = { kind: "collective", buffers: [] } as const;
  const start = (place: Uint8Array) => symbols.MPI_Ibarrier(comm.value, place);
  return session.wait(action, () => session.begin(action, begun, start), use);
}

/** The communicator that a call wrote; null for none. */
function madeComm(session: MpiSession, place: Uint8Array): MpiComm | null {
  const value = session.library.written(place);
  return value === undefined ? null : { value };
}

function copied(session: MpiSession, { value }: MpiComm): Result<MpiComm | null> {
  const { symbols } = session.running("Comm_dup");
  const made = new Uint8Array(8);
  const begun = { kind: "collective", buffers: [made] } as const;
  const start = (place: Uint8Array) => symbols.MPI_Comm_idup(value, made, place);
  const begin = () => session.begin("Comm_dup", begun, start);
  return session.wait("Comm_dup", begin, () => madeComm(session, made));
}

/** What waits for all in the library begins when all have come, and then nobody waits long. */
export function madeByAll(
  session: MpiSession,
  action: string,
  { comm, make }: { readonly comm: MpiComm; readonly make: (place: Uint8Array) => number },
): Result<MpiComm | null> {
  const use = () => {
    const made = new Uint8Array(8);
    session.check(make(made), action);
    return madeComm(session, made);
  };
  return met(session, action, { comm, use });
}

function split(session: MpiSession, comm: MpiComm, color: number, key: number) {
  // The library of one process would say no where those of the others wait for it, without an end.
  if (color < 0 && color !== MPI_UNDEFINED) session.fail(MPI_ERR_ARG, "Comm_split");
  const { MPI_Comm_split } = session.library.symbols;
  const make = (place: Uint8Array) => MPI_Comm_split(comm.value, color, key, place);
  return madeByAll(session, "Comm_split", { comm, make });
}

/** The beginning and the end, communicators, and what is known of datatypes. */
export function communicatorFunctions(session: MpiSession): Pick<
  MpiFunctions,
  | "Init_thread"
  | "Finalize"
  | NamedKind
  | "Comm_rank"
  | "Comm_size"
  | "Comm_dup"
  | "Comm_split"
  | "Comm_free"
  | "Type_size"
  | "Get_count"
  | "Wtime"
  | "Abort"
  | "Error_string"
> {
  return {
    Init_thread: (required) => session.start(required),
    Finalize: () => {
      const comm = session.named("Comm", "MPI_COMM_WORLD") as MpiComm;
      let lookCount = 0;
      return met(session, "Finalize", { comm, use: () => session.finish(lookCount++ === 0) });
    },
    Comm: (name) => session.named("Comm", name),
    Datatype: (name) => session.named("Datatype", name),
    Op: (name) => session.named("Op", name),
    Comm_rank: (comm) => session.rankOf(comm, "Comm_rank"),
    Comm_size: (comm) => session.sizeOf(comm, "Comm_size"),
    Comm_dup: (comm) => copied(session, comm),
    Comm_split: (comm, color, key) => split(session, comm, color, key),
    Comm_free: ({ value }: MpiComm) => {
      session.call("Comm_free", [session.library.place(value)]);
      return 0;
    },
    Type_size: (datatype) => session.sizeOfType(datatype.value, "Type_size"),
    Get_count: ({ count }, datatype) => {
      const elementCount = count / session.sizeOfType(datatype.value, "Get_count");
      // As in C: a part of an element is no number of elements.
      return Number.isInteger(elementCount) ? elementCount : MPI_UNDEFINED;
    },
    Wtime: () => session.running("Wtime").symbols.MPI_Wtime(),
    Abort: ({ value }: MpiComm, code) => {
      session.call("Abort", [value, code]);
      return 0;
    },
    Error_string: (errorClass) => session.textOf(errorClass),
  };
}
