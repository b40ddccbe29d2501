/**
 * Functions of the host by their signatures: one declaration for who calls and who serves.
 *
 * @module
 */
// A declaration.
export { fn, type HostApi, hostApi } from "./declare/signature.ts";
export { fns } from "./declare/fns.ts";
// What a parameter or a result is.
export {
  array,
  bool,
  bytes,
  callback,
  constant,
  ends,
  f32,
  f64,
  type FixedArray,
  handle,
  i16,
  i32,
  i64,
  i8,
  isize,
  nothing,
  nullable,
  pointer,
  string,
  struct,
  u16,
  u32,
  u64,
  u8,
  union,
  usize,
  variadic,
} from "./declare/kind.ts";
export { globalOf, memoryOf, readOf } from "./declare/built_in.ts";
export { fixedLength, lengthOf } from "./declare/length.ts";
export type { Handle } from "./declare/value.ts";
export { ErrnoError, type ErrorMeaning } from "./declare/errno.ts";
// Who calls.
export { connectApi, type HostStub, type HostStubs } from "./client/connect_api.ts";
export type { ConnectOptions } from "./client/function_client.ts";
// Who serves.
export {
  ApiServer,
  type ApiServerOptions,
  type AsyncHostFunctions,
  type HostFunctions,
  serveApi,
  ServedApi,
} from "./server/api_server.ts";
export { wroteBytes } from "./wire/wrote_bytes.ts";
