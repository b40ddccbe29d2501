import { kindProblem } from "./kind_problem.ts";
import type { Length } from "./length.ts";

/** What is declared. */
export interface Kind<K extends string> {
  /** Tells the kinds apart. */
  readonly kind: K;
}

/** The name of a scalar. */
export type ScalarName =
  | `${"i" | "u"}${8 | 16 | 32 | 64 | "size"}`
  | `f${32 | 64}`
  | "bool";

/** Bytes of each scalar in C; `usize` and `isize` are those of a machine of 64 bits. */
export const SCALAR_BYTES = {
  bool: 1,
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  i64: 8,
  u64: 8,
  isize: 8,
  usize: 8,
  f64: 8,
} as const satisfies Readonly<Record<ScalarName, number>>;

/** A number, or a truth value. */
export interface Scalar<T extends ScalarName = ScalarName> extends Kind<"scalar"> {
  /** Which one. */
  readonly type: T;
}

function scalar<T extends ScalarName>(type: T): Scalar<T> {
  return Object.freeze({ kind: "scalar", type });
}

/** C's `bool`. */
export const bool: Scalar<"bool"> = scalar("bool");
/** `int8_t`. */
export const i8: Scalar<"i8"> = scalar("i8");
/** `uint8_t`. */
export const u8: Scalar<"u8"> = scalar("u8");
/** `int16_t`. */
export const i16: Scalar<"i16"> = scalar("i16");
/** `uint16_t`. */
export const u16: Scalar<"u16"> = scalar("u16");
/** `int32_t`, C's `int`. */
export const i32: Scalar<"i32"> = scalar("i32");
/** `uint32_t`. */
export const u32: Scalar<"u32"> = scalar("u32");
/** `int64_t`; a bigint. */
export const i64: Scalar<"i64"> = scalar("i64");
/** `uint64_t`; a bigint. */
export const u64: Scalar<"u64"> = scalar("u64");
/** `ptrdiff_t`; a bigint. */
export const isize: Scalar<"isize"> = scalar("isize");
/** `size_t`; a bigint. */
export const usize: Scalar<"usize"> = scalar("usize");
/** `float`. */
export const f32: Scalar<"f32"> = scalar("f32");
/** `double`. */
export const f64: Scalar<"f64"> = scalar("f64");

/** Which way bytes go: to the host, back (zeros where nothing was written), or both. */
export type Direction = "in" | "out" | "inout";

/** Bytes behind a pointer. */
export interface Bytes<D extends Direction = Direction> extends Kind<"bytes"> {
  /** Which way they go. */
  readonly direction: D;
  /** What the other arguments say about the length; absent where the caller's array says it. */
  readonly length: Length | undefined;
}

/** A text in UTF-8, with a NUL behind it where C sees it. */
export type Text = Kind<"string">;

/** Something of the host's that callers can name and not touch: a file, a communicator. */
export interface HandleKind<N extends string = string> extends Kind<"handle"> {
  /** What it is a handle of; several where a function takes any of them: `File|Group`. */
  readonly name: N;
  /**
   * Whether the call takes the handle away: what it ends must not be ended twice. A call that never reaches the
   * function takes nothing.
   */
  readonly isEnd: boolean;
  /** Whether the call gives it back: where the result is another than `when`, or is `unless`. */
  readonly gives?: EndOptions | undefined;
}

/** By which result a function says whether it ended what a handle is of. */
export type EndOptions =
  | { readonly when: number | bigint | boolean | null }
  | { readonly unless: number | bigint | boolean | null };

/** So many of one kind in a struct, one behind the other. */
export interface FixedArray<E extends Field> extends Kind<"array"> {
  /** What each is. */
  readonly of: E;
  /** How many. */
  readonly count: number;
}

/** What a struct can have: a handle is a pointer there, and a text one to a copy. */
export type Field =
  | Scalar
  | Struct
  | Union
  | Text
  | HandleKind
  | Nullable<Text>
  | Nullable<HandleKind>
  | FixedArray<Field>;
/** The fields of a struct, in C's order. */
export type Fields = Readonly<Record<string, Field>>;

/** A struct of C, by value. */
export interface Struct<F extends Fields = Fields> extends Kind<"struct"> {
  /** In their order in memory. */
  readonly fields: F;
}

