/**
 * Functions in workers, in three lines: `serve` there, `connect` here, and calls that block or do not.
 *
 * @module
 */
export { transfer } from "./carrier.ts";
export { WorkerEndedError } from "./answer.ts";
export {
  connect,
  type Connection,
  type ConnectionOptions,
  type Received,
  type RemoteFunctions,
  type Sent,
  type WorkerSource,
} from "./connect.ts";
export { keepHere, type Kept } from "./keep_here.ts";
export type { RemoteFunction, SentFunction } from "./remote_function.ts";
export type { RemoteIterator } from "./remote_iterator.ts";
export type { ErrorClass } from "../call/clone/tags.ts";
export type { AnyWorker } from "../worker/thread.ts";
export type { NodeWorker } from "../worker/worker_scope.ts";
export { serve, type ServeOptions } from "./serve.ts";
