import { Pending, type PendingSteps } from "../../../toggle/pending/pending.ts";
import { ErrnoError } from "../../../signature/mod.ts";
import { MPI_ERR_PENDING, mpiMeaning } from "./mpi_error.ts";
import type { MpiLibrary, MpiValue } from "./mpi_library.ts";
import type { MpiComm } from "./mpi_buffer.ts";
import { checkName, type NamedKind } from "./mpi_names.ts";
import { type BegunRequest, MpiRequest } from "./mpi_request.ts";

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
    this.check(this.library.symbols.MPI_Finalize(), "Finalize");
    this.#state = "been ended by Finalize";
    return 0;
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
    const made = kind === "Datatype"
      ? { value, name, extentBytes: this.#extentOf(value) }
      : { value };
    this.#named.set(name, made);
    return made;
  }

  #extentOf(datatype: MpiValue): number {
    const places = new BigInt64Array(2);
    const [lower, extent] = [places.subarray(0, 1), places.subarray(1)].map(bytesOf);
    this.check(
      this.library.symbols.MPI_Type_get_extent(datatype, lower!, extent!),
      "Type_get_extent",
    );
    return Number(places[1]);
  }

  /** How many processes a communicator has. */
  sizeOf({ value }: MpiComm, action: string): number {
    const { symbols, number } = this.running(action);
    this.check(symbols.MPI_Comm_size(value, number), action);
    return number[0]!;
  }

  /** This process's place in a communicator. */
  rankOf({ value }: MpiComm, action: string): number {
    const { symbols, number } = this.running(action);
    this.check(symbols.MPI_Comm_rank(value, number), action);
    return number[0]!;
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
