import type { FailureReport, FaultReport, ServerReply, ServerRequest } from "./boot.ts";
import type { Channel } from "../toggle/channel.ts";
import { reclaimServer } from "../toggle/reclaim.ts";
import type { WaiterName } from "../wait/strategy.ts";

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
  const worker = new Worker(new URL("./server_worker.ts", import.meta.url), { type: "module" });
  const handle = new ServerHandle(channel, worker, onFault);
  const serviceUrls = services.map(String);
  await handle.boot({ kind: "boot", handle: channel.handle, waiter, serviceUrls });
  return handle;
}

/** A server that runs in a worker. */
export class ServerHandle {
  readonly #channel: Channel;
  readonly #worker: Worker;
  readonly #onFault: (fault: FaultReport) => void;
  readonly #ready = Promise.withResolvers<number>();
  readonly #done = Promise.withResolvers<void>();
  readonly #registrations = new Map<number, PromiseWithResolvers<void>>();
  #nextRequestId = 0;
  #serverId = 0;
  #isOver = false;

  /** For {@linkcode startServer}. */
  constructor(channel: Channel, worker: Worker, onFault: (fault: FaultReport) => void) {
    this.#channel = channel;
    this.#worker = worker;
    this.#onFault = onFault;
    this.#done.promise.catch(() => {});
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail({ message: event.message, stack: "" });
    };
  }

  /** The server's number on the channel. */
  get serverId(): number {
    return this.#serverId;
  }

  /** Settles when the server has left: after `Channel.shutDown`, or with the error that ended it. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Sends the first message and waits for the answer; for {@linkcode startServer}. */
  async boot(request: ServerRequest): Promise<void> {
    this.#worker.postMessage(request);
    this.#serverId = await this.#ready.promise;
  }

  /**
   * Loads a module's services into the running server, whose clients need not stop.
   *
   * @throws {Error} when the module does not load, with the worker's message
   */
  async register(serviceUrl: string | URL): Promise<void> {
    const requestId = this.#nextRequestId++;
    const answer = Promise.withResolvers<void>();
    this.#registrations.set(requestId, answer);
    this.#worker.postMessage({ kind: "register", requestId, serviceUrl: String(serviceUrl) });
    const raise = () => this.#channel.raiseAttention();
    raise();
    const timer = setInterval(raise, ATTENTION_MILLISECONDS);
    await answer.promise.finally(() => clearInterval(timer));
  }

  /**
   * Ends the worker at once, whatever it does. Calls that it held are answered with status
   * `serverGone`; when it was the last server, so are all others and the channel is stopped.
   */
  terminate(): void {
    this.#worker.terminate();
    this.#leave();
    this.#done.resolve();
  }

  #receive(reply: ServerReply): void {
    if (reply.kind === "ready") this.#ready.resolve(reply.serverId);
    else if (reply.kind === "fault") this.#onFault(reply.fault);
    else if (reply.kind === "registered") this.#settle(reply.requestId, reply.failure);
    else if (reply.kind === "failed") this.#fail(reply);
    else this.#end();
  }

  #settle(requestId: number, failure: FailureReport | undefined): void {
    const answer = this.#registrations.get(requestId);
    this.#registrations.delete(requestId);
    if (failure) answer?.reject(workerError(failure));
    else answer?.resolve();
  }

  #fail(failure: FailureReport): void {
    const error = workerError(failure);
    this.#worker.terminate();
    this.#ready.reject(error);
    this.#done.reject(error);
    this.#leave();
  }

  #end(): void {
    this.#isOver = true;
    this.#done.resolve();
    this.#rejectRegistrations();
  }

  /** Settles what the dead worker left behind in the channel. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rejectRegistrations();
    if (this.#serverId === 0) return;
    reclaimServer(this.#channel, this.#serverId);
    this.#channel.abandonServing();
  }

  #rejectRegistrations(): void {
    const error = new Error("Cannot register services as the server has left");
    for (const answer of this.#registrations.values()) answer.reject(error);
    this.#registrations.clear();
  }
}

function workerError(failure: FailureReport): Error {
  return new Error(`Cannot go on with the server worker: ${failure.message}`, {
    cause: failure.stack,
  });
}
