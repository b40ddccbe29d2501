/**
 * Functions of the host by their signatures: one declaration for who calls and who serves.
 *
 * @module
 */
// The core's types that stand in the signatures below.
export type * from "../mod.ts";
export * from "./declare/kind.ts";
export { fixedLength, Length, lengthOf, type LengthSource } from "./declare/length.ts";
export { ErrnoError, type ErrorMeaning } from "./declare/errno.ts";
export {
  type ApiFunction,
  fn,
  type FunctionOptions,
  type Functions,
  type FunctionSignature,
  type HostApi,
  hostApi,
} from "./declare/signature.ts";
export * from "./declare/fns.ts";
export type * from "./declare/value.ts";
export {
  type Answer,
  connectApi,
  type Given,
  type HostStub,
  type HostStubs,
} from "./client/connect_api.ts";
export type { ConnectOptions } from "./client/function_client.ts";
export {
  ApiServer,
  type ApiServerOptions,
  type AsyncHostFunctions,
  type HostFunctions,
  serveApi,
  ServedApi,
} from "./server/api_server.ts";
export { wroteBytes } from "./wire/wrote_bytes.ts";
export type { CallerHeap } from "./server/caller_heap.ts";
export type { AnyFunction, ObjectOptions } from "./server/served_objects.ts";
export { serveObjects, type ServeObjectsOptions } from "./object/serve_objects.ts";
export {
  connectObject,
  type ConnectObjectOptions,
  type RemoteMethod,
  type RemoteObject,
} from "./object/connect_object.ts";
export type { ObjectCallOptions } from "./object/object_function.ts";
