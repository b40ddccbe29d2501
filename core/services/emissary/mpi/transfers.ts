import { Pending } from "../../../toggle/pending/pending.ts";
import {
  checkBuffer,
  EMPTY_STATUS,
  type MpiBuffer,
  type MpiComm,
  type MpiDatatype,
  type MpiRequest,
  type MpiSession,
} from "./mpi_session.ts";
import {
  MPI_ERR_REQUEST,
  MPI_PROC_NULL,
  MPI_UNDEFINED,
  type MpiFunctions,
  requestHandles,
  STATUS_BYTES,
} from "./mpi_api.ts";
import type { MpiStatus } from "./mpi_library.ts";
import { type ApiServer, wroteBytes } from "../../../signature/mod.ts";

/** What a caller's status is filled with; null where it wants none. */
export type StatusOut = MpiStatus | null;

interface Peer {
  readonly rank: number;
  readonly tag: number;
  readonly comm: MpiComm;
}

/** The library's functions for both ways have the same parameters. */
function beginBy(kind: "send" | "receive") {
  return (
    session: MpiSession,
    action: string,
    { bytes, count, datatype, rank, tag, comm }: MpiBuffer & Peer,
  ): MpiRequest => {
    const { MPI_Isend, MPI_Irecv } = session.running(action).symbols;
    checkBuffer(action, { bytes, count, datatype });
    const peer = session.library.rankOf(rank);
    const [start, more] = kind === "send" ? [MPI_Isend, {}] : [MPI_Irecv, {
      received: bytes,
      hasGaps: datatype.hasGaps,
      isFromNobody: rank === MPI_PROC_NULL,
    }];
    return session.begin(
      action,
      { kind, buffers: [bytes], ...more },
      (place) => start(bytes, count, datatype.value, peer, tag, comm.value, place),
    );
  };
}

const [beginSend, beginReceive] = [beginBy("send"), beginBy("receive")];

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

/** Messages that go on while their caller does something else, and the ends of them. */
export class MpiRequests {
  readonly #session: MpiSession;
  readonly #server: ApiServer;
  readonly #limitBytes: number;
  /** What receives have for callers that have not waited for them yet. */
  #heldBytes = 0;

  constructor(session: MpiSession, server: ApiServer, limitBytes: number) {
    this.#session = session;
    this.#server = server;
    this.#limitBytes = limitBytes;
  }

