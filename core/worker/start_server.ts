import { errorFrom } from "../call/error_report.ts";
import type { Channel } from "../toggle/channel.ts";
import { reclaimServer } from "../toggle/reclaim.ts";
import type { FaultReport } from "../toggle/server/dispatch.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { ServerNote, ServerRequest } from "./server_messages.ts";
import { WorkerLink } from "./worker_link.ts";

/** How often a server is asked again to read its messages, until it answered. */
const ATTENTION_MILLISECONDS = 20;

/** How to start a server in a worker. */
export interface StartServerOptions {
  /** Modules that export `register(server: Server): void | Promise<void>`, as absolute URLs. */
  readonly services?: readonly (string | URL)[];
  /** How it waits; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** Told of each call that was refused or failed. */
  readonly onFault?: (fault: FaultReport) => void;
}

/**
 * Starts a server in a worker of its own, and returns when it serves.
 *
 * @throws {Error} when the worker cannot start: a service module that does not load, for example
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Client } from "../toggle/client/client.ts";
 * import { Opcode } from "../memory/opcode.ts";
 * import { startServer } from "./start_server.ts";
 *
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = await startServer(channel);
 * new Client(channel).call(Opcode.noop, { fill: () => {}, use: () => {} });
 * channel.shutDown();
 * await server.done;
 * ```
 */
export async function startServer(
  channel: Channel,
  options: StartServerOptions = {},
): Promise<ServerHandle> {
  const { services = [], waiter = "adaptive", onFault = () => {} } = options;
  const handle = new ServerHandle(channel, onFault);
  const serviceUrls = services.map(String);
  await handle.start({ kind: "start", handle: channel.handle, waiter, serviceUrls });
  return handle;
}

/** A server that runs in a worker. */
export class ServerHandle {
  readonly #channel: Channel;
  readonly #link: WorkerLink<ServerRequest, ServerNote>;
  readonly #done = Promise.withResolvers<void>();
  #serverId = 0;
  #isOver = false;

  /** For {@linkcode startServer}. */
  constructor(channel: Channel, onFault: (fault: FaultReport) => void) {
    this.#channel = channel;
    this.#link = new WorkerLink(new URL("./server_worker.ts", import.meta.url), {
      onNote: (note) => onFault(faultOf(note)),
      onError: (error) => this.#fail(error),
    });
    this.#done.promise.catch(() => {});
  }

  /** The server's number on the channel. */
  get serverId(): number {
    return this.#serverId;
  }

  /** Settles when the server has left: after `Channel.shutDown`, or with the error that ended it. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Makes the first request and has the server serve; for {@linkcode startServer}. */
  async start(request: ServerRequest): Promise<void> {
    try {
      const ready = this.#link.ask<number>(request);
      const served = this.#link.ask<void>({ kind: "serve" });
      served.then(() => this.#end(), (error) => this.#fail(error));
      this.#serverId = await ready;
    } catch (error) {
      this.#fail(error as Error);
      throw workerError(error as Error);
    }
  }

  /**
   * Loads a module's services into the running server, whose clients need not stop.
   *
   * @throws {Error} when the module does not load, with the worker's message
   */
  async register(serviceUrl: string | URL): Promise<void> {
    if (this.#isOver) throw new Error("Cannot register services as the server has left");
    const answer = this.#link.ask<void>({ kind: "register", serviceUrl: String(serviceUrl) });
    const raise = () => this.#channel.raiseAttention();
    raise();
    const timer = setInterval(raise, ATTENTION_MILLISECONDS);
    try {
      await answer;
    } catch (error) {
      throw workerError(error as Error);
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Ends the worker at once, whatever it does. Calls that it held are answered with status
   * `serverGone`; when it was the last server, so are all others and the channel is stopped.
   */
  terminate(): void {
    this.#leave();
    this.#done.resolve();
  }

  #fail(error: Error): void {
    this.#done.reject(workerError(error));
    this.#leave();
  }

  #end(): void {
    this.#isOver = true;
    this.#link.terminate();
    this.#done.resolve();
  }

  /** Settles what the dead worker left behind in the channel. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#link.terminate();
    if (this.#serverId === 0) return;
    reclaimServer(this.#channel, this.#serverId);
    this.#channel.abandonServing();
  }
}

/** The note as the report that it was made of, with an error where there was one. */
function faultOf({ cause, ...fault }: ServerNote): FaultReport {
  return cause === undefined ? fault : { ...fault, cause: errorFrom(cause) };
}

function workerError(cause: Error): Error {
  return new Error(`Cannot go on with the server worker: ${cause.message}`, { cause });
}