/** Fields of a struct that lie in one place. */
export interface Union<F extends Fields = Fields> extends Kind<"union"> {
  /** Each as if it were the only one. */
  readonly fields: F;
}

/** A pointer to a struct. */
export interface Reference<D extends Direction = Direction, S extends Struct = Struct>
  extends Kind<"reference"> {
  /** Which way they go. */
  readonly direction: D;
  /** What it points to. */
  readonly struct: S;
}

/** What may be absent: a null pointer in C. */
export type Pointer = Bytes | Text | HandleKind | Reference | Callback;
/** A pointer that may be null. */
export interface Nullable<P extends Pointer = Pointer> extends Kind<"nullable"> {
  /** What it is when it is there. */
  readonly of: P;
}

/** An argument that the host gives by itself. */
export interface Constant<T extends ScalarName = ScalarName> extends Kind<"constant"> {
  /** Its type in C. */
  readonly of: Scalar<T>;
  /** What it always is. */
  readonly value: number | bigint | boolean;
}

/** What a callback can take: a text is a copy, and what is behind a handle, the host's own. */
export type CallbackParameter =
  | Scalar
  | Text
  | HandleKind
  | Nullable<Text>
  | Nullable<HandleKind>;

/** A function of the host's, which callers name. */
export interface Callback<
  Ps extends readonly CallbackParameter[] = readonly CallbackParameter[],
  R extends Scalar | Void | HandleKind | Nullable<HandleKind> =
    | Scalar
    | Void
    | HandleKind
    | Nullable<HandleKind>,
> extends Kind<"callback"> {
  /** What it takes. */
  readonly parameters: Ps;
  /** What it gives. */
  readonly result: R;
}

/** C's `...`: any number of arguments, each with its type. */
export type Variadic = Kind<"variadic">;

/** No result. */
export type Void = Kind<"void">;

/** What a parameter can be. */
export type Parameter =
  | Scalar
  | Bytes
  | Text
  | HandleKind
  | Struct
  | Reference
  | Nullable
  | Constant
  | Callback
  | Variadic;

/** What a result can be. */
export type Result =
  | Scalar
  | Void
  | Text
  | Struct
  | HandleKind
  | Nullable<Text>
  | Nullable<HandleKind>;

/** What a kind is where it is there: a nullable one's pointer, any other itself. */
export function innerKind<K extends Parameter | Result | Field>(
  kind: K,
): K extends Nullable<infer P> ? P : K {
  return (kind.kind === "nullable" ? kind.of : kind) as K extends Nullable<infer P> ? P : K;
}

/** No result. */
export const nothing: Void = Object.freeze({ kind: "void" });
/** A text in UTF-8; C sees it with a NUL behind, so that none may stand in it. */
export const string: Text = Object.freeze({ kind: "string" });
/** C's `...`, as the last parameter. */
export const variadic: Variadic = Object.freeze({ kind: "variadic" });

/** Refuses what makes no sense where it is written, and not where a function has it. */
function checked<K extends Parameter | Field>(name: string, kind: K): K {
  const problem = kindProblem(kind);
  if (problem) throw new TypeError(`Cannot declare ${name} as it ${problem}`);
  return Object.freeze(kind);
}

/**
 * Bytes behind a pointer: read by the host (`"in"`), written (`"out"`), or both.
 *
 * @param length what the other arguments say about it, see `lengthOf`: a call whose array has another
 * length is refused. Absent: the length of the caller's array
 * @throws {TypeError} when the direction or the length is none
 *
 * @example
 * ```ts
 * import { bytes, u32 } from "./kind.ts";
 * import { lengthOf } from "./length.ts";
 * const parameters = [bytes("in", lengthOf(1).times(8)), u32]; // an array of doubles, and how many
 * ```
 */
export function bytes<D extends Direction>(direction: D, length?: Length): Bytes<D> {
  return checked("bytes", { kind: "bytes", direction, length });
}

/**
 * Something of the host's by a number that means nothing elsewhere; `"File|Group"` is either.
 *
 * @throws {TypeError} when a name is none
 */
export function handle<N extends string>(name: N): HandleKind<N> {
  return checked("a handle", { kind: "handle", name, isEnd: false });
}

