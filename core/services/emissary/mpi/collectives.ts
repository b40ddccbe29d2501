import { wroteBytes } from "../../../signature/mod.ts";
import type { MpiFunctions } from "./mpi_api.ts";
import { checkBuffer, type MpiComm, type MpiDatatype, type MpiSession } from "./mpi_session.ts";

/** A buffer, where there is one. */
type Bytes = Uint8Array | null;

/** A buffer of a collective: where it, its number of elements and their datatype stand among the parameters. */
interface Side {
  readonly bytes: number;
  /** Absent where each process has another number: then these and the places stand behind the buffer. */
  readonly count?: number;
  readonly type: number;
  /** Whether it has so many elements of each process. */
  readonly isOfEach?: boolean;
  /** Whether only the root has it. */
  readonly isRooted?: boolean;
  /** Where it may be in the other buffer. */
  readonly inPlace?: "all" | "root";
}

type More = Omit<Side, "bytes" | "count" | "type">;

/** A buffer of so many elements; its count and its datatype stand behind it, or where else that is. */
function own(bytes: number, more: More & { readonly count?: number } = {}): Side {
  const { count = bytes + 1 } = more;
  return { ...more, bytes, count, type: count + 1 };
}

/** A buffer with other elements for each process: counts, places and the datatype stand behind it. */
function parts(bytes: number, more: More = {}): Side {
  return { ...more, bytes, type: bytes + 3 };
}

const ALL = { inPlace: "all" } as const;
const ROOT = { inPlace: "root" } as const;
const ROOTED = { isRooted: true } as const;
const EACH = { isOfEach: true } as const;
const REDUCED = [own(0, { ...ALL, count: 2 }), own(1)];

/** What all processes of a communicator do together, one call of each: the buffers of each. */
const COLLECTIVES = {
  Barrier: [],
  Bcast: [own(0)],
  Reduce: [own(0, { ...ROOT, count: 2 }), own(1, ROOTED)],
  Allreduce: REDUCED,
  Scan: REDUCED,
  Gather: [own(0, ROOT), own(3, { ...ROOTED, ...EACH })],
  Scatter: [own(0, { ...ROOTED, ...EACH }), own(3, ROOT)],
  Allgather: [own(0, ALL), own(3, EACH)],
  Alltoall: [own(0, { ...ALL, ...EACH }), own(3, EACH)],
  Gatherv: [own(0, ROOT), parts(3, ROOTED)],
  Scatterv: [parts(0, ROOTED), own(4, ROOT)],
  Allgatherv: [own(0, ALL), parts(3)],
  Alltoallv: [parts(0, ALL), parts(4)],
} as const satisfies Partial<Record<keyof MpiFunctions, readonly Side[]>>;

type Action = keyof typeof COLLECTIVES;
type Symbol = (...values: readonly unknown[]) => number;

/** Each begins what the library does meanwhile, and waits until it is done. */
export function collectiveFunctions(session: MpiSession): Pick<MpiFunctions, Action> {
  const functions = Object.entries(COLLECTIVES).map(([action, sides]) => {
    const name = `MPI_I${action.toLowerCase()}` as "MPI_Ibarrier";
    return [action, (...values: unknown[]) => {
      const symbol = session.running(action).symbols[name] as Symbol;
      const call = new Call(session, action, values);
      const given = values.map((value) => isOfLibrary(value) ? value.value : value);
      for (const side of sides) call.place(side, given);
      const buffers = values.filter((value) => value instanceof Uint8Array);
      const start = (place: Uint8Array) => symbol(...given, place);
      const begin = () => session.begin(action, { kind: "collective", buffers }, start);
      return session.wait(action, begin, () => 0);
    }];
  });
  return Object.fromEntries(functions);
}

function isOfLibrary(value: unknown): value is MpiComm {
  return typeof value === "object" && value !== null && "value" in value;
}

/** One call of a collective: the communicator is the last of its arguments, the root the one in front. */
class Call {
  readonly #session: MpiSession;
  readonly #action: string;
  readonly #values: readonly unknown[];

  constructor(session: MpiSession, action: string, values: readonly unknown[]) {
    this.#session = session;
    this.#action = action;
    this.#values = values;
  }

  get #comm(): MpiComm {
    return this.#values.at(-1) as MpiComm;
  }

  get #isRoot(): boolean {
    return this.#session.rankOf(this.#comm, this.#action) === this.#values.at(-2);
  }

  get #size(): number {
    return this.#session.sizeOf(this.#comm, this.#action);
  }

  /**
   * Checks a buffer, and puts it among what the library is given: "in place" where it is the other, and not
   * there where only the root has it, whose caller's stays as it is.
   */
  place(side: Side, given: unknown[]): void {
    const { library } = this.#session;
    const bytes = this.#values[side.bytes] as Bytes;
    const counts = side.count === undefined ? [side.bytes + 1, side.bytes + 2] : [];
    if (side.isRooted && !this.#isRoot) {
      if (bytes) wroteBytes(bytes, 0);
      for (const index of [side.bytes, ...counts]) given[index] = null;
      return;
    }
    const mayBe = side.inPlace === "all" || side.inPlace === "root" && this.#isRoot;
    if (bytes === null && mayBe) {
      given[side.bytes] = library.placeOf("in place");
      for (const index of counts) given[index] = null;
      return;
    }
    const datatype = this.#values[side.type] as MpiDatatype;
    if (side.count === undefined) this.#checkParts(side.bytes, datatype);
    else {
      const count = this.#values[side.count] as number;
      const times = side.isOfEach ? { times: this.#size } : {};
      checkBuffer(this.#action, { bytes: bytes ?? new Uint8Array(), count, datatype, ...times });
    }
    given[side.bytes] = library.placeOf(bytes ?? new Uint8Array());
  }

  /**
   * Checks that the elements of all processes lie within a buffer.
   *
   * @throws {RangeError} when some do not: the library would go beyond it
   */
  #checkParts(index: number, { name, extentBytes }: MpiDatatype): void {
    const [bytes, counts, places] = this.#values.slice(index, index + 3) as Bytes[];
    const [all, firsts] = [counts!, places!].map((numbers) => this.#numbers(numbers));
    const room = bytes?.length ?? 0;
    for (const [rank, count] of all!.entries()) {
      const [first, end] = [firsts![rank]! * extentBytes, (firsts![rank]! + count) * extentBytes];
      if (count === 0 || count > 0 && first >= 0 && end <= room) continue;
      throw new RangeError(
        `Cannot call mpi.${this.#action} as the ${count} of ${name} of process ${rank} must be within the buffer: from byte ${first} to ${end} of ${room}`,
      );
    }
  }

  #numbers(bytes: Bytes): Int32Array {
    if (bytes?.length === 4 * this.#size) return new Int32Array(bytes.slice().buffer);
    throw new RangeError(
      `Cannot call mpi.${this.#action} as there must be a number of 4 bytes for each of ${this.#size} processes: their length is ${
        bytes?.length ?? 0
      }`,
    );
  }
}
