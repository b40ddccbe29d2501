import { Pending } from "../../../toggle/pending/pending.ts";
import { checkBuffer, type MpiBuffer, type MpiComm } from "./mpi_buffer.ts";
import { MPI_PROC_NULL, type MpiFunctions } from "./mpi_api.ts";
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
  const target = session.library.rankOf(rank);
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
  const source = session.library.rankOf(rank);
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
export function transferFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Send" | "Recv" | "Sendrecv" | "Probe" | "Iprobe"> {
  return {
    Send: (bytes, count, datatype, rank, tag, comm) => {
      const request = beginSend(session, "Send", { bytes, count, datatype, rank, tag, comm });
      return session.wait("Send", request, () => 0);
    },
    Recv: (bytes, count, datatype, rank, tag, comm, status) => {
      const request = beginReceive(session, "Recv", { bytes, count, datatype, rank, tag, comm });
      return session.wait("Recv", request, () => received(request, status));
    },
    Sendrecv: (sent, count, datatype, to, sentTag, bytes, room, kind, from, tag, comm, status) =>
      exchange(session, {
        send: { bytes: sent, count, datatype, rank: to, tag: sentTag, comm },
        receive: { bytes, count: room, datatype: kind, rank: from, tag, comm },
        status,
      }),
    Probe: (rank, tag, comm, status) =>
      session.waitFor({
        poll: () => probe(session, "Probe", { rank, tag, comm }, status) ? 0 : undefined,
      }),
    Iprobe: (rank, tag, comm, status) =>
      probe(session, "Iprobe", { rank, tag, comm }, status) ? 1 : 0,
  };
}

/** What goes one way and what comes the other, at once. */
interface Exchange {
  readonly send: MpiBuffer & Peer;
  readonly receive: MpiBuffer & Peer;
  readonly status: StatusOut;
}

function exchange(
  session: MpiSession,
  { send, receive, status }: Exchange,
): number | Pending<number> {
  const action = "Sendrecv";
  checkBuffer(action, send);
  const taken = beginReceive(session, action, receive);
  const sent = orAbandon(session, taken, () => beginSend(session, action, send));
  const parts = [
    session.wait(action, sent, () => 0),
    session.wait(action, taken, () => received(taken, status)),
  ];
  const isDone = !parts.some((part) => part instanceof Pending);
  return isDone ? 0 : Pending.all(parts).map(() => 0);
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
  const source = library.rankOf(rank);
  session.check(symbols.MPI_Iprobe(source, tag, comm.value, number, library.status), action);
  if (number[0] === 0) return false;
  if (status) Object.assign(status, library.readStatus());
  return true;
}
