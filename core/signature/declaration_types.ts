/**
 * The types of declared functions: for code that handles declarations, and what editors show.
 *
 * @module
 */
// Functions.
export type {
  ApiFunction,
  FunctionOptions,
  Functions,
  FunctionSignature,
} from "./declare/signature.ts";
// Kinds of parameters and results.
export type {
  Bytes,
  Callback,
  CallbackParameter,
  Constant,
  Direction,
  EndOptions,
  Field,
  Fields,
  HandleKind,
  Kind,
  Nullable,
  Parameter,
  Pointer,
  Reference,
  Result,
  Scalar,
  ScalarName,
  Struct,
  Text,
  Union,
  Variadic,
  Void,
} from "./declare/kind.ts";
export type { Length } from "./declare/length.ts";
export type { MemoryFunctionsOf } from "./declare/built_in.ts";
export type { Fns, Kinds } from "./declare/fns.ts";
// Values, as the caller has them.
export type {
  ArgumentsOf,
  ResultOf,
  ScalarValue,
  StructValue,
  Tagged,
  ValueOf,
  VariadicValue,
} from "./declare/value.ts";
export type { Answer, Given } from "./client/connect_api.ts";
// Values, as the host has them.
export type {
  AsyncHostFunction,
  CallbackArguments,
  HostArgumentsOf,
  HostFunction,
  HostObject,
  HostResultOf,
  HostValueOf,
  HostVariadic,
} from "./declare/value.ts";
export type { AnyFunction, ObjectOptions } from "./server/served_objects.ts";
export type { CallerHeap } from "./wire/heap_request.ts";
