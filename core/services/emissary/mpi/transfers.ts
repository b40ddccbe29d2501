import { Pending } from "../../../toggle/pending/pending.ts";
import { checkBuffer, type MpiBuffer, type MpiComm, type MpiDatatype } from "./mpi_buffer.ts";
import { MPI_PROC_NULL } from "./mpi_api.ts";
import type { MpiStatus } from "./mpi_library.ts";
import type { MpiRequest } from "./mpi_request.ts";
import type { MpiSession } from "./mpi_session.ts";

/** What a caller's status is filled with; null where it wants none. */
export type StatusOut = MpiStatus | null;

/** The other end of a message. */
interface Peer {
  readonly rank: number;
  readonly tag: number;
  readonly comm: MpiComm;
}

/** Begins to send. */
export function beginSend(
  session: MpiSession,
  action: string,
  { bytes, count, datatype, rank, tag, comm }: MpiBuffer & Peer,
): MpiRequest {
  const { symbols } = session.running(action);
  checkBuffer(action, { bytes, count, datatype });
  const target = session.library.destinationOf(rank);
  return session.begin(
    action,
    { kind: "send", buffers: [bytes] },
    (place) => symbols.MPI_Isend(bytes, count, datatype.value, target, tag, comm.value, place),
  );
}

/** Begins to receive. */
export function beginReceive(
  session: MpiSession,
  action: string,
  { bytes, count, datatype, rank, tag, comm }: MpiBuffer & Peer,
): MpiRequest {
  const { symbols } = session.running(action);
  checkBuffer(action, { bytes, count, datatype });
  const source = session.library.sourceOf(rank);
  return session.begin(
    action,
    {
      kind: "receive",
      buffers: [bytes],
      received: bytes,
      isFromNobody: rank === MPI_PROC_NULL,
    },
    (place) => symbols.MPI_Irecv(bytes, count, datatype.value, source, tag, comm.value, place),
  );
}

/** Messages from one process to another, each call until its own end. */
export function transferFunctions(session: MpiSession) {
  return {
    Send(
      bytes: Uint8Array,
      count: number,
      datatype: MpiDatatype,
      rank: number,
      tag: number,
      comm: MpiComm,
    ) {
      const request = beginSend(session, "Send", { bytes, count, datatype, rank, tag, comm });
      return session.wait("Send", request, () => 0);
    },
    Recv(
      bytes: Uint8Array,
      count: number,
      datatype: MpiDatatype,
      rank: number,
      tag: number,
      comm: MpiComm,
      status: StatusOut,
    ) {
      const request = beginReceive(session, "Recv", { bytes, count, datatype, rank, tag, comm });
      return session.wait("Recv", request, () => received(request, status));
    },
    Sendrecv(
      sent: Uint8Array,
      sentCount: number,
      sentType: MpiDatatype,
      destination: number,
      sentTag: number,
      taken: Uint8Array,
      takenCount: number,
      takenType: MpiDatatype,
      source: number,
      takenTag: number,
      comm: MpiComm,
      status: StatusOut,
    ) {
      const action = "Sendrecv";
      const from = { rank: source, tag: takenTag, comm };
      const to = { rank: destination, tag: sentTag, comm };
      checkBuffer(action, { bytes: sent, count: sentCount, datatype: sentType });
      const receive = beginReceive(session, action, {
        ...{ bytes: taken, count: takenCount, datatype: takenType },
        ...from,
      });
      const send = orAbandon(
        session,
        receive,
        () =>
          beginSend(session, action, { bytes: sent, count: sentCount, datatype: sentType, ...to }),
      );
      const parts = [
        session.wait(action, send, () => 0),
        session.wait(action, receive, () => received(receive, status)),
      ];
      if (!parts.some((part) => part instanceof Pending)) return 0;
      return Pending.all(parts).map(() => 0);
    },
    Probe(rank: number, tag: number, comm: MpiComm, status: StatusOut) {
      return session.waitFor({
        poll: () => probe(session, "Probe", { rank, tag, comm }, status) ? 0 : undefined,
      });
    },
    Iprobe(rank: number, tag: number, comm: MpiComm, status: StatusOut) {
      return probe(session, "Iprobe", { rank, tag, comm }, status) ? 1 : 0;
    },
  };
}

function received(request: MpiRequest, status: StatusOut): number {
  if (status) Object.assign(status, request.status);
  return 0;
}

function orAbandon<T>(session: MpiSession, request: MpiRequest, work: () => T): T {
  try {
    return work();
  } catch (error) {
    session.abandon(request);
    throw error;
  }
}

/** Whether a message is there. */
function probe(
  session: MpiSession,
  action: string,
  { rank, tag, comm }: Peer,
  status: StatusOut,
): boolean {
  const library = session.running(action);
  const { symbols, number } = library;
  const source = library.sourceOf(rank);
  session.check(symbols.MPI_Iprobe(source, tag, comm.value, number, library.status), action);
  if (number[0] === 0) return false;
  if (status) Object.assign(status, library.readStatus());
  return true;
}
