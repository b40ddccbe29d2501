import { MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL } from "./mpi_api.ts";
import type { MpiLibrary, MpiStatus } from "./mpi_library.ts";

/** What a request does. */
export type RequestKind = "send" | "receive" | "collective";

/** A request of the library's that was begun, with the memory that it works on. */
export interface BegunRequest {
  readonly kind: RequestKind;
  /** The library's handle, in 8 bytes. */
  readonly place: Uint8Array<ArrayBuffer>;
  /** What it reads or writes: kept as long as the request goes on, so that nothing else gets that memory. */
  readonly buffers: readonly unknown[];
  /** What a receive writes. */
  readonly received?: Uint8Array;
  /** Whether nobody sends: MPICH leaves the status alone then. */
  readonly isFromNobody?: boolean;
  /** Called when it is done. */
  readonly onDone: (request: MpiRequest) => void;
}

/** Of a request that has none. */
export const EMPTY_STATUS: MpiStatus = {
  source: MPI_ANY_SOURCE,
  tag: MPI_ANY_TAG,
  error: 0,
  count: 0,
};

/** Something that MPI does meanwhile. */
export class MpiRequest {
  readonly kind: RequestKind;
  /** What a receive that does not wait has got, for whoever waits for it. */
  readonly received: Uint8Array | undefined;
  /** What is known of the message that was received, afterwards. */
  status = EMPTY_STATUS;
  /** What the library returned at the end. */
  code = 0;
  /** Whether somebody has had the result: it means nothing any more. */
  isTaken = false;
  readonly #library: MpiLibrary;
  #begun: BegunRequest | undefined;

  constructor(library: MpiLibrary, begun: BegunRequest) {
    this.kind = begun.kind;
    this.received = begun.received;
    this.#library = library;
    this.#begun = begun;
  }

  /** Looks once whether it is done. */
  test(): boolean {
    const { symbols, number, status } = this.#library;
    if (!this.#begun) return true;
    this.code = symbols.MPI_Test(this.#begun.place, number, status);
    if (this.code === 0 && number[0] === 0) return false;
    const { isFromNobody = false, onDone } = this.#begun;
    this.#begun = undefined;
    onDone(this);
    if (isFromNobody) this.status = { ...EMPTY_STATUS, source: MPI_PROC_NULL };
    else if (this.code === 0 && this.kind === "receive") this.status = this.#library.readStatus();
    return true;
  }

  /** Leaves a transfer to the library, at its end. */
  free(): void {
    if (!this.#begun || this.kind === "collective") return;
    this.#library.symbols.MPI_Request_free(this.#begun.place);
    // Its buffers stay: the library may still write to them.
  }
}
