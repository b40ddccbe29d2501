import {
  type Bytes,
  bytes,
  ends,
  handle,
  type HandleKind,
  nothing,
  type Nullable,
  type Scalar,
  type Struct,
  type Text,
  usize,
  type Void,
} from "./kind.ts";
import { fn, type FunctionSignature } from "./signature.ts";

/** What is done by who serves a library, and no function of the library's. */
export type BuiltIn = "alloc" | "put" | "get" | "point" | "free" | "read" | "global";

/** Functions that give callers memory which a library can have: see {@linkcode memoryOf}. */
export interface MemoryFunctionsOf<N extends string> {
  /** Zeros: so many bytes. */
  readonly alloc: FunctionSignature<readonly [Scalar<"usize">], HandleKind<N>>;
  /** Writes bytes, from a byte on. */
  readonly put: FunctionSignature<
    readonly [HandleKind<N>, Scalar<"usize">, Bytes<"in">],
    Void
  >;
  /** Reads bytes, from a byte on. */
  readonly get: FunctionSignature<
    readonly [HandleKind<N>, Scalar<"usize">, Bytes<"out">],
    Void
  >;
  /**
   * Writes, from a byte on, the 8 bytes of an address: that of a byte of other memory, which stays until this
   * is freed or points elsewhere. So a struct of C gets its pointers.
   */
  readonly point: FunctionSignature<
    readonly [HandleKind<N>, Scalar<"usize">, HandleKind<N>, Scalar<"usize">],
    Void
  >;
  /** Ends it: the library must not keep it. */
  readonly free: FunctionSignature<readonly [HandleKind<N>], Void>;
}

function builtIn<F extends FunctionSignature>(signature: F, name: BuiltIn): F {
  return Object.freeze({ ...signature, builtIn: name });
}

/**
 * Declares memory that stays where it is, for libraries that keep a pointer beyond a call: `alloc`, `put`, `get`,
 * `point` and `free`, to stand in an API of `serveLibrary` beside the library's functions, which take its handles.
 * What is put, got and pointed at must be within it.
 *
 * @param name what the handles are called
 * @param prefix stands in front of each name, for an API that has a function of one of these names itself;
 * nothing when absent
 *
 * @example
 * ```ts
 * import { memoryOf } from "./built_in.ts";
 * import { handle, i32, usize } from "./kind.ts";
 * import { fn, hostApi } from "./signature.ts";
 * const c = hostApi("c", { ...memoryOf("Memory"), memset: fn([handle("Memory"), i32, usize], usize) });
 * if (c.functions.put.text !== "c.put(Handle<Memory>, usize, in bytes) -> void") throw new Error("put");
 * ```
 */
export function memoryOf<N extends string, P extends string = "">(
  name: N,
  prefix?: P,
): {
  readonly [K in keyof MemoryFunctionsOf<N> & string as `${P}${K}`]: MemoryFunctionsOf<N>[K];
} {
  const memory = handle(name);
  const functions: MemoryFunctionsOf<N> = {
    alloc: builtIn(fn([usize], memory), "alloc"),
    put: builtIn(fn([memory, usize, bytes("in")], nothing), "put"),
    get: builtIn(fn([memory, usize, bytes("out")], nothing), "get"),
    point: builtIn(fn([memory, usize, memory, usize], nothing), "point"),
    free: builtIn(fn([ends(name)], nothing), "free"),
  };
  const named = Object.entries(functions).map(([key, one]) => [`${prefix ?? ""}${key}`, one]);
  return Object.fromEntries(named) as ReturnType<typeof memoryOf<N, P>>;
}

/**
 * Declares a function that reads what a handle of a library points at: the struct of a result that is a pointer, a
 * text that the library wants back by a function of its own, a number.
 *
 * @param name of the handles, or several with `|` between
 *
 * @example
 * ```ts
 * import { readOf } from "./built_in.ts";
 * import { ends, handle, nothing, string } from "./kind.ts";
 * import { fn, hostApi } from "./signature.ts";
 * // char *strdup(const char *), and free(): a text to be read and given back
 * const text = { strdup: fn([string], handle("Text")), free: fn([ends("Text")], nothing) };
 * const c = hostApi("c", { ...text, textOf: readOf("Text", string) });
 * if (c.functions.textOf.text !== "c.textOf(Handle<Text>) -> string") throw new Error("textOf");
 * ```
 */
export function readOf<N extends string, K extends Scalar | Struct | Text>(
  name: N,
  kind: K,
): FunctionSignature<readonly [HandleKind<N>], K> {
  return builtIn(fn([handle(name)], kind), "read");
}

/**
 * Declares a function that reads a global variable of a library, by the name that it has in the API or in
 * `symbols`: a number, a struct, a text that the variable points at, or a handle of what it points at.
 *
 * @example
 * ```ts
 * import { globalOf } from "./built_in.ts";
 * import { handle, i32 } from "./kind.ts";
 * import { hostApi } from "./signature.ts";
 * const c = hostApi("c", { optind: globalOf(i32), stdout: globalOf(handle("FILE")) });
 * if (c.functions.stdout.text !== "c.stdout() -> Handle<FILE>") throw new Error("stdout");
 * ```
 */
export function globalOf<
  K extends Scalar | Struct | Text | Nullable<Text> | HandleKind | Nullable<HandleKind>,
>(
  kind: K,
): FunctionSignature<readonly [], K> {
  return builtIn(fn([], kind), "global");
}