/**
 * As {@linkcode handle}, for the call that ends it, such as `fclose`. Nobody can use the handle from the beginning of
 * the call on. It ends whatever the function does, unless its result says no: `{ when: 0 }`, as `sqlite3_close`
 * closes nothing with another result, or `{ unless: null }`, as `realloc` keeps what it was given. What a call then
 * gives back is as it was; what one ends that says yes has ended for all who have a handle of it.
 *
 * @param options by which result the function says so; without them it always ends the handle
 * @throws {TypeError} when a name is none, or the options are not one of `when` and `unless`
 *
 * @example
 * ```ts
 * import { ends, i32 } from "./kind.ts";
 * import { fn, hostApi } from "./signature.ts";
 * const sqlite = hostApi("sqlite3", { close: fn([ends("sqlite3", { when: 0 })], i32) });
 * if (sqlite.functions.close.text !== "sqlite3.close(ends Handle<sqlite3> when 0) -> i32") throw new Error("close");
 * ```
 */
export function ends<N extends string>(name: N, options?: EndOptions): HandleKind<N> {
  const gives = options === undefined ? {} : { gives: options };
  return checked("a handle", { kind: "handle", name, isEnd: true, ...gives });
}

/** Whether a result says that a call ended a handle. */
export function isEndedBy({ gives }: HandleKind, result: unknown): boolean {
  if (!gives) return true;
  const isSame = (value: unknown) => result === value || Object.is(result, value);
  return "when" in gives ? isSame(gives.when) : !isSame(gives.unless);
}

/**
 * A struct of C by value, with its fields in order.
 *
 * @throws {TypeError} when there is no field, or one whose name or kind is none
 */
export function struct<F extends Fields>(fields: F): Struct<F> {
  return checked("a struct", { kind: "struct", fields: Object.freeze({ ...fields }) });
}

/**
 * An array in a struct, `char name[16]` for example: as many values as C has places.
 *
 * @throws {TypeError} when the count is no integer from 1 to 65 536
 */
export function array<E extends Field>(of: E, count: number): FixedArray<E> {
  return checked("an array", { kind: "array", of, count });
}

/**
 * A union in a struct: its members lie in one place. A caller gives one of them, `{ d: 0.5 }`, and gets an
 * object that reads the bytes as any; what is set there is written, and it may be given again.
 *
 * @throws {TypeError} when there is no member, or one that is a pointer: nobody could tell whether it is there
 *
 * @example
 * ```ts
 * import { f64, i32, struct, union } from "./kind.ts";
 * const value = struct({ tag: i32, u: union({ i: i32, d: f64 }) });
 * if (Object.keys(value.fields.u.fields).join() !== "i,d") throw new Error("members");
 * ```
 */
export function union<F extends Fields>(fields: F): Union<F> {
  return checked("a union", { kind: "union", fields: Object.freeze({ ...fields }) });
}

/**
 * A pointer to a struct; the caller's object gets the fields of one that is `"out"` or `"inout"`.
 *
 * @throws {TypeError} when the direction is none, or the target is no struct
 */
export function pointer<D extends Direction, S extends Struct>(
  direction: D,
  target: S,
): Reference<D, S> {
  return checked("a pointer", { kind: "reference", direction, struct: target });
}

/**
 * A pointer that may be null.
 *
 * @throws {TypeError} when it is no pointer
 */
export function nullable<P extends Pointer>(of: P): Nullable<P> {
  return checked("a nullable", { kind: "nullable", of });
}

/**
 * An argument that callers do not give and cannot change.
 *
 * @throws {TypeError} when the value is none of the scalar's
 */
export function constant<T extends ScalarName>(
  of: Scalar<T>,
  value: number | bigint | boolean,
): Constant<T> {
  return checked("a constant", { kind: "constant", of, value });
}

/**
 * A function that the host has under a name, see the option `callbacks` of `serveApi`.
 *
 * @throws {TypeError} when it takes or gives something else than scalars, texts and handles: another pointer of C is a `usize`
 * there
 */
export function callback<
  const Ps extends readonly CallbackParameter[],
  R extends Callback["result"],
>(
  parameters: Ps,
  result: R,
): Callback<Ps, R> {
  return checked("a callback", { kind: "callback", parameters, result });
}
