import { Pending, type PendingSteps } from "../../../toggle/pending/pending.ts";
import { type ApiServer, ErrnoError } from "../../../signature/mod.ts";
import {
  MPI_ANY_SOURCE,
  MPI_ANY_TAG,
  MPI_ERR_COMM,
  MPI_ERR_PENDING,
  MPI_ERR_TYPE,
  MPI_PROC_NULL,
  mpiMeaning,
} from "./mpi_api.ts";
import {
  checkName,
  type MpiAction,
  type MpiLibrary,
  type MpiStatus,
  type MpiSymbols,
  type MpiValue,
  type NamedKind,
} from "./mpi_library.ts";

/** How far MPI is in this process: it can be started and ended once. */
type State = "not been started: call Init_thread" | "running" | "been ended by Finalize";

/** The highest of the levels; the lowest is 0. The same in both libraries. */
const MPI_THREAD_MULTIPLE = 3;

/**
 * MPI in this process, touched by the thread of one server only. Whatever would wait is begun, and polled
 * until it is done: what waits for one caller holds up no other.
 */
export class MpiSession {
  readonly library: MpiLibrary;
  #state: State = "not been started: call Init_thread";
  readonly #named = new Map<string, unknown>();
  /** The library's words for the last error of each class. */
  readonly #texts = new Map<number, string>();
  /**
   * Requests that are not done, whoever knows of them: the library works on their memory, which must not
   * be given to others meanwhile.
   */
  readonly #underWay = new Set<MpiRequest>();
  /** Those that nobody wants any more. */
  readonly #abandoned = new Set<MpiRequest>();
  /** Calls that wait. */
  #waitCount = 0;

  constructor(library: MpiLibrary) {
    this.library = library;
  }

