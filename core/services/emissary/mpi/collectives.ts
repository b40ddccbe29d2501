import type { Pending } from "../../../toggle/pending/pending.ts";
import { checkBuffer, type MpiComm, type MpiDatatype } from "./mpi_buffer.ts";
import type { MpiSession } from "./mpi_session.ts";

type Bytes = Uint8Array | null;
type Result = number | Pending<number>;

/** What all processes of a communicator do together. */
export function collectiveFunctions(session: MpiSession) {
  /** Begins, and waits until it is done; the buffers were checked. */
  const together = (
    action: string,
    buffers: readonly Bytes[],
    start: (place: Uint8Array) => number,
  ): Result => {
    const request = session.begin(action, { kind: "collective", buffers }, start);
    return session.wait(action, request, () => 0);
  };
  const reduction = (action: "Allreduce" | "Scan") => {
    return (
      sent: Uint8Array,
      taken: Uint8Array,
      count: number,
      datatype: MpiDatatype,
      op: MpiComm,
      { value: comm }: MpiComm,
    ): Result => {
      const { symbols } = session.running(action);
      for (const bytes of [sent, taken]) checkBuffer(action, { bytes, count, datatype });
      const call = symbols[action === "Scan" ? "MPI_Iscan" : "MPI_Iallreduce"];
      return together(
        action,
        [sent, taken],
        (place) => call(sent, taken, count, datatype.value, op.value, comm, place),
      );
    };
  };
  const exchange = (action: "Allgather" | "Alltoall") => {
    return (
      sent: Uint8Array,
      sentCount: number,
      sentType: MpiDatatype,
      taken: Uint8Array,
      takenCount: number,
      takenType: MpiDatatype,
      comm: MpiComm,
    ): Result => {
      const { symbols } = session.running(action);
      const size = session.sizeOf(comm, action);
      const times = action === "Alltoall" ? size : 1;
      checkBuffer(action, { bytes: sent, count: sentCount, datatype: sentType, times });
      const all = { bytes: taken, count: takenCount, datatype: takenType, times: size };
      checkBuffer(action, all);
      const call = symbols[action === "Alltoall" ? "MPI_Ialltoall" : "MPI_Iallgather"];
      return together(
        action,
        [sent, taken],
        (place) =>
          call(
            sent,
            sentCount,
            sentType.value,
            taken,
            takenCount,
            takenType.value,
            comm.value,
            place,
          ),
      );
    };
  };
  return {
    Barrier: (comm: MpiComm): Result => {
      const { symbols } = session.running("Barrier");
      return together("Barrier", [], (place) => symbols.MPI_Ibarrier(comm.value, place));
    },
    Bcast(
      bytes: Uint8Array,
      count: number,
      datatype: MpiDatatype,
      root: number,
      comm: MpiComm,
    ): Result {
      const { symbols } = session.running("Bcast");
      checkBuffer("Bcast", { bytes, count, datatype });
      return together(
        "Bcast",
        [bytes],
        (place) => symbols.MPI_Ibcast(bytes, count, datatype.value, root, comm.value, place),
      );
    },
    Reduce(
      sent: Uint8Array,
      given: Bytes,
      count: number,
      datatype: MpiDatatype,
      op: MpiComm,
      root: number,
      comm: MpiComm,
    ): Result {
      const { symbols } = session.running("Reduce");
      checkBuffer("Reduce", { bytes: sent, count, datatype });
      const taken = rooted(session, "Reduce", { bytes: given, count, datatype, root, comm });
      const { value } = datatype;
      return together(
        "Reduce",
        [sent, taken],
        (place) =>
          symbols.MPI_Ireduce(sent, taken, count, value, op.value, root, comm.value, place),
      );
    },
    Allreduce: reduction("Allreduce"),
    Scan: reduction("Scan"),
    Gather(
      sent: Uint8Array,
      sentCount: number,
      sentType: MpiDatatype,
      given: Bytes,
      count: number,
      datatype: MpiDatatype,
      root: number,
      comm: MpiComm,
    ): Result {
      const { symbols } = session.running("Gather");
      checkBuffer("Gather", { bytes: sent, count: sentCount, datatype: sentType });
      const times = session.sizeOf(comm, "Gather");
      const taken = rooted(session, "Gather", { bytes: given, count, datatype, root, comm, times });
      const target = [taken, count, datatype.value, root, comm.value] as const;
      return together(
        "Gather",
        [sent, taken],
        (place) => symbols.MPI_Igather(sent, sentCount, sentType.value, ...target, place),
      );
    },
    Scatter(
      given: Bytes,
      count: number,
      datatype: MpiDatatype,
      taken: Uint8Array,
      takenCount: number,
      takenType: MpiDatatype,
      root: number,
      comm: MpiComm,
    ): Result {
      const { symbols } = session.running("Scatter");
      checkBuffer("Scatter", { bytes: taken, count: takenCount, datatype: takenType });
      const times = session.sizeOf(comm, "Scatter");
      const sent = rooted(session, "Scatter", { bytes: given, count, datatype, root, comm, times });
      const target = [taken, takenCount, takenType.value, root, comm.value] as const;
      return together(
        "Scatter",
        [sent, taken],
        (place) => symbols.MPI_Iscatter(sent, count, datatype.value, ...target, place),
      );
    },
    Allgather: exchange("Allgather"),
    Alltoall: exchange("Alltoall"),
  };
}

/** A buffer that one process has: checked there, and not there for the library elsewhere. */
interface RootedBuffer {
  readonly bytes: Bytes;
  readonly count: number;
  readonly datatype: MpiDatatype;
  readonly root: number;
  readonly comm: MpiComm;
  readonly times?: number;
}

function rooted(
  session: MpiSession,
  action: string,
  { bytes, root, comm, ...rest }: RootedBuffer,
): Bytes {
  if (session.rankOf(comm, action) !== root) return null;
  const found = bytes ?? new Uint8Array();
  checkBuffer(action, { bytes: found, ...rest });
  return found;
}
