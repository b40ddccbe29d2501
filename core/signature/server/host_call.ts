import { refusePromise } from "../../memory/sync_result.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import { ErrnoError } from "../declare/errno.ts";
import {
  type HandleKind,
  innerKind,
  isEndedBy,
  type Parameter,
  type Struct,
} from "../declare/kind.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { requestLimitBytes } from "../wire/argument_kinds.ts";
import type { HostReply } from "../wire/reply.ts";
import { shown } from "../wire/slot.ts";
import type { ServedObjects } from "./served_objects.ts";
import { giveHandles, handleStruct, type MadeHandle, noHandles } from "./struct_handles.ts";

/** What a call that is not done yet answers when it is, on its packet or port. */
export type Later<T> = Pending<(target: T) => void>;

/** One function of a server: how it is called with what callers sent. */
export class HostCall {
  readonly target: ApiFunction;
  readonly objects: ServedObjects;
  /** How long a request of it may be. */
  readonly limits: { readonly limitBytes: number };
  readonly #work: (...values: unknown[]) => unknown;
  /** Structs that the function puts objects into, by parameter. */
  readonly #outStructs: readonly { readonly index: number; readonly struct: Struct }[];
  readonly #resultStruct: Struct | undefined;
  /** Whether it ends handles. */
  readonly #isEnding: boolean;