  /**
   * The library, while MPI runs.
   *
   * @throws {TypeError} when it does not: MPI itself would end the process
   */
  running(action: string): MpiLibrary {
    if (this.#state === "running") return this.library;
    throw new TypeError(`Cannot call mpi.${action} as MPI has ${this.#state}`);
  }

  /**
   * Starts MPI; returns what it says about threads.
   *
   * @throws {TypeError} when this process has started it before, by this server or another
   * @throws {RangeError} when what is required is none of the four levels: Open MPI would end the process
   */
  start(required: number): number {
    const { symbols, number } = this.library;
    if (required < 0 || required > MPI_THREAD_MULTIPLE) {
      throw new RangeError(
        `Cannot call mpi.Init_thread as its level must be 0 to ${MPI_THREAD_MULTIPLE}: current value is ${required}`,
      );
    }
    symbols.MPI_Initialized(number);
    if (number[0] !== 0) {
      throw new TypeError("Cannot call mpi.Init_thread as this process has started MPI before");
    }
    this.check(symbols.MPI_Init_thread(null, null, required, number), "Init_thread");
    const provided = number[0]!;
    const returning = this.library.handle("MPI_ERRORS_RETURN");
    for (const name of ["MPI_COMM_WORLD", "MPI_COMM_SELF"]) {
      // Else the first error would end the process, and the others with it.
      const code = symbols.MPI_Comm_set_errhandler(this.library.handle(name), returning);
      this.check(code, "Init_thread");
    }
    this.#state = "running";
    return provided;
  }

  /**
   * Ends MPI; requests that nobody wants are left to it.
   *
   * @param isFirst whether a call that waits may be one that its caller has left: not yet, then
   * @throws {ErrnoError} when a call waits: what it waits for would be gone
   */
  finish(isFirst: boolean): number | undefined {
    if (this.#waitCount > 0) {
      return isFirst ? undefined : this.fail(MPI_ERR_PENDING, "Finalize");
    }
    for (const request of this.#abandoned) request.free();
    this.call("Finalize", []);
    this.#state = "been ended by Finalize";
    return 0;
  }

  /**
   * Calls a function of the library's, while MPI runs; returns the number that it wrote, if it was given
   * the place for one.
   *
   * @param action what the caller has called, when absent the function
   * @throws {ErrnoError} when it fails
   */
  call<Name extends MpiAction>(
    name: Name,
    values: Parameters<MpiSymbols[`MPI_${Name}`]>,
    action: string = name,
  ): number {
    const { symbols, number } = this.running(action);
    const work = symbols[`MPI_${name}`] as (...values: readonly unknown[]) => number;
    this.check(work(...values), action);
    return number[0]!;
  }

  /** @throws {ErrnoError} with the class of the code, unless that is success */
  check(code: number, action: string): void {
    if (code === 0) return;
    const errorClass = this.library.classOf(code);
    this.#texts.set(errorClass, this.library.textOf(code));
    this.fail(errorClass, action);
  }

  /** @throws {ErrnoError} */
  fail(errorClass: number, action: string): never {
    throw new ErrnoError(errorClass, `call mpi.${action}`, mpiMeaning(errorClass));
  }

  /** What the library said of the last error of a class; else what the class means. */
  textOf(errorClass: number): string {
    return this.#texts.get(errorClass) ?? mpiMeaning(errorClass).text;
  }

  /** What has a name: always the same object, so that callers share its handle. */
  named(kind: NamedKind, name: string): unknown {
    checkName(kind, name);
    const library = this.running(kind);
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const value = library.handle(name);
    const made = kind === "Datatype" ? this.datatype(value, name) : { value };
    this.#named.set(name, made);
    return made;
  }

  /**
   * Frees what callers made, and ends its handles once the library has. What has a name is everybody's.
   *
   * @throws {ErrnoError} when it has a name, or the library refuses: then its handles stay
   */
  free(kind: "Comm" | "Datatype", made: MpiComm, server: ApiServer): number {
    const [action, refusal] = kind === "Comm"
      ? ["Comm_free", MPI_ERR_COMM] as const
      : ["Type_free", MPI_ERR_TYPE] as const;
    this.running(action);
    if ([...this.#named.values()].includes(made)) this.fail(refusal, action);
    this.call(action, [this.library.place(made.value)]);
    server.takeBack(kind, made);
    return 0;
  }

  /** A datatype of the library's. */
  datatype(value: MpiValue, name: string): MpiDatatype {
    const extentBytes = this.#extentOf(value);
    return { value, name, extentBytes, hasGaps: this.sizeOfType(value, name) !== extentBytes };
  }

  /** How many bytes of data an element has. */
  sizeOfType(datatype: MpiValue, action: string): number {
    return this.call("Type_size", [datatype, this.library.number], action);
  }

  #extentOf(datatype: MpiValue): number {
    const places = new BigInt64Array(2);
    const [lower, extent] = [places.subarray(0, 1), places.subarray(1)].map(bytesOf);
    this.call("Type_get_extent", [datatype, lower!, extent!]);
    return Number(places[1]);
  }

  sizeOf({ value }: MpiComm, action: string): number {
    return this.call("Comm_size", [value, this.library.number], action);
  }

  /** This process's place in a communicator. */
  rankOf({ value }: MpiComm, action: string): number {
    return this.call("Comm_rank", [value, this.library.number], action);
  }

  /**
   * Begins what the library does meanwhile.
   *
   * @param start gives the library a place for its handle, and returns the library's code
   */
  begin(
    action: string,
    begun: Omit<BegunRequest, "place" | "onDone">,
    start: (place: Uint8Array) => number,
  ): MpiRequest {
    this.#lookAfter();
    const place = new Uint8Array(8);
    this.check(start(place), action);
    const onDone = (request: MpiRequest) => this.#underWay.delete(request);
    const request = new MpiRequest(this.library, { ...begun, place, onDone });
    this.#underWay.add(request);
    return request;
  }

  /**
   * The result when a request is done: at once, if it is. A failure of the request is thrown.
   *
   * @param begin asked for the request until there is one
   * @param use asked for the result until there is one
   */
  wait<T>(
    action: string,
    begin: () => MpiRequest | undefined,
    use: (request: MpiRequest) => T | undefined,
  ): T | Pending<T> {
    let request: MpiRequest | undefined;
    const poll = () => {
      request ??= begin();
      if (!request?.test()) return undefined;
      this.check(request.code, action);
      return use(request);
    };
    return this.waitFor({ poll, cancel: () => request && this.#abandon(request) });
  }

  /** The result of something that is looked at again and again: at once, if it is there. */
  waitFor<T>({ poll, cancel }: PendingSteps<T>): T | Pending<T> {
    const first = poll();
    if (first !== undefined) return first;
    this.#waitCount++;
    return new Pending<T>({
      poll: () => {
        this.#waitCount--; // for the end of this one, by a result or by an error
        const result = poll();
        if (result === undefined) this.#waitCount++;
        return result;
      },
      cancel: (reason) => {
        this.#waitCount--;
        cancel?.(reason);
      },
    });
  }

  /** Lets go on what nobody waits for: others take part in it. */
  #abandon(request: MpiRequest): void {
    if (!request.test()) this.#abandoned.add(request);
  }

  #lookAfter(): void {
    for (const request of this.#abandoned) if (request.test()) this.#abandoned.delete(request);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

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
  /** Whether the data do not lie at its beginning, one behind the other. */
  readonly hasGaps?: boolean;
  /** Whether nobody sends: MPICH leaves the status alone then. */
  readonly isFromNobody?: boolean;
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
  /** Whether all of that is the message, whatever its length. */
  readonly isWhole: boolean;
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
    this.isWhole = begun.hasGaps ?? false;
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

export interface MpiComm {
  readonly value: MpiValue;
}

/** What elements of a message are. */
export interface MpiDatatype extends MpiComm {
  readonly name: string;
  /** From one element to the next, in memory. */
  readonly extentBytes: number;
  /** Whether there are bytes between data that no message has. */
  readonly hasGaps: boolean;
}

/** Elements of a message: a buffer, and what the caller says about it. */
export interface MpiBuffer {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly datatype: MpiDatatype;
  /** How many times so many elements; 1 when absent. */
  readonly times?: number;
}

/**
 * Checks that a buffer is as long as its count and datatype say.
 *
 * @throws {RangeError} when it is not: the library would go beyond it
 */
export function checkBuffer(
  action: string,
  { bytes, count, datatype, times = 1 }: MpiBuffer,
): void {
  const { name, extentBytes } = datatype;
  if (count >= 0 && bytes.length === count * extentBytes * times) return;
  const due = times === 1 ? "" : `${times} times `;
  throw new RangeError(
    `Cannot call mpi.${action} as a buffer must have ${due}${count} of ${name}, ${extentBytes} bytes each: its length is ${bytes.length}`,
  );
}
