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
    Send: (bytes, count, datatype, rank, tag, comm) =>
      send(session, "Send", { bytes, count, datatype, rank, tag, comm }),
    Recv: (bytes, count, datatype, rank, tag, comm, status) =>
      receive(session, "Recv", { bytes, count, datatype, rank, tag, comm }, status),
    Sendrecv: (sent, count, datatype, to, sentTag, bytes, room, kind, from, tag, comm, status) =>
      exchange(session, {
        out: { bytes: sent, count, datatype, rank: to, tag: sentTag, comm },
        in: { bytes, count: room, datatype: kind, rank: from, tag, comm },
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

type Result = number | Pending<number>;

function send(session: MpiSession, action: string, message: MpiBuffer & Peer): Result {
  return session.wait(action, () => beginSend(session, action, message), () => 0);
}

/**
 * Receives what has come, as soon as something has. Until then the library knows of no receive: it would
 * give the message to one whose caller has left, and no later one would get it.
 */
function receive(
  session: MpiSession,
  action: string,
  message: MpiBuffer & Peer,
  status: StatusOut,
): Result {
  checkBuffer(action, message);
  const isFromNobody = message.rank === MPI_PROC_NULL;
  const begin = isFromNobody ? beginReceive : takeMessage;
  return session.wait(action, () => begin(session, action, message), (request) => {
    if (status) Object.assign(status, request.status);
    return 0;
  });
}

/** Begins to receive a message that has come; nothing where none has. */
function takeMessage(
  session: MpiSession,
  action: string,
  { bytes, count, datatype, rank, tag, comm }: MpiBuffer & Peer,
): MpiRequest | undefined {
  const { library } = session;
  const { symbols, number, status } = library;
  const message = new Uint8Array(8);
  const peer = [library.rankOf(rank), tag, comm.value] as const;
  session.check(symbols.MPI_Improbe(...peer, number, message, status), action);
  if (number[0] === 0) return undefined;
  return session.begin(
    action,
    { kind: "receive", buffers: [bytes, message] },
    (place) => symbols.MPI_Imrecv(bytes, count, datatype.value, message, place),
  );
}

/** What goes one way and what comes the other, at once. */
interface Exchange {
  readonly out: MpiBuffer & Peer;
  readonly in: MpiBuffer & Peer;
  readonly status: StatusOut;
}

function exchange(session: MpiSession, { out, in: back, status }: Exchange): Result {
  const action = "Sendrecv";
  checkBuffer(action, back);
  probe(session, action, back, null); // what is wrong with the receive is told before anything is sent
  const parts = [send(session, action, out), receive(session, action, back, status)];
  const isDone = !parts.some((part) => part instanceof Pending);
  return isDone ? 0 : Pending.all(parts).map(() => 0);
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
