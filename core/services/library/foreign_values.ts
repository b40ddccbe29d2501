import { innerKind } from "../../signature/declare/kind.ts";
import type {
  AnyFunction,
  Callback,
  CallbackParameter,
  Field,
  FunctionSignature,
  Parameter,
  Result,
  Struct,
  Union,
} from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { structLayout } from "../../signature/declare/struct_layout.ts";
import { handleStruct, mapHandles } from "../../signature/server/struct_handles.ts";
import { readStruct, type StructTexts, writeStruct } from "../../signature/wire/struct_bytes.ts";
import { encodeText } from "../../signature/wire/variadic_bytes.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import { type FencePool, SentMemory } from "./fenced_memory.ts";
import { ByteSlots, shown, SLOT_BYTES, SLOT_CODECS } from "../../signature/wire/slot.ts";

/** A pointer behind a handle: its number, as two objects of one pointer would not be the same. */
const ADDRESS = "u64";

/**
 * How a function of C is called by Deno's FFI.
 *
 * @throws {TypeError} for a variadic function: its arguments go where FFI does not put them
 */
export function foreignFunction(
  { parameters, result }: FunctionSignature,
): { readonly parameters: readonly Deno.NativeType[]; readonly result: Deno.NativeResultType } {
  return { parameters: parameters.map(parameterType), result: resultType(result) };
}

export function callbackDefinition(
  { parameters, result }: Callback,
): Deno.UnsafeCallbackDefinition {
  return {
    parameters: parameters.map(resultType) as Deno.NativeType[],
    result: resultType(result),
  };
}

function parameterType(parameter: Parameter): Deno.NativeType {
  switch (parameter.kind) {
    case "scalar":
      return parameter.type;
    case "constant":
      return parameter.of.type;
    case "struct":
      return structType(parameter);
    case "handle":
      return ADDRESS;
    case "callback":
      return "function";
    case "nullable":
      return parameterType(parameter.of);
    case "variadic":
      throw new TypeError(
        "Cannot call a variadic function of a library: serve a function of your own by serveApi, as sprintf of filesApi is",
      );
    default:
      return "buffer";
  }
}

function resultType(result: Result | CallbackParameter): Deno.NativeResultType {
  if (result.kind === "void") return "void";
  if (result.kind === "scalar") return result.type;
  if (result.kind === "struct") return structType(result);
  return innerKind(result).kind === "handle" ? ADDRESS : "pointer";
}

function structType({ fields }: Struct | Union): Deno.NativeStructType {
  return { struct: Object.values(fields).map(fieldType) };
}

function fieldType(field: Field): Deno.NativeType {
  if (field.kind === "struct") return structType(field);
  if (field.kind === "scalar") return field.type;
  if (field.kind === "union") {
    throw new TypeError(
      "Cannot pass a struct with a union by value to a library: FFI knows none, so pass a pointer to it",
    );
  }
  if (field.kind !== "array") return ADDRESS;
  // C passes an array in a struct as it passes so many fields.
  return { struct: Array<Deno.NativeType>(field.count).fill(fieldType(field.of)) };
}

/** What a call gives to C, until C is done. */
export class ForeignCallMemory extends SentMemory {
  /** Done with what C wrote, in order. */
  readonly #backs: (() => void)[] = [];
  readonly #name: string;

  /** @param name of the function, for the message */
  constructor(pool: FencePool, name: string) {
    super(pool);
    this.#name = name;
  }

  /**
   * What a handle that C gives is to point at; nothing for a null pointer.
   *
   * @throws {TypeError} for what ends with the call
   */
  pointed(address: bigint): bigint | null {
    if (address === 0n) return null;
    if (!this.has(address)) return address;
    throw new TypeError(
      `Cannot give a handle of ${this.#name} as it points into what the call sent, which ends with it: ` +
        "send memory that stays, as a handle of memoryOf(), or declare a text that is only read as string",
    );
  }

  /** Takes what C wrote, when it is done. */
  onBack(work: () => void): void {
    this.#backs.push(work);
  }

  /** Gives the caller's arrays and objects what C wrote. */
  takeBack(): void {
    for (const work of this.#backs) work();
  }
}

/** The texts of structs in C's memory: a word is an address. */
class ForeignTexts implements StructTexts {
  readonly #memory: SentMemory | undefined;

  /** @param memory where texts are put; none where they are only read */
  constructor(memory?: SentMemory) {
    this.#memory = memory;
  }

