import { errorReport } from "../call/error_report.ts";
import { type NodeWorker, nodeWorkerThreads } from "./worker_scope.ts";

/** A worker of the runtime at hand. */
export interface Thread {
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  /** Settles at once, or when the thread is dead where that can be known; says whether it is. */
  terminate(): Promise<boolean>;
}

/** What the parent of a thread hears. */
export interface ThreadListener {
  receive(message: unknown): void;
  /** It threw where nobody caught it, ended, or was not loaded. `isDead`: it is known to have ended. */
  fail(error: Error, isDead: boolean): void;
}

interface ThreadOptions extends ThreadListener {
  readonly keepsAlive: boolean;
}

/**
 * Starts a module of this library by the class of the runtime. Bundlers know an entry of a worker by an
 * expression: `(Worker) => new Worker(new URL("./x_worker.ts", import.meta.url), { type: "module" })`.
 */
export type StartWorker = <AnyWorker>(
  Worker: new (url: URL, options: { readonly type: "module" }) => AnyWorker,
) => AnyWorker;

/**
 * Starts the worker of a module, as the runtime has them.
 *
 * @throws {TypeError} where there are no workers
 */
export function startThread(module: URL | string | StartWorker, options: ThreadOptions): Thread {
  const start: StartWorker = typeof module === "function"
    ? module
    : (Worker) => new Worker(new URL(module), { type: "module" });
  const threads = nodeWorkerThreads();
  if (typeof Worker === "undefined") {
    if (!threads) throw new TypeError("Cannot start a worker as this runtime has none");
    return startNode(start(threads.Worker), options);
  }
  if (!threads || options.keepsAlive) {
    return threadOf(start(Worker), options);
  }
  // Deno has both kinds, and only Node's can be told not to keep the program alive. Its thread is as
  // hard to end as the other.
  const { postMessage, terminate } = startNode(start(threads.Worker), options);
  return {
    postMessage,
    terminate() {
      void terminate();
      return Promise.resolve(false);
    },
  };
}

function startNode(worker: NodeWorker, { keepsAlive, ...listener }: ThreadOptions): Thread {
  const thread = threadOf(worker, listener);
  // Behind the listeners: in Node each of them makes the worker keep the program alive again.
  if (!keepsAlive) worker.unref();
  return thread;
}

/** A worker that somebody has started: the web's, or one of Node's `worker_threads`. */
export type AnyWorker = Worker | NodeWorker;

/**
 * Listens to a worker. What else is heard from it goes on.
 *
 * @throws {TypeError} when it is no worker
 */
export function threadOf(worker: AnyWorker, listener: ThreadListener): Thread {
  if (typeof worker?.postMessage !== "function") {
    throw new TypeError(
      `Cannot connect as the source must be the URL of a module, a worker, or a function that returns one: current value is ${
        String(worker)
      }`,
    );
  }
  return "on" in worker ? nodeThread(worker, listener) : webThread(worker, listener);
}

function webThread(worker: Worker, { receive, fail }: ThreadListener): Thread {
  worker.addEventListener("message", ({ data }) => receive(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    // Deno's worker has ended before it tells; a browser's goes on.
    fail(workerError(event.message), nodeWorkerThreads() !== undefined);
  });
  const terminate = worker.terminate.bind(worker);
  // A web worker does not tell when whoever started it ends it: what it was asked would wait for ever. It
  // may run on for a moment, which only matters to workers of this library's own, which nobody else has.
  let isWanted = true;
  worker.terminate = () => {
    terminate();
    if (isWanted) fail(new Error("Cannot go on with the worker as it was terminated"), true);
  };
  return {
    postMessage: (message, transfer) => worker.postMessage(message, [...transfer]),
    terminate() {
      isWanted = false;
      // The worker's own by now: whoever else listens to it is told.
      worker.terminate();
      return Promise.resolve(false);
    },
  };
}

function nodeThread(
  worker: NodeWorker,
  { receive, fail }: ThreadListener,
): Thread {
  worker.on("message", receive);
  let isWanted = true;
  worker.on("error", (error) => {
    isWanted = false;
    fail(workerError(errorReport(error).message), true);
  });
  worker.on("exit", (code) => {
    if (isWanted) {
      fail(new Error(`Cannot go on with the worker as it ended with code ${code}`), true);
    }
  });
  return {
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    terminate() {
      isWanted = false;
      return worker.terminate().then(() => true);
    },
  };
}

function workerError(message: string): Error {
  return new Error(`Cannot go on with the worker as it threw: ${message || "it cannot be loaded"}`);
}
