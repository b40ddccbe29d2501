import { type ErrorReport, errorReport } from "../call/error_report.ts";

/** What a parent sends: a request, and the number that its answer will bear. */
export interface ParentMessage<Request> {
  readonly id: number;
  readonly request: Request;
}

/** What a worker sends: the answer to a request, or a note that nobody asked for. */
export type WorkerMessage<Note = unknown> =
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: ErrorReport }
  | { readonly kind: "note"; readonly note: Note }
  /** The worker ends itself: what it was asked it will not answer. */
  | { readonly kind: "ended" };

/** The part of a worker's global scope, or of Node's parent port, that is needed here. */
export interface Parent {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  close(): void;
  listen(receive: (data: unknown) => void): void;
  /** Has it told that the worker ends itself, where its parent does not hear of that otherwise. */
  onEnd(tell: () => void): void;
}

/**
 * Has it told in the worker, in its last moments, that it ends: by itself, or by an error, which is told
 * then. A page's worker that throws goes on.
 */
export function onLastMoments(tell: (thrown?: unknown) => void): void {
  const scope = globalThis as unknown as Parameters<typeof onWebEnd>[0];
  const { process } = globalThis as {
    process?: {
      on?(event: string, listener: (value?: unknown) => void): void;
      listenerCount?(event: string): number;
    };
  };
  let thrown: unknown;
  process?.on?.("uncaughtExceptionMonitor", (error) => {
    thrown = error;
    // Deno's worker has no more to say when it dies of an error.
    if ("Deno" in globalThis && !process.listenerCount?.("uncaughtException")) tell(thrown);
  });
  process?.on?.("exit", () => tell(thrown));
  if (typeof scope.close === "function") onWebEnd(scope, () => tell(thrown));
}

/** The parent's end as web workers have it, and as Node's worker threads have it. */
export function findParent(): Parent {
  const scope = globalThis as unknown as {
    postMessage?(message: unknown, transfer: readonly Transferable[]): void;
    close(): void;
    addEventListener(event: "message", listener: (event: MessageEvent) => void): void;
    addEventListener(event: "unload", listener: () => void): void;
  };
  const port = nodeWorkerThreads()?.parentPort;
  if (typeof scope.postMessage === "function") {
    return {
      postMessage: (message, transfer = []) => scope.postMessage!(message, transfer),
      close: () => scope.close(),
      listen: (receive) => scope.addEventListener("message", ({ data }) => receive(data)),
      onEnd: (tell) => port ? undefined : onWebEnd(scope, tell),
    };
  }
  if (!port) throw new TypeError("Cannot answer a parent as this is not a worker");
  return {
    postMessage: (message, transfer = []) => port.postMessage(message, transfer),
    close: () => port.close(),
    listen: (receive) => port.on("message", receive),
    onEnd: () => {}, // Node tells the parent itself
  };
}

/** `Deno.exit()` in a worker ends the worker, and fires `unload`; `close()` fires nothing. */
function onWebEnd(
  scope: { close(): void; addEventListener(event: "unload", listener: () => void): void },
  tell: () => void,
): void {
  const close = scope.close.bind(scope);
  scope.addEventListener("unload", tell);
  scope.close = () => {
    tell();
    close();
  };
}

/**
 * A worker's end of its {@linkcode WorkerLink}: answers each request with what `answer` returns or
 * throws. Requests whose answers are promises may overlap.
 *
 * @returns how to send notes to the parent, and how to leave
 */
export function answerParent<Request, Note = never>(
  answer: (request: Request) => unknown,
): { note(note: Note): void; close(): void } {
  const parent = findParent();
  const post = (message: WorkerMessage<Note>) => parent.postMessage(message);
  parent.onEnd(() => post({ kind: "ended" }));
  parent.listen(async (data) => {
    const { id, request } = data as ParentMessage<Request>;
    try {
      post({ kind: "done", id, value: await answer(request) });
    } catch (thrown) {
      post({ kind: "failed", id, error: errorReport(thrown) });
    }
  });
  return { note: (note) => post({ kind: "note", note }), close: () => parent.close() };
}

/** The part of Node's `worker_threads` that stands in where the web's `Worker` is missing. */
export interface NodeWorkerThreads {
  readonly parentPort: {
    on(event: "message", listener: (data: unknown) => void): void;
    postMessage(message: unknown, transfer: readonly Transferable[]): void;
    close(): void;
  } | null;
  readonly Worker: new (url: URL) => NodeWorker;
}

/** The part of a `Worker` of Node's `worker_threads` that is needed here. */
export interface NodeWorker {
  /** Calls back for each. */
  on(event: "message" | "error" | "exit", listener: (data: unknown) => void): void;
  /** Sends something. */
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
  /** Settles when the thread has ended. */
  terminate(): Promise<unknown>;
  /** Lets the program end before the worker. */
  unref(): void;
}

/** Asked for at run time: an import would have to be resolved where there is no Node. */
export function nodeWorkerThreads(): NodeWorkerThreads | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): unknown };
  };
  return process?.getBuiltinModule?.("node:worker_threads") as NodeWorkerThreads | undefined;
}
