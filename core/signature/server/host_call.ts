import { refusePromise } from "../../memory/sync_result.ts";
import { ErrnoError } from "../declare/errno.ts";
import { fnv1a } from "../declare/fnv1a.ts";
import type { Callback, HandleKind } from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import type { HostReply } from "../wire/reply.ts";
import type { HostObjects } from "../wire/request_decoder.ts";
import { HandleTable } from "./handle_table.ts";

/** Any function on the host. */
export type AnyFunction = (...values: never[]) => unknown;

/** What the functions of a server work with. */
export interface ObjectOptions {
  /** The most bytes that the arguments of one call take, there and back; 16 MiB when absent. */
  readonly limitBytes?: number;
  /** The most handles at once; 65 536 when absent. */
  readonly handlesMax?: number;
  /** Functions that callers may name where one takes a callback. */
  readonly callbacks?: Readonly<Record<string, AnyFunction>>;
}

const LIMIT_BYTES = 1 << 24;
const HANDLES_MAX = 1 << 16;

/** Handles and callbacks behind the functions of one server. */
export class ServedObjects implements HostObjects {
  readonly limitBytes: number;
  readonly handles: HandleTable;
  readonly #callbacks = new Map<number, AnyFunction>();

  /** @throws {RangeError} when two callbacks cannot be told apart by the hash of their names */
  constructor({ limitBytes = LIMIT_BYTES, handlesMax = HANDLES_MAX, callbacks }: ObjectOptions) {
    this.limitBytes = limitBytes;
    this.handles = new HandleTable({ handlesMax });
    for (const [name, work] of Object.entries(callbacks ?? {})) {
      const hash = fnv1a(name);
      if (this.#callbacks.has(hash)) {
        throw new RangeError(
          `Cannot take the callback ${name} as another has its hash: rename one`,
        );
      }
      this.#callbacks.set(hash, work);
    }
  }

  handle({ name, isEnd }: HandleKind, handle: number): unknown {
    const object = this.handles.get(name, handle);
    // Before the call and not after it: one that comes meanwhile would end it a second time.
    if (isEnd) this.handles.end(name, handle);
    return object;
  }

  callback(_kind: Callback, hash: number): unknown {
    const work = this.#callbacks.get(hash);
    if (work) return work;
    throw new RangeError("Cannot take the callback as this server has none of that name");
  }
}

/** One function of a server: how it is called with what callers sent. */
export class HostCall {
  readonly target: ApiFunction;
  readonly objects: ServedObjects;
  readonly #work: (...values: unknown[]) => unknown;

  /** @throws {TypeError} when there is no function */
  constructor(target: ApiFunction, work: unknown, objects: ServedObjects) {
    if (typeof work !== "function") {
      throw new TypeError(`Cannot serve ${target.name} as there is no function: ${String(work)}`);
    }
    this.target = target;
    this.objects = objects;
    this.#work = work as (...values: unknown[]) => unknown;
  }

  /** The function as it is, where all its values are scalars and it fails by throwing only. */
  get direct(): ((...values: unknown[]) => unknown) | undefined {
    const { parameters, result, failsWith } = this.target.signature;
    const isScalar = [...parameters, result].every(({ kind }) => kind === "scalar");
    return isScalar && failsWith === undefined ? this.#work : undefined;
  }

  /** Calls it; what it throws passes through, but for an {@linkcode ErrnoError} that is declared. */
  run(values: readonly unknown[]): HostReply {
    try {
      const result = this.#work(...values);
      refusePromise(result, "a function of serveApi");
      return { result: this.#resultOf(result), errno: 0 };
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** As {@linkcode run}, for a function that may wait. */
  async runAsync(values: readonly unknown[]): Promise<HostReply> {
    try {
      return { result: this.#resultOf(await this.#work(...values)), errno: 0 };
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): HostReply {
    const { failsWith } = this.target.signature;
    if (failsWith === undefined || !(error instanceof ErrnoError)) throw error;
    return { result: failsWith, errno: error.errno };
  }

  #resultOf(result: unknown): unknown {
    const kind = this.target.signature.result;
    if (kind.kind === "handle") return this.objects.handles.add(kind.name, result);
    if (kind.kind !== "nullable" || kind.of.kind !== "handle" || result === null) return result;
    return this.objects.handles.add(kind.of.name, result);
  }
}
