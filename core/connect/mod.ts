/**
 * Functions in workers, in three lines: `serve` there, `connect` here, and calls that block or do not.
 *
 * @module
 */
export { WorkerEndedError } from "./call_client.ts";
export {
  connect,
  type Connection,
  type ConnectionOptions,
  type RemoteFunction,
  type RemoteFunctions,
  type WorkerSource,
} from "./connect.ts";
export type { AnyWorker } from "../worker/thread.ts";
export type { NodeWorker } from "../worker/worker_scope.ts";
export { serve, type ServeOptions } from "./serve.ts";
