import { type ApiServer, wroteBytes } from "../../../signature/mod.ts";
import { MPI_UNDEFINED, type MpiFunctions, requestHandles, STATUS_BYTES } from "./mpi_api.ts";
import type { MpiComm, MpiDatatype } from "./mpi_buffer.ts";
import { MPI_ERR_REQUEST } from "./mpi_error.ts";
import { EMPTY_STATUS, type MpiRequest } from "./mpi_request.ts";
import type { MpiSession } from "./mpi_session.ts";
import { beginReceive, beginSend, type StatusOut } from "./transfers.ts";

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

  /** Memory for a receive. */
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

  /** The functions of requests. */
  get functions(): Pick<
    MpiFunctions,
    "Isend" | "Irecv" | "Test" | "Wait" | "Testall" | "Waitall" | "Testany" | "Waitany"
  > {
    return {
      Isend: (
        bytes: Uint8Array,
        count: number,
        datatype: MpiDatatype,
        rank: number,
        tag: number,
        comm: MpiComm,
      ) => beginSend(this.#session, "Isend", { bytes, count, datatype, rank, tag, comm }),
      Irecv: (count: number, datatype: MpiDatatype, rank: number, tag: number, comm: MpiComm) => {
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
      Test: (request: MpiRequest, data: Uint8Array | null, status: StatusOut) =>
        this.#finishOne("Test", request, { data, status }) === undefined ? 0 : 1,
      Wait: (request: MpiRequest, data: Uint8Array | null, status: StatusOut) =>
        this.#session.waitFor({
          poll: () => this.#finishOne("Wait", request, { data, status }),
        }),
      Testall: (_: number, handles: Uint8Array, data: Bytes, statuses: Bytes) =>
        this.#finishAll("Testall", this.#asked(handles), { data, statuses }) === undefined ? 0 : 1,
      Waitall: (_: number, handles: Uint8Array, data: Bytes, statuses: Bytes) => {
        const asked = this.#asked(handles);
        return this.#session.waitFor({
          poll: () => this.#finishAll("Waitall", asked, { data, statuses }),
        });
      },
      Testany: (_: number, handles: Uint8Array, data: Bytes, status: StatusOut) =>
        this.#finishAny("Testany", this.#asked(handles), { data, status }) ?? MPI_UNDEFINED,
      Waitany: (_: number, handles: Uint8Array, data: Bytes, status: StatusOut) => {
        const asked = this.#asked(handles);
        return this.#session.waitFor({
          poll: () => this.#finishAny("Waitany", asked, { data, status }),
        });
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
        request.code === 0 ? request.status.count : undefined,
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
