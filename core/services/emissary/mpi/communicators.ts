import type { Pending } from "../../../toggle/pending/pending.ts";
import type { MpiComm, MpiDatatype } from "./mpi_buffer.ts";
import { MPI_ERR_ARG } from "./mpi_error.ts";
import type { NamedKind } from "./mpi_names.ts";
import type { MpiSession } from "./mpi_session.ts";
import { MPI_UNDEFINED, type MpiFunctions } from "./mpi_api.ts";

type Result<T> = T | Pending<T>;

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

/** MPI has no split that does not wait: it begins when all have come, and then nobody waits long. */
function split(session: MpiSession, comm: MpiComm, color: number, key: number) {
  // The library of one process would say no where those of the others wait for it, without an end.
  if (color < 0 && color !== MPI_UNDEFINED) session.fail(MPI_ERR_ARG, "Comm_split");
  const use = () => {
    const made = new Uint8Array(8);
    const { MPI_Comm_split } = session.library.symbols;
    session.check(MPI_Comm_split(comm.value, color, key, made), "Comm_split");
    return madeComm(session, made);
  };
  return met(session, "Comm_split", { comm, use });
}

function typeSize(session: MpiSession, action: string, { value }: MpiDatatype): number {
  const { symbols, number } = session.running(action);
  session.check(symbols.MPI_Type_size(value, number), action);
  return number[0]!;
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
      const { symbols } = session.running("Comm_free");
      session.check(symbols.MPI_Comm_free(session.library.place(value)), "Comm_free");
      return 0;
    },
    Type_size: (datatype) => typeSize(session, "Type_size", datatype),
    Get_count: ({ count }, datatype) => {
      const elementCount = count / typeSize(session, "Get_count", datatype);
      // As in C: a part of an element is no number of elements.
      return Number.isInteger(elementCount) ? elementCount : MPI_UNDEFINED;
    },
    Wtime: () => session.running("Wtime").symbols.MPI_Wtime(),
    Abort: ({ value }: MpiComm, code) => {
      session.check(session.running("Abort").symbols.MPI_Abort(value, code), "Abort");
      return 0;
    },
    Error_string: (errorClass) => session.textOf(errorClass),
  };
}
