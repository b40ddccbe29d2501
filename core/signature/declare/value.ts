import type {
  Bytes,
  Callback,
  CallbackParameter,
  Constant,
  Direction,
  Fields,
  FixedArray,
  HandleKind,
  Nullable,
  Parameter,
  Pointer,
  Reference,
  Result,
  Scalar,
  Struct,
  Text,
  Union,
  Variadic,
  Void,
} from "./kind.ts";
import type { Pending } from "../../toggle/pending/pending.ts";
import type { FunctionSignature } from "./signature.ts";

/** What a caller holds of something of the host's; handles of different names do not mix. */
export type Handle<N extends string> = number & {
  /** There for the compiler only. */
  readonly handleOf: N;
};

/** A scalar as a value. */
export type ScalarValue<T> = T extends "i64" | "u64" | "isize" | "usize" ? bigint
  : T extends "bool" ? boolean
  : number;

/** The fields of a struct as an object: handles are numbers to callers, and objects on the host. */
export type StructValue<F extends Fields, Side extends "caller" | "host" = "caller"> = {
  -readonly [K in keyof F]: F[K] extends Scalar<infer T> ? ScalarValue<T>
    : F[K] extends Text ? string
    : F[K] extends Nullable<Text> ? string | null
    : F[K] extends Struct<infer G> ? StructValue<G, Side>
    : F[K] extends Union<infer G> ? Partial<StructValue<G, Side>>
    : F[K] extends HandleKind<infer N> ? Side extends "host" ? HostObject : Handle<N>
    : F[K] extends Nullable<HandleKind<infer N>>
      ? (Side extends "host" ? HostObject : Handle<N>) | null
    : F[K] extends FixedArray<infer G> ? StructValue<{ each: G }, Side>["each"][]
    : never;
};

/**
 * A variadic argument: a number is a double, a bigint an `int64_t`, or a `uint64_t` from 2 to the 63 on, a
 * text, a boolean an `int`; or what {@linkcode Tagged} says.
 */
export type VariadicValue = number | bigint | string | boolean | Tagged;

/** A variadic argument whose type in C is another than the usual one of its value. */
export interface Tagged {
  /** What C is to take it for. */
  readonly type: "i32" | "u32" | "i64" | "u64" | "f64";
  /** The argument. */
  readonly value: number | bigint;
}

/** A variadic argument as the host gets it: all of a call come as one array. */
export type HostVariadic = Tagged | { readonly type: "string"; readonly value: string };

/** The names in `File|Group`. */
export type OneOf<N extends string> = N extends `${infer First}|${infer Rest}` ? First | OneOf<Rest>
  : N;

/** What a caller gives for a parameter. */
export type ValueOf<P> = P extends Scalar<infer T> ? ScalarValue<T>
  : P extends Bytes ? Uint8Array
  : P extends Text ? string
  : P extends HandleKind<infer N> ? Handle<OneOf<N>>
  : P extends Struct<infer F> ? Readonly<StructValue<F>>
  : P extends Reference<infer D extends Direction, Struct<infer F>>
    ? D extends "in" ? Readonly<StructValue<F>> : StructValue<F>
  : P extends Nullable<infer Q extends Pointer> ? ValueOf<Q> | null
  : P extends Callback ? string
  : never;

/** The arguments that a caller gives: all but the constants. */
export type ArgumentsOf<Ps extends readonly Parameter[]> = Ps extends
  readonly [infer P, ...infer Rest extends readonly Parameter[]]
  ? P extends Constant ? ArgumentsOf<Rest>
  : P extends Variadic ? VariadicValue[]
  : [ValueOf<P>, ...ArgumentsOf<Rest>]
  : [];

/** What a caller gets back. */
export type ResultOf<R extends Result> = R extends Void ? void : ValueOf<R>;

/** What stands behind a handle on the host: whatever the function that made it returned. */
// deno-lint-ignore no-explicit-any -- each function says by its own parameter what it takes
export type HostObject = any;

/** What a function on the host gets for a parameter. */
export type HostValueOf<P> = P extends HandleKind ? HostObject
  : P extends Nullable<HandleKind> ? HostObject | null
  : P extends Struct<infer F> | Reference<Direction, Struct<infer F>> ? StructValue<F, "host">
  : P extends Nullable<Reference<Direction, Struct<infer F>>> ? StructValue<F, "host"> | null
  : P extends Callback<infer Ps, infer R>
    ? (...values: CallbackArguments<Ps>) => R extends Void ? void : HostValueOf<R>
  : P extends Nullable<Callback<infer Ps, infer R>>
    ? ((...values: CallbackArguments<Ps>) => R extends Void ? void : HostValueOf<R>) | null
  : ValueOf<P>;

/** The arguments of a callback. */
export type CallbackArguments<Ps extends readonly CallbackParameter[]> = {
  [K in keyof Ps]: HostValueOf<Ps[K]>;
};

/** The arguments of a function on the host: constants too, variadic ones as one array. */
export type HostArgumentsOf<Ps extends readonly Parameter[]> = Ps extends
  readonly [infer P, ...infer Rest extends readonly Parameter[]]
  ? P extends Constant<infer T> ? [ScalarValue<T>, ...HostArgumentsOf<Rest>]
  : P extends Variadic ? [readonly HostVariadic[]]
  : [HostValueOf<P>, ...HostArgumentsOf<Rest>]
  : [];

/** What a function on the host gives. */
export type HostResultOf<R extends Result> = R extends HandleKind ? HostObject
  : R extends Struct<infer F> ? StructValue<F, "host">
  : R extends Nullable<HandleKind> ? HostObject | null
  : ResultOf<R>;

/** The function on the host that a signature asks for. */
export type HostFunction<F> = F extends FunctionSignature<infer Ps, infer R> ? (
    ...values: HostArgumentsOf<Ps>
  ) => HostResultOf<R> | Pending<R extends Void ? null : HostResultOf<R>>
  : never;

/** As {@linkcode HostFunction}, for one that may wait. */
export type AsyncHostFunction<F> = F extends FunctionSignature<infer Ps, infer R>
  ? (...values: HostArgumentsOf<Ps>) => HostResultOf<R> | Promise<HostResultOf<R>>
  : never;
