import type { MpiComm, MpiDatatype } from "./mpi_buffer.ts";
import type { MpiStatus } from "./mpi_library.ts";
import type { NamedKind } from "./mpi_names.ts";
import type { MpiSession } from "./mpi_session.ts";
import { MPI_UNDEFINED } from "./mpi_api.ts";

/** The beginning and the end, communicators, and what is known of datatypes. */
export function communicatorFunctions(session: MpiSession) {
  const named = (kind: NamedKind) => (name: string) => session.named(kind, name);
  /** When all processes of a communicator have come here. */
  const met = <T>(action: string, { value }: MpiComm, use: () => T) => {
    const { symbols } = session.running(action);
    const begun = { kind: "collective", buffers: [] } as const;
    const request = session.begin(action, begun, (place) => symbols.MPI_Ibarrier(value, place));
    return session.wait(action, request, use);
  };
  /** The communicator that a call wrote; null for none. */
  const madeComm = (place: Uint8Array): MpiComm | null => {
    const value = session.library.written(place);
    return value === undefined ? null : { value };
  };
  return {
    Init_thread: (required: number) => session.start(required),
    Finalize: () =>
      met("Finalize", session.named("Comm", "MPI_COMM_WORLD") as MpiComm, () => {
        session.finish();
        return 0;
      }),
    Comm: named("Comm"),
    Datatype: named("Datatype"),
    Op: named("Op"),
    Comm_rank: (comm: MpiComm) => session.rankOf(comm, "Comm_rank"),
    Comm_size: (comm: MpiComm) => session.sizeOf(comm, "Comm_size"),
    Comm_dup({ value }: MpiComm) {
      const { symbols } = session.running("Comm_dup");
      const made = new Uint8Array(8);
      const begun = { kind: "collective", buffers: [made] } as const;
      const request = session.begin(
        "Comm_dup",
        begun,
        (place) => symbols.MPI_Comm_idup(value, made, place),
      );
      return session.wait("Comm_dup", request, () => madeComm(made));
    },
    /** MPI has no split that does not wait: it begins when all have come, and then nobody waits long. */
    Comm_split: (comm: MpiComm, color: number, key: number) =>
      met("Comm_split", comm, () => {
        const made = new Uint8Array(8);
        const { MPI_Comm_split } = session.library.symbols;
        session.check(MPI_Comm_split(comm.value, color, key, made), "Comm_split");
        return madeComm(made);
      }),
    Comm_free({ value }: MpiComm) {
      const { symbols } = session.running("Comm_free");
      session.check(symbols.MPI_Comm_free(session.library.place(value)), "Comm_free");
      return 0;
    },
    Type_size({ value }: MpiDatatype) {
      const { symbols, number } = session.running("Type_size");
      session.check(symbols.MPI_Type_size(value, number), "Type_size");
      return number[0]!;
    },
    /** As in C, a part of an element is no number of elements. */
    Get_count({ count }: Readonly<MpiStatus>, { value }: MpiDatatype) {
      const { symbols, number } = session.running("Get_count");
      session.check(symbols.MPI_Type_size(value, number), "Get_count");
      const elementCount = count / number[0]!;
      return Number.isInteger(elementCount) ? elementCount : MPI_UNDEFINED;
    },
    Wtime: () => session.running("Wtime").symbols.MPI_Wtime(),
    Abort: ({ value }: MpiComm, code: number) => {
      session.check(session.running("Abort").symbols.MPI_Abort(value, code), "Abort");
      return 0;
    },
    Error_string: (errorClass: number) => session.textOf(errorClass),
  };
}
