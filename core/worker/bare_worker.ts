/** What the parent of a {@linkcode BareWorker} hears. */
export interface BareWorkerOptions {
  /** The worker threw where nobody caught it, or could not be loaded. */
  readonly onError: (error: Error) => void;
}

/**
 * A worker for code that is not trusted: without permissions, and nothing that it posts is heard. Its
 * module and what that imports statically are loaded by the permissions of the parent.
 *
 * A runtime that knows no permissions for workers starts one with all of them: the module has to see
 * for itself that they are gone. Deno needs the flag `--unstable-worker-options`, or `"unstable":
 * ["worker-options"]` in `deno.json`, and ends the program without it.
 */
export class BareWorker {
  readonly #worker: Worker;

  /** @throws {TypeError} when the runtime has no web workers */
  constructor(url: URL, { onError }: BareWorkerOptions) {
    if (typeof Worker === "undefined") {
      throw new TypeError("Cannot start a worker without permissions as this runtime knows none");
    }
    const options = { type: "module", deno: { permissions: "none" } } as const;
    this.#worker = new Worker(url, options);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      onError(new Error(`Cannot go on with the worker as it threw: ${event.message}`));
    };
  }

  /** Sends it something. */
  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  /** Asks the runtime to end it. One that does not come back to its event loop runs on. */
  terminate(): void {
    this.#worker.terminate();
  }
}