  #take(count: number, { extentBytes }: MpiDatatype): Uint8Array {
    const countBytes = count * extentBytes;
    if (count < 0 || this.#heldBytes + countBytes > this.#limitBytes) {
      throw new RangeError(
        `Cannot call mpi.Irecv as receives that nobody waited for may have ${this.#limitBytes} bytes: ${this.#heldBytes} are taken, and ${countBytes} are asked for`,
      );
    }
    this.#heldBytes += countBytes;
    return new Uint8Array(countBytes);
  }

  get functions(): Pick<
    MpiFunctions,
    "Isend" | "Irecv" | "Test" | "Wait" | "Testall" | "Waitall" | "Testany" | "Waitany"
  > {
    const wait = (poll: () => number | undefined) => this.#session.waitFor({ poll });
    return {
      Isend: (bytes, count, datatype, rank, tag, comm) =>
        beginSend(this.#session, "Isend", { bytes, count, datatype, rank, tag, comm }),
      Irecv: (count, datatype: MpiDatatype, rank, tag, comm: MpiComm) => {
        this.#session.running("Irecv");
        const bytes = this.#take(count, datatype);
        try {
          const peer = { rank, tag, comm };
          return beginReceive(this.#session, "Irecv", { bytes, count, datatype, ...peer });
        } catch (error) {
          this.#heldBytes -= bytes.length;
          throw error;
        }
      },
      Test: (request: MpiRequest, data, status) =>
        this.#finishOne("Test", request, { data, status }) === undefined ? 0 : 1,
      Wait: (request: MpiRequest, data, status) =>
        wait(() => this.#finishOne("Wait", request, { data, status })),
      Testall: (_, handles, data, statuses) =>
        this.#finishAll("Testall", this.#asked(handles), { data, statuses }) === undefined ? 0 : 1,
      Waitall: (_, handles, data, statuses) => {
        const asked = this.#asked(handles);
        return wait(() => this.#finishAll("Waitall", asked, { data, statuses }));
      },
      Testany: (_, handles, data, status) =>
        this.#finishAny("Testany", this.#asked(handles), { data, status }) ?? MPI_UNDEFINED,
      Waitany: (_, handles, data, status) => {
        const asked = this.#asked(handles);
        return wait(() => this.#finishAny("Waitany", asked, { data, status }));
      },
    };
  }

  /** The requests of handles, which come as bytes. */
  #asked(handles: Uint8Array): Asked {
    const all = requestHandles(handles).map((handle) =>
      handle === 0 ? undefined : this.#server.objectOf("Request", handle) as MpiRequest
    );
    const requests = all.filter((request) => request !== undefined);
    if (new Set(requests).size === requests.length) return { handles, all, requests };
    throw new RangeError("Cannot wait for requests as one is named twice");
  }

  #finishOne(
    action: string,
    request: MpiRequest,
    { data, status }: { readonly data: Bytes; readonly status: StatusOut },
  ): number | undefined {
    leave(data);
    this.#check(action, [request]);
    checkRoom(action, data, lengthOf(request));
    if (!request.test()) return undefined;
    this.#end(request, data, status);
    this.#session.check(request.code, action);
    return 0;
  }

  #finishAll(
    action: string,
    { handles, all, requests }: Asked,
    { data, statuses }: { readonly data: Bytes; readonly statuses: Bytes },
  ): number | undefined {
    leave(statuses);
    this.#check(action, requests);
    checkRoom(action, data, requests.reduce((sum, request) => sum + lengthOf(request), 0));
    checkRoom(action, statuses, all.length * STATUS_BYTES);
    // Each is looked at, so that each goes on.
    if (requests.filter((request) => !request.test()).length > 0) return undefined;
    let byte = 0;
    for (const [index, request] of all.entries()) {
      if (statuses) this.#putStatus(statuses, index, request);
      if (!request) continue;
      const end = byte + lengthOf(request);
      this.#end(request, data && data.subarray(byte, end), null);
      byte = end;
    }
    handles.fill(0);
    if (statuses) wroteBytes(statuses, statuses.length);
    for (const { code } of requests) this.#session.check(code, action);
    return 0;
  }

  #finishAny(
    action: string,
    { handles, all, requests }: Asked,
    { data, status }: { readonly data: Bytes; readonly status: StatusOut },
  ): number | undefined {
    leave(data);
    this.#check(action, requests);
    const longest = Math.max(0, ...requests.map(lengthOf));
    // Of an array whose longest is done there may be more.
    if (data && data.length < longest) checkRoom(action, data, longest);
    if (requests.length === 0) return MPI_UNDEFINED;
    const index = all.findIndex((request) => request?.test());
    if (index < 0) return undefined;
    const request = all[index]!;
    this.#end(request, data, status);
    handles.fill(0, 8 * index, 8 * index + 8);
    this.#session.check(request.code, action);
    return index;
  }

  #check(action: string, requests: readonly MpiRequest[]): void {
    this.#session.running(action);
    if (requests.some(({ isTaken }) => isTaken)) this.#session.fail(MPI_ERR_REQUEST, action);
  }

  /** Gives a request's result away, and ends its handle. */
  #end(request: MpiRequest, data: Bytes, status: StatusOut): void {
    request.isTaken = true;
    this.#heldBytes -= lengthOf(request);
    this.#server.takeBack("Request", request);
    if (request.received && data) {
      // A message may be shorter than there was room for.
      const some = request.received.subarray(
        0,
        request.code === 0 && !request.isWhole ? request.status.count : undefined,
      );
      data.set(some);
      wroteBytes(data, some.length);
    }
    if (status) Object.assign(status, request.status);
  }

  #putStatus(statuses: Uint8Array, index: number, request: MpiRequest | undefined): void {
    const { status, code } = request ?? { status: EMPTY_STATUS, code: 0 };
    const view = new DataView(statuses.buffer, statuses.byteOffset + index * STATUS_BYTES);
    const { source, tag, count } = status;
    const error = this.#session.library.classOf(code);
    for (const [word, value] of [source, tag, error, count].entries()) {
      view.setInt32(4 * word, value, true);
    }
  }
}

type Bytes = Uint8Array | null;

/** What an array of requests names: those that are done are taken out of it. */
interface Asked {
  readonly handles: Uint8Array;
  /** By place; none for `MPI_REQUEST_NULL`. */
  readonly all: readonly (MpiRequest | undefined)[];
  readonly requests: readonly MpiRequest[];
}

/** Nothing has come for it yet. */
function leave(room: Bytes): void {
  if (room) wroteBytes(room, 0);
}

function lengthOf({ received }: MpiRequest): number {
  return received?.length ?? 0;
}

/** A caller that wants the data has room for exactly that. */
function checkRoom(action: string, room: Bytes, dueBytes: number): void {
  if (room === null || room.length === dueBytes) return;
  throw new RangeError(
    `Cannot call mpi.${action} as there must be room for ${dueBytes} bytes: its length is ${room.length}`,
  );
}
