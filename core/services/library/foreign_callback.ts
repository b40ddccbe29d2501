import { refusePromise } from "../../memory/sync_result.ts";
import type { AnyFunction, Callback } from "../../signature/mod.ts";
import { ByteSlots } from "../../signature/wire/byte_slots.ts";
import { shown, SLOT_BYTES, SLOT_CODECS } from "../../signature/wire/slot.ts";
import { callbackDefinition } from "./foreign_types.ts";

/** One for each function and form, for good: a library may keep the pointer. */
const callbacks = new WeakMap<AnyFunction, Map<string, Deno.UnsafeCallback>>();

/** How C calls a function of the host. */
export function callbackPointer(kind: Callback, work: AnyFunction): Deno.PointerObject {
  const definition = callbackDefinition(kind);
  const form = JSON.stringify(definition);
  const known = callbacks.get(work) ?? new Map<string, Deno.UnsafeCallback>();
  callbacks.set(work, known);
  const callback = known.get(form) ??
    new Deno.UnsafeCallback(definition, guarded(kind, work) as never);
  known.set(form, callback);
  return callback.pointer;
}

/** How many calls of libraries run on this thread, one inside of a callback of another. */
let depth = 0;
/** What was thrown first in the innermost of them. */
let failure: { readonly work: AnyFunction; readonly error: unknown } | undefined;

/**
 * Calls a function of a library, whose callbacks may throw: C goes on with zeros from there, and what the
 * first of them threw is thrown when the function has returned.
 *
 * @param name of the function, for the message
 * @throws {Error} when a callback threw, with what it threw as the cause
 */
export function callSymbol(
  name: string,
  symbol: (...values: unknown[]) => unknown,
  values: readonly unknown[],
): unknown {
  depth++;
  try {
    return symbol(...values);
  } finally {
    depth--;
    if (failure) throwFailure(name, failure);
  }
}

function throwFailure(name: string, { work, error }: NonNullable<typeof failure>): never {
  failure = undefined;
  const { message = error } = (error ?? {}) as Partial<Error>;
  throw new Error(`Cannot answer ${name} as its callback ${work.name} threw: ${message}`, {
    cause: error,
  });
}

/**
 * A callback that never throws into C, where the error would be lost, and gives only what Deno can hand
 * to C: at anything else it ends the process. Outside of a call, as from another thread, nobody could be
 * told, and the function is not run.
 */
function guarded({ result }: Callback, work: AnyFunction): AnyFunction {
  const codec = SLOT_CODECS[result.kind === "void" ? "nothing" : result.type];
  const slots = new ByteSlots(new Uint8Array(SLOT_BYTES));
  const zero = codec.read(slots, 0);
  return (...values) => {
    if (depth === 0 || failure) return zero;
    try {
      const answer = work(...values);
      refusePromise(answer, "a callback of serveLibrary");
      if (codec.write(slots, 0, answer)) return answer;
      throw new TypeError(`it must return ${codec.demand}: current value is ${shown(answer)}`);
    } catch (error) {
      failure ??= { work, error };
      return zero;
    }
  };
}