  /** @throws {TypeError} when there is no function */
  constructor(target: ApiFunction, work: unknown, objects: ServedObjects) {
    if (typeof work !== "function") {
      throw new TypeError(`Cannot serve ${target.name} as there is no function: ${shown(work)}`);
    }
    this.target = target;
    this.objects = objects;
    this.limits = { limitBytes: requestLimitBytes(target.signature, objects.limitBytes) };
    this.#work = work as (...values: unknown[]) => unknown;
    this.#isEnding = target.signature.parameters.some((parameter) => {
      const kind = innerKind(parameter);
      return kind.kind === "handle" && kind.isEnd;
    });
    this.#resultStruct = handleStruct(target.signature.result);
    this.#outStructs = target.signature.parameters.flatMap((parameter, index) => {
      const struct = givesBack(parameter) ? handleStruct(parameter) : undefined;
      return struct ? [{ index, struct }] : [];
    });
  }

  /** The function as it is, where all its values are scalars and it fails by throwing only. */
  get direct(): ((...values: unknown[]) => unknown) | undefined {
    const { parameters, result, failsWith } = this.target.signature;
    const isScalar = [...parameters, result].every(({ kind }) => kind === "scalar");
    return isScalar && failsWith === undefined ? this.#work : undefined;
  }

  /** Calls it; what it throws passes through, but for an {@linkcode ErrnoError} that is declared. */
  run(values: unknown[]): HostReply | Pending<HostReply> {
    try {
      const work = this.#work; // called as a function: `this` would be this object
      const result = work(...values);
      if (result instanceof Pending) return this.later(result, values);
      refusePromise(result, "a function of serveApi");
      return this.#returned(result, values);
    } catch (error) {
      return this.#failed(error, values);
    }
  }

  /** The reply of a function that is not done yet. */
  later(pending: Pending, values: unknown[] = []): Pending<HostReply> {
    return new Pending<HostReply>({
      poll: () => {
        try {
          const result = pending.poll();
          return result === undefined ? undefined : this.#returned(result, values);
        } catch (error) {
          return this.#failed(error, values);
        }
      },
      cancel: (reason) => {
        if (this.#isEnding) this.objects.settle(values, () => true);
        pending.cancel(reason);
      },
    });
  }

  /** As {@linkcode run}, for a function that may wait. */
  async runAsync(values: unknown[]): Promise<HostReply> {
    try {
      const work = this.#work;
      return this.#returned(await work(...values), values);
    } catch (error) {
      return this.#failed(error, values);
    }
  }

  /**
   * Does the work of a call by one or several lanes, whose replies go into `made`: when it fails, now or
   * later, the handles in them are forgotten, as nobody learns of them.
   */
  keeping<T>(work: (made: HostReply[]) => Later<T> | void): Later<T> | void {
    const made: HostReply[] = [];
    const orForget = <R>(work: () => R): R => {
      try {
        return work();
      } catch (error) {
        this.#forget(made);
        throw error;
      }
    };
    const later = orForget(() => work(made));
    return later && new Pending<(target: T) => void>({
      poll: () => {
        const answer = orForget(() => later.poll());
        return answer && ((target) => orForget(() => answer(target)));
      },
      cancel: (reason) => {
        this.#forget(made);
        later.cancel(reason);
      },
    });
  }

  /** Of what its calls make handles; where of nothing, {@linkcode keeping} has nothing to do. */
  get handleName(): string | undefined {
    const { result } = this.target.signature;
    const kind = innerKind(result);
    return kind.kind === "handle" ? kind.name : undefined;
  }

  /** As {@linkcode keeping}, for work that may wait. */
  async keepingAsync(work: (made: HostReply[]) => Promise<void>): Promise<void> {
    const made: HostReply[] = [];
    try {
      await work(made);
    } catch (error) {
      this.#forget(made);
      throw error;
    }
  }

  #forget(replies: readonly HostReply[]): void {
    const name = this.handleName;
    for (const { result: handle, errno, made = [] } of replies) {
      this.#end(made);
      if (name === undefined || errno !== 0 || handle === null) continue;
      this.objects.handles.forget(name, handle as number);
    }
  }

  #end(made: readonly MadeHandle[]): void {
    for (const { name, handle } of made) this.objects.handles.forget(name, handle);
  }

  #failed(error: unknown, values: unknown[]): HostReply {
    const { failsWith } = this.target.signature;
    const isDeclared = failsWith !== undefined && error instanceof ErrnoError;
    if (this.#isEnding) {
      const isEnded = (kind: HandleKind) => !isDeclared || isEndedBy(kind, failsWith);
      this.objects.settle(values, isBeforeCall(error) ? () => false : isEnded);
    }
    if (!isDeclared) throw error;
    for (const { index, struct } of this.#outStructs) {
      if (values[index] !== null) values[index] = noHandles(struct, values[index]);
    }
    return { result: failsWith, errno: error.errno };
  }

  /** What comes of a result, by which handles have ended or not. */
  #returned(result: unknown, values: unknown[]): HostReply {
    if (this.#isEnding) this.objects.settle(values, (kind) => isEndedBy(kind, result));
    return this.#replyOf(result, values);
  }

  /** With handles in place of the objects in the structs that go back, too. */
  #replyOf(result: unknown, values: unknown[]): HostReply {
    const inResult = this.#resultStruct;
    if (this.#outStructs.length === 0 && !inResult) {
      return { result: this.#resultOf(result), errno: 0 };
    }
    const made: MadeHandle[] = [];
    const give = (struct: Struct, value: unknown) =>
      giveHandles(this.objects.handles, { struct, value }, made);
    try {
      for (const { index, struct } of this.#outStructs) {
        if (values[index] !== null) values[index] = give(struct, values[index]);
      }
      const back = inResult ? give(inResult, result) : this.#resultOf(result);
      return { result: back, errno: 0, made };
    } catch (error) {
      this.#end(made);
      throw error;
    }
  }

  #resultOf(result: unknown): unknown {
    const { result: declared } = this.target.signature;
    const kind = innerKind(declared);
    if (kind.kind !== "handle" || (declared !== kind && result === null)) return result;
    if (result !== null && result !== undefined) return this.objects.handles.add(kind.name, result);
    throw new TypeError(
      `Cannot answer ${this.target.name} as its function must return a ${kind.name}: current value is ${result}`,
    );
  }
}

/** Errors that were thrown before a function did anything: a call with one ends no handle. */
const beforeCall = new WeakSet<object>();

/** Does what stands before a function: what it throws says that the function did nothing. */
export function doBefore<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (Object(error) === error) beforeCall.add(error as object);
    throw error;
  }
}

function isBeforeCall(error: unknown): boolean {
  return beforeCall.has(Object(error));
}

function givesBack(parameter: Parameter): boolean {
  const kind = innerKind(parameter);
  return kind.kind === "reference" && kind.direction !== "in";
}
