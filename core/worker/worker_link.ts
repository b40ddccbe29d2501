import { errorFrom } from "../call/error_report.ts";
import { startThread, type StartWorker, type Thread } from "./thread.ts";
import type { ParentMessage, WorkerMessage } from "./worker_scope.ts";

/** What a parent wants to hear beside the answers to what it asked. */
export interface WorkerListener<Note> {
  /** The worker sent a note. */
  readonly onNote?: (note: Note) => void;
  /**
   * The worker threw where nobody caught it, ended itself, or could not be loaded; it answers nothing
   * more. `isDead`: its thread is known to have ended; on a page it goes on.
   */
  readonly onError?: (error: Error, isDead: boolean) => void;
}

/** How to start a worker. */
export interface WorkerLinkOptions<Note> extends WorkerListener<Note> {
  /**
   * Whether the program goes on while the worker runs; true when absent. With `false`, not even an
   * awaited answer keeps it. Pages do not ask.
   */
  readonly keepsAlive?: boolean;
}

/**
 * A worker and what was asked of it: the one way in which this library starts workers, the same in
 * Deno, in browsers and in Node. The module at the URL calls `answerParent()`.
 *
 * @example
 * ```ts
 * import { WorkerLink } from "./worker_link.ts";
 * const program = `
 *   import { answerParent } from "${new URL("./worker_scope.ts", import.meta.url)}";
 *   answerParent((number) => number + 1);`;
 * const link = new WorkerLink<number>(`data:text/javascript,${encodeURIComponent(program)}`);
 * if (await link.ask<number>(41) !== 42) throw new Error("41 + 1");
 * link.terminate();
 * ```
 */
export class WorkerLink<Request, Note = never> {
  readonly #thread: Thread;
  readonly #listener: WorkerListener<Note>;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 0;

  /** Starts the worker. It may be asked at once; what goes wrong while it loads rejects the asked. */
  constructor(module: URL | string | StartWorker, options: WorkerLinkOptions<Note> = {}) {
    this.#listener = options;
    this.#thread = startThread(module, {
      receive: (message) => this.#receive(message as WorkerMessage<Note> | null | undefined),
      fail: (error, isDead) => this.#fail(error, isDead),
      keepsAlive: options.keepsAlive ?? true,
    });
  }

  /**
   * Sends a request; settles with its answer. Any number may be under way.
   *
   * @throws {Error} what the worker threw, with its name and stack; or why it will not answer
   */
  ask<Value>(request: Request, transfer: readonly Transferable[] = []): Promise<Value> {
    const id = this.#nextId++;
    const answer = Promise.withResolvers<unknown>();
    // Posted first: of a request that cannot be copied nobody awaits the answer, so that there must
    // be none to reject later.
    this.#thread.postMessage({ id, request } satisfies ParentMessage<Request>, transfer);
    this.#asked.set(id, answer);
    return answer.promise as Promise<Value>;
  }

  /** Sends a request whose answer nobody wants. */
  tell(request: Request): void {
    this.#thread.postMessage({ id: this.#nextId++, request } satisfies ParentMessage<Request>, []);
  }

  /**
   * Asks the runtime to end the worker, and rejects what was asked.
   *
   * @returns whether the thread is known to be dead: in Node, which waits for its end. Elsewhere
   * nobody can know, and a worker that does not come back to its event loop may run on.
   */
  terminate(): Promise<boolean> {
    this.#rejectAll(new Error("Cannot wait for the worker as it was terminated"));
    return this.#thread.terminate();
  }

  /** What the code in the worker posts by itself, a library's for example, is nobody's here. */
  #receive(message: WorkerMessage<Note> | null | undefined): void {
    if (message?.kind === "note") return this.#listener.onNote?.(message.note);
    // Not known to be dead: the message is sent while the worker still runs.
    if (message?.kind === "ended") {
      return this.#fail(new Error("Cannot go on with the worker as it ended itself"), false);
    }
    if (message?.kind !== "done" && message?.kind !== "failed") return;
    const answer = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === "done") answer?.resolve(message.value);
    else answer?.reject(errorFrom(message.error));
  }

  #fail(error: Error, isDead: boolean): void {
    this.#rejectAll(error);
    this.#listener.onError?.(error, isDead);
  }

  #rejectAll(error: Error): void {
    for (const answer of this.#asked.values()) answer.reject(error);
    this.#asked.clear();
  }
}
