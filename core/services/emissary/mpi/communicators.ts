import type { ApiServer } from "../../../signature/mod.ts";
import type { Pending } from "../../../toggle/pending/pending.ts";
import { MPI_ERR_ARG, MPI_UNDEFINED, type MpiFunctions } from "./mpi_api.ts";
import type { MpiComm, MpiSession } from "./mpi_session.ts";
import type { NamedKind } from "./mpi_library.ts";

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

type Names = "Init_thread" | "Finalize" | "Type_size" | "Get_count" | "Wtime" | "Abort";
type CommName = Extract<keyof MpiFunctions, `Comm_${string}`> | NamedKind | "Error_string";

/** The beginning and the end, communicators, and what is known of datatypes. */
export function communicatorFunctions(
  session: MpiSession,
  server: ApiServer,
): Pick<MpiFunctions, Names | CommName> {
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
    Comm_free: (comm) => session.free("Comm", comm, server),
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
