import { errorFrom } from "../call/error_report.ts";
import type { Channel } from "../toggle/channel.ts";
import { type EvictOptions, evictServer, type LeaveReport } from "../toggle/evict.ts";
import { ChannelState } from "../toggle/layout.ts";
import { buryServer } from "../toggle/reclaim.ts";
import { tellListener } from "../memory/sync_result.ts";
import type { FaultReport } from "../toggle/server/dispatch.ts";
import { checkTimeout, Deadline, HANDLER_TIMEOUT_SECONDS } from "../wait/deadline.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { ServerNote, ServerRequest } from "./server_messages.ts";
import type { StartWorker } from "./thread.ts";
import { WorkerLink } from "./worker_link.ts";

/** How often a server is asked again to read its messages, until it answered. */
const ATTENTION_MILLISECONDS = 20;

/** How to start a server in a worker. */
export interface StartServerOptions {
  /** Modules that export `addServices(server: Server): void | Promise<void>`, as absolute URLs. */
  readonly services?: readonly (string | URL)[];
  /** How it waits; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** How long it may take to start, in seconds; 30 when absent. */
  readonly startTimeoutSeconds?: number;
  /** How long a client may take for one step of its call; see `ServerOptions`. */
  readonly clientTimeoutSeconds?: number;
  /**
   * Whether the program goes on while the server runs; true when absent. With `false`, a server that
   * nobody ended ends with the program. Pages do not ask: their workers end with them.
   */
  readonly keepsAlive?: boolean;
  /**
   * Told of each call that was refused or failed. What it throws ends no call; it is thrown again on the
   * event loop, where nobody catches it: an `error` event, as of any listener that throws.
   */
  readonly onFault?: (fault: FaultReport) => void;
}

/**
 * Starts a server in a worker of its own, and returns when it serves. With asynchronous services, also
 * with such that are registered later, it serves on its event loop: calls find it less quickly awake
 * than a server that blocks, so give services for which that matters a server of their own.
 *
 * @throws {Error} when the worker cannot start: a service module that does not load, for example
 * @throws {TypeError} when the channel was shut down, or a URL is not absolute
 * @throws {RangeError} when a timeout is no time
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
  const { services = [], waiter = "adaptive" } = options;
  const { startTimeoutSeconds = HANDLER_TIMEOUT_SECONDS, clientTimeoutSeconds } = options;
  checkTimeout("startTimeoutSeconds", startTimeoutSeconds);
  if (clientTimeoutSeconds !== undefined) {
    checkTimeout("clientTimeoutSeconds", clientTimeoutSeconds);
  }
  const limit = new Deadline({ timeoutSeconds: startTimeoutSeconds });
  const serviceUrls = services.map(absoluteUrl);
  if (channel.state !== ChannelState.running) {
    throw new TypeError("Cannot start a server as the channel was shut down");
  }
  const handle = new ServerHandle(channel, options);
  const server = clientTimeoutSeconds === undefined ? { waiter } : { waiter, clientTimeoutSeconds };
  await handle.start({
    kind: "start",
    handle: channel.handle,
    server,
    serviceUrls,
  }, limit);
  return handle;
}

/** A server that runs in a worker. `await using` ends it with its block. */
export class ServerHandle implements AsyncDisposable {
  readonly #channel: Channel;
  readonly #link: WorkerLink<ServerRequest, ServerNote>;
  readonly #done = Promise.withResolvers<void>();
  #serverId = 0;
  #isOver = false;
  /** Whether the worker crashed, so that its thread is known to have ended. */
  #isDead = false;
  /** How the last request to leave ended; the next one waits for that. */
  #report = Promise.resolve<LeaveReport>({ hasLeft: false, heldPortCount: 0 });

