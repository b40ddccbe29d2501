import type { Pending } from "../../../toggle/pending/pending.ts";
import { wroteBytes } from "../../../signature/mod.ts";
import type { MpiFunctions } from "./mpi_api.ts";
import { checkBuffer, type MpiBuffer, type MpiComm } from "./mpi_buffer.ts";
import type { MpiSession } from "./mpi_session.ts";

type Bytes = Uint8Array | null;
type Result = number | Pending<number>;

/** What all processes of a communicator do together: one call of each. */
class Collective {
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

  /** How many processes take part. */
  get size(): number {
    return this.#session.sizeOf(this.comm, this.action);
  }

  /** A buffer that is as long as it should be. */
  checked(buffer: MpiBuffer): Uint8Array {
    checkBuffer(this.action, buffer);
    return buffer.bytes;
  }

  /**
   * A buffer that one process has: checked there, and not there for the library elsewhere, where its
   * caller's stays as it is.
   */
  rooted(root: number, { bytes, ...rest }: Omit<MpiBuffer, "bytes"> & { bytes: Bytes }): Bytes {
    if (this.#session.rankOf(this.comm, this.action) !== root) {
      if (bytes) wroteBytes(bytes, 0);
      return null;
    }
    return this.checked({ bytes: bytes ?? new Uint8Array(), ...rest });
  }

  /** Begins, and waits until it is done. */
  run(buffers: readonly Bytes[], start: (place: Uint8Array) => number): Result {
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
      for (const bytes of [sent, taken]) call.checked({ bytes, count, datatype });
      const symbol = call.symbols[action === "Scan" ? "MPI_Iscan" : "MPI_Iallreduce"];
      const what = [sent, taken, count, datatype.value, op.value, comm.value] as const;
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
      call.checked({ bytes: sent, count, datatype });
      const taken = call.rooted(root, { bytes: given, count, datatype });
      const what = [sent, taken, count, datatype.value, op.value, root, comm.value] as const;
      return call.run([sent, taken], (place) => call.symbols.MPI_Ireduce(...what, place));
    },
    Allreduce: toAll("Allreduce"),
    Scan: toAll("Scan"),
  };
}

/** What gives values of one process or of all to one or to all. */
export function exchangeFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Bcast" | "Gather" | "Scatter" | "Allgather" | "Alltoall"> {
  const toAll = (action: "Allgather" | "Alltoall"): MpiFunctions["Alltoall"] => {
    return (sent, count, datatype, taken, takenCount, takenType, comm) => {
      const call = new Collective(session, action, comm);
      const { size: times } = call;
      const sentTimes = action === "Alltoall" ? times : 1;
      call.checked({ bytes: sent, count, datatype, times: sentTimes });
      call.checked({ bytes: taken, count: takenCount, datatype: takenType, times });
      const symbol = call.symbols[action === "Alltoall" ? "MPI_Ialltoall" : "MPI_Iallgather"];
      const from = [sent, count, datatype.value] as const;
      const to = [taken, takenCount, takenType.value, comm.value] as const;
      return call.run([sent, taken], (place) => symbol(...from, ...to, place));
    };
  };
  return {
    Bcast: (bytes, count, datatype, root, comm) => {
      const call = new Collective(session, "Bcast", comm);
      const what = [call.checked({ bytes, count, datatype }), count, datatype.value] as const;
      const { value } = call.comm;
      return call.run([bytes], (place) => call.symbols.MPI_Ibcast(...what, root, value, place));
    },
    Gather: (sent, count, datatype, given, takenCount, takenType, root, comm) => {
      const call = new Collective(session, "Gather", comm);
      call.checked({ bytes: sent, count, datatype });
      const all = { count: takenCount, datatype: takenType, times: call.size };
      const taken = call.rooted(root, { bytes: given, ...all });
      const from = [sent, count, datatype.value] as const;
      const to = [taken, takenCount, takenType.value, root, comm.value] as const;
      return call.run([sent, taken], (place) => call.symbols.MPI_Igather(...from, ...to, place));
    },
    Scatter: (given, count, datatype, taken, takenCount, takenType, root, comm) => {
      const call = new Collective(session, "Scatter", comm);
      call.checked({ bytes: taken, count: takenCount, datatype: takenType });
      const sent = call.rooted(root, { bytes: given, count, datatype, times: call.size });
      const from = [sent, count, datatype.value] as const;
      const to = [taken, takenCount, takenType.value, root, comm.value] as const;
      return call.run([sent, taken], (place) => call.symbols.MPI_Iscatter(...from, ...to, place));
    },
    Allgather: toAll("Allgather"),
    Alltoall: toAll("Alltoall"),
  };
}
