/**
 * Copies values of the language as `structuredClone` does: texts, numbers, dates, patterns, buffers and
 * views of them, maps, sets, errors, arrays and the properties of other objects, with what refers to
 * what. The runtime's own looks for a symbol that makes objects into the runtime's, and ends the program where
 * they lie.
 *
 * @param options `transfer`: buffers that are empty afterwards
 * @throws {DOMException} a `DataCloneError` for functions, symbols, and objects of the runtime's
 */
export function cloneValue(
  value: unknown,
  { transfer = [] }: { readonly transfer?: readonly ArrayBuffer[] } = {},
): unknown {
  for (const buffer of transfer) {
    if (!(buffer instanceof ArrayBuffer)) throw refused("what is no ArrayBuffer, to move it");
  }
  const copy = clone(value, new Map());
  for (const buffer of transfer) buffer.transfer(0);
  return copy;
}

type Copies = Map<object, object>;
type View = InstanceType<typeof DataView | typeof Uint8Array>;
type MakeView = new (buffer: ArrayBufferLike, byte: number, length: number) => View;

function clone(value: unknown, copies: Copies): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw refused(`a ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  const known = copies.get(value);
  if (known) return known;
  const copy = emptyCopy(value, copies);
  copies.set(value, copy);
  fill(copy, value, copies);
  return copy;
}

/** A copy without what is in it, which may refer to the copy. */
function emptyCopy(value: object, copies: Copies): object {
  if (value instanceof SharedArrayBuffer) return value;
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) return cloneView(value as View, copies);
  if (value instanceof Date) return new Date(Date.prototype.getTime.call(value));
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof Error && !(value instanceof DOMException)) return cloneError(value);
  if (Array.isArray(value)) return new Array(value.length);
  for (const boxed of [Number, String, Boolean, BigInt]) {
    if (value instanceof boxed) {
      return Object((boxed.prototype.valueOf as () => unknown).call(value));
    }
  }
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag === "Object" || tag === "Arguments") return {};
  throw refused(`a ${tag}`);
}

function cloneView(view: View, copies: Copies): View {
  const buffer = clone(view.buffer, copies) as ArrayBuffer;
  const kind = view instanceof DataView ? "DataView" : view[Symbol.toStringTag];
  const make = globalThis[kind] as unknown as MakeView;
  return new make(buffer, view.byteOffset, "length" in view ? view.length : view.byteLength);
}

const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

function cloneError(error: Error): Error {
  const make = ERRORS.find(({ name }) => name === error.name) ?? Error;
  return new make(String(error.message), "cause" in error ? { cause: undefined } : {});
}

function fill(copy: object, value: object, copies: Copies): void {
  if (copy instanceof Map) {
    const entries = [...(value as Map<unknown, unknown>)];
    for (const [key, one] of entries) copy.set(clone(key, copies), clone(one, copies));
  } else if (copy instanceof Set) {
    for (const one of [...(value as Set<unknown>)]) copy.add(clone(one, copies));
  } else if (copy instanceof Error) {
    if ("cause" in copy) copy.cause = clone((value as Error).cause, copies);
  } else if (Array.isArray(copy) || Object.getPrototypeOf(copy) === Object.prototype) {
    for (const key of Object.keys(value)) {
      const one = clone((value as Record<string, unknown>)[key], copies);
      Object.defineProperty(copy, key, {
        value: one,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
}

function refused(what: string): DOMException {
  return new DOMException(`Cannot copy ${what}`, "DataCloneError");
}