  /** @internal For {@linkcode startServer}. */
  constructor(channel: Channel, options: Pick<StartServerOptions, "onFault" | "keepsAlive">) {
    const { onFault = () => {}, keepsAlive = true } = options;
    this.#channel = channel;
    const start: StartWorker = (Worker) =>
      new Worker(new URL("./server_worker.ts", import.meta.url), { type: "module" });
    this.#link = new WorkerLink(start, {
      onNote: (note) => tellListener(onFault, faultOf(note)),
      onError: (error, isDead) => this.#crash(error, isDead),
      keepsAlive,
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

  /** @internal Makes the first request and has the server serve; for {@linkcode startServer}. */
  async start(request: ServerRequest, limit: Deadline): Promise<void> {
    try {
      const ready = this.#link.ask<number>(request);
      this.#serverId = await inTime(ready, limit);
      // Here, and not in the worker: one that comes too late must not be waited for by a shutdown.
      this.#channel.enterServing();
      const served = this.#link.ask<void>({ kind: "serve" });
      served.then(() => this.#end(), (error) => this.#crash(error, false));
    } catch (error) {
      this.#isOver = true;
      this.#link.terminate();
      throw workerError(error as Error);
    }
  }

  /**
   * Loads a module's services into the running server, whose clients need not stop.
   *
   * @throws {Error} when the module does not load, with the worker's message
   */
  async addServices(serviceUrl: string | URL): Promise<void> {
    if (this.#isOver) throw new Error("Cannot register services as the server has left");
    const answer = this.#link.ask<void>({ kind: "register", serviceUrl: absoluteUrl(serviceUrl) });
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
   * Asks the server to leave, and ends its worker. A call that it works on is finished first; when it
   * does not answer in time, its calls end with status `serverGone` and its ports stay with it, since
   * a worker that runs cannot be ended from outside. In Node it can, and its ports are free then.
   * When it was the last server, the channel is stopped.
   *
   * @param options `timeoutSeconds`: how long a call in progress may take; 1 when absent
   * @returns whether it has left, or how many ports it keeps; later calls say how it stands then
   * @throws {RangeError} when the timeout is no time
   * @throws {TypeError} when it did not answer, on a channel whose locks do not say what it keeps
   */
  async terminate(options: EvictOptions = {}): Promise<LeaveReport> {
    checkTimeout("timeoutSeconds", options.timeoutSeconds ?? Infinity);
    this.#isOver = true;
    return await (this.#report = this.#terminateAfter(this.#report, options));
  }

  async #terminateAfter(
    last: Promise<LeaveReport>,
    options: EvictOptions,
  ): Promise<LeaveReport> {
    const before = await last.catch(() => undefined);
    if (before?.hasLeft) return before;
    const asked = evictServer(this.#channel, this.#serverId, options);
    await Promise.allSettled([asked]);
    this.#done.resolve();
    const isDead = await this.#link.terminate() || this.#isDead;
    if (!isDead || await asked.then(({ hasLeft }) => hasLeft, () => false)) return await asked;
    buryServer(this.#channel, this.#serverId);
    return HAS_LEFT;
  }

  /** As {@linkcode terminate}, at the end of a block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminate();
  }

  #end(): void {
    this.#isOver = true;
    this.#report = Promise.resolve(HAS_LEFT);
    this.#link.terminate();
    this.#done.resolve();
  }

  /**
   * The worker threw where nobody caught it. What it held can be taken where its thread is dead; else,
   * as on a page, it may still serve, and is asked to leave.
   */
  #crash(error: Error, isDead: boolean): void {
    this.#done.reject(workerError(error));
    this.#isDead ||= isDead;
    if (this.#isOver) return;
    if (!isDead && this.#serverId !== 0) return void this.terminate().catch(() => {});
    this.#end();
    if (this.#serverId !== 0) buryServer(this.#channel, this.#serverId);
  }
}

const HAS_LEFT: LeaveReport = { hasLeft: true, heldPortCount: 0 };

/** A relative URL would be looked up beside this library's worker. */
function absoluteUrl(service: string | URL): string {
  const url = String(service);
  if (URL.canParse(url)) return url;
  throw new TypeError(
    `Cannot load services as their URL must be absolute, as that of new URL("./services.ts", import.meta.url): current value is ${url}`,
  );
}

async function inTime<Value>(answer: Promise<Value>, limit: Deadline): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const error = new Error(
    `Cannot wait longer than ${limit.timeoutSeconds} s for the server to start`,
  );
  const timer = setTimeout(() => reject(error), limit.leftMilliseconds);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function faultOf({ cause, ...fault }: ServerNote): FaultReport {
  return cause === undefined ? fault : { ...fault, cause: errorFrom(cause) };
}

function workerError(cause: Error): Error {
  return new Error(`Cannot go on with the server worker: ${cause.message}`, { cause });
}