  put(text: unknown): bigint | string {
    const bytes = encodeText(text);
    if (typeof bytes === "string") return bytes;
    return Deno.UnsafePointer.value(Deno.UnsafePointer.of(this.#memory!.place(bytes, 1)));
  }

  get(word: bigint): string {
    return new Deno.UnsafePointerView(Deno.UnsafePointer.create(word)!).getCString();
  }
}

/** A value as C takes it, in memory of the call; what C writes there comes back by `takeBack`. */
export function foreignValue(
  parameter: Parameter,
  value: unknown,
  memory: ForeignCallMemory,
): unknown {
  switch (parameter.kind) {
    case "nullable":
      if (value !== null) return foreignValue(parameter.of, value, memory);
      return parameter.of.kind === "handle" ? 0n : null;
    case "string":
      return memory.place(new TextEncoder().encode(value as string), 1);
    case "bytes": {
      const array = value as Uint8Array;
      const placed = memory.place(array);
      if (parameter.direction !== "in") memory.onBack(() => array.set(placed));
      return placed;
    }
    case "struct":
      return structBytes(parameter, value, memory);
    case "reference": {
      const bytes = structBytes(parameter.struct, value, memory);
      const isBack = parameter.direction !== "in";
      if (isBack) {
        memory.onBack(() =>
          void readForeign(parameter.struct, bytes, { target: value as object, memory })
        );
      }
      return bytes;
    }
    case "callback":
      return callbackPointer(parameter, value as AnyFunction);
    default:
      return value;
  }
}

function structBytes(
  struct: Struct,
  value: unknown,
  memory: ForeignCallMemory,
): Uint8Array<ArrayBuffer> {
  const bytes = memory.place(new Uint8Array(structLayout(struct).sizeBytes));
  const problem = writeStruct(new DataView(bytes.buffer, bytes.byteOffset), 0, {
    struct: withAddresses(struct),
    value: handleStruct(struct) ? mapHandles(struct, value, (_, address) => address ?? 0n) : value,
    texts: new ForeignTexts(memory),
    hasFailed: true, // of one that is "out", no text is there yet
  });
  if (problem) throw new TypeError(`Cannot give a struct to the library: ${problem}`);
  return bytes;
}

interface ReadOptions {
  /** What is filled; a new object when absent. */
  readonly target?: object;
  /** What the call gave to C, where no handle may point. */
  readonly memory?: ForeignCallMemory;
}

function readForeign(
  struct: Struct,
  { buffer, byteOffset }: Uint8Array,
  { target, memory }: ReadOptions = {},
): object {
  const view = new DataView(buffer, byteOffset);
  const texts = new ForeignTexts();
  if (!handleStruct(struct)) {
    return readStruct(view, 0, { struct, texts, ...(target && { target }) });
  }
  const value = readStruct(view, 0, { struct: withAddresses(struct), texts });
  const made = mapHandles(struct, value, (_, address) => pointed(address as bigint, memory));
  return Object.assign(target ?? {}, made);
}

const addressed = new WeakMap<Struct, Struct>();

/** The struct as C has it: a handle is an address there. */
export function withAddresses(struct: Struct): Struct {
  if (!handleStruct(struct)) return struct;
  const known = addressed.get(struct);
  if (known) return known;
  const fields = Object.entries(struct.fields).map(([name, field]) =>
    [name, withAddress(field)] as const
  );
  const made = s.struct(Object.fromEntries(fields));
  addressed.set(struct, made);
  return made;
}

function withAddress<F extends Field>(field: F): Field {
  if (field.kind === "struct") return withAddresses(field);
  if (["scalar", "string", "union"].includes(innerKind(field).kind)) return field;
  return field.kind === "array" ? s.array(withAddress(field.of), field.count) : s.u64;
}

function pointed(address: bigint, memory: ForeignCallMemory | undefined): bigint | null {
  return memory ? memory.pointed(address) : address === 0n ? null : address;
}

/**
 * What C returned, as the function's signature has it; null where C has a null pointer.
 *
 * @param memory what the call gave to C, where no handle may point
 */
export function hostResult(
  kind: Result | CallbackParameter,
  result: unknown,
  memory?: ForeignCallMemory,
): unknown {
  if (kind.kind === "scalar" || result === null) return result;
  const inner = innerKind(kind);
  switch (inner.kind) {
    case "string":
      return new Deno.UnsafePointerView(result as Deno.PointerObject).getCString();
    case "handle":
      return pointed(result as bigint, memory);
    case "struct":
      return readForeign(inner, result as Uint8Array, memory && { memory });
    default:
      return result;
  }
}

/** One for each function and form, for good: a library may keep the pointer. */
const callbacks = new WeakMap<AnyFunction, Map<string, Deno.UnsafeCallback>>();

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
function guarded({ parameters, result }: Callback, work: AnyFunction): AnyFunction {
  const kind = innerKind(result);
  const codec =
    SLOT_CODECS[kind.kind === "scalar" ? kind.type : kind.kind === "void" ? "nothing" : ADDRESS];
  const slots = new ByteSlots(new Uint8Array(SLOT_BYTES));
  const zero = codec.read(slots, 0);
  return (...values) => {
    if (depth === 0 || failure) return zero;
    try {
      const given = parameters.map((parameter, index) => hostResult(parameter, values[index]));
      const answer: unknown = work(...given as never[]);
      refusePromise(answer, "a callback of serveLibrary");
      const address = answer === null && result.kind === "nullable" ? 0n : answer;
      if (codec.write(slots, 0, address)) return address;
      throw new TypeError(`it must return ${codec.demand}: current value is ${shown(answer)}`);
    } catch (error) {
      failure ??= { work, error };
      return zero;
    }
  };
}
