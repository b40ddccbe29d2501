import { limitOf } from "../../call/limit.ts";
import { checkService } from "../../memory/sync_result.ts";
import { fnv1a } from "../declare/fnv1a.ts";
import { type HandleKind, innerKind, type Parameter } from "../declare/kind.ts";
import type { HostObjects } from "../wire/request_decoder.ts";
import type { CallerHeap } from "../wire/heap_request.ts";
import { HandleTable, type HeldHandle } from "./handle_table.ts";
import { handleStruct, takeHandles } from "./struct_handles.ts";

/** Any function on the host. */
export type AnyFunction = (...values: never[]) => unknown;

/** What the functions of a server work with. */
export interface ObjectOptions {
  /** The most bytes that the arguments of one call take, there and back; a mebibyte when absent. */
  readonly limitBytes?: number;
  /** The most handles at once; 65 536 when absent. */
  readonly handlesMax?: number;
  /** Functions that callers may name where one takes a callback. */
  readonly callbacks?: Readonly<Record<string, AnyFunction>>;
  /**
   * Where the callers' texts, arrays and structs lie, when they are the waves of a kernel: its
   * `Kernel` has it. Calls come by packets only then.
   */
  readonly heap?: CallerHeap;
}

const HANDLES_MAX = 1 << 16;

/** Handles and callbacks behind the functions of one server. */
export class ServedObjects implements HostObjects {
  readonly limitBytes: number;
  readonly handles: HandleTable;
  readonly heap: CallerHeap | undefined;
  /** Where the call came from whose function runs. */
  portIndex = 0;
  readonly #callbacks = new Map<number, AnyFunction>();
  /** What calls hold that end handles, by the values that their functions got. */
  readonly #held = new WeakMap<
    readonly unknown[],
    readonly { readonly kind: HandleKind; readonly handle: HeldHandle }[]
  >();

  /** @throws {RangeError} when a limit is none, or two callbacks have one hash of their names */
  constructor(options: ObjectOptions) {
    const { handlesMax = HANDLES_MAX, callbacks, heap } = options;
    this.heap = heap;
    this.limitBytes = limitOf(options);
    this.handles = new HandleTable({ handlesMax });
    for (const [name, work] of Object.entries(callbacks ?? {})) {
      checkService(`the callback ${name}`, work);
      const hash = fnv1a(name);
      if (this.#callbacks.has(hash)) {
        throw new RangeError(
          `Cannot take the callback ${name} as another has its hash: rename one`,
        );
      }
      this.#callbacks.set(hash, work);
    }
  }

  resolve(parameters: readonly Parameter[], values: unknown[]): void {
    let ended: Map<number, HandleKind> | undefined;
    for (let index = 0; index < parameters.length; index++) {
      const parameter = parameters[index]!;
      const kind = innerKind(parameter);
      const value = values[index] as number | null;
      if (value === null) continue;
      if (kind.kind === "callback") values[index] = this.#callback(value);
      if (kind.kind === "struct" || (kind.kind === "reference" && kind.direction !== "out")) {
        const struct = handleStruct(kind);
        if (struct) values[index] = takeHandles(this.handles, struct, values[index]);
      }
      if (kind.kind !== "handle") continue;
      values[index] = this.handles.get(kind.name, value);
      if (!kind.isEnd) continue;
      if (ended?.has(value)) throw new RangeError(`Cannot end the handle of a ${kind.name} twice`);
      (ended ??= new Map()).set(value, kind);
    }
    if (!ended) return;
    // Before the call and not after it: one that comes meanwhile would end it a second time.
    const held = Array.from(ended, ([handle, kind]) => ({
      kind,
      handle: this.handles.hold(kind.name, handle, kind.gives !== undefined),
    }));
    this.#held.set(values, held);
  }

  /** Ends the handles that a call held, or gives back those of which this is to be said. */
  settle(values: readonly unknown[], isEnded: (kind: HandleKind) => boolean): void {
    for (const { kind, handle } of this.#held.get(values) ?? []) {
      this.handles.settle(handle, isEnded(kind));
    }
    this.#held.delete(values);
  }

  #callback(hash: number): AnyFunction {
    const work = this.#callbacks.get(hash);
    if (work) return work;
    throw new RangeError("Cannot take the callback as this server has none of that name");
  }
}
