/** How a Worker of this project ends what it was asked: an error crosses as data, with its stack. */
export type WorkerReply<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly message: string; readonly stack: string };

/** The part of a Worker's global scope that its entry needs. */
export interface WorkerScope<Request, Reply> {
  onmessage: ((event: MessageEvent<Request>) => unknown) | null;
  postMessage(reply: Reply, transfer?: Transferable[]): void;
}

/** The global scope of the Worker that calls this, with its messages typed. */
export function workerScope<Request, Reply>(): WorkerScope<Request, Reply> {
  return globalThis as unknown as WorkerScope<Request, Reply>;
}

/** Describes what was thrown, for the isolate that asked. */
export function failedReply(error: unknown): WorkerReply<never> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "failed", message, stack: stack ?? message };
}

/**
 * The value of the Worker's next reply. Call before posting the request: a reply that arrives
 * while nobody listens is lost.
 *
 * @throws {Error} when the Worker answers that it failed, or throws outside its handler
 */
export function nextReply<Value>(worker: Worker): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  worker.onmessage = ({ data }: MessageEvent<WorkerReply<Value>>) => {
    if (data.kind === "done") resolve(data.value);
    else reject(errorOf(data));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`Cannot go on with the Worker as it threw: ${event.message}`));
  };
  return promise;
}

function errorOf({ message, stack }: { readonly message: string; readonly stack: string }): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}
