import type { Channel } from "../toggle/channel.ts";
import type { EvictOptions, LeaveReport } from "../toggle/evict.ts";
import { type ServerHandle, startServer, type StartServerOptions } from "./start_server.ts";

/** How to start several servers. */
export interface StartServersOptions extends StartServerOptions {
  /** How many, at least 1; when absent as many as the machine has processors, less one for a client. */
  readonly count?: number;
}

/**
 * Starts several servers for one channel, each in a worker of its own, that end as one. Each call is
 * served by whichever server is free.
 *
 * @throws {RangeError} when the count is not an integer of at least 1
 * @throws {Error} when one of them cannot start; the others are ended before that, and the channel goes on
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Client } from "../toggle/client/client.ts";
 * import { startServers } from "./start_servers.ts";
 *
 * const channel = Channel.create({ portCount: 8, laneCount: 1 });
 * await using pool = await startServers(channel, { count: 2 });
 * new Client(channel).call(0, { fill: () => {}, use: () => {} });
 * if (pool.servers.length !== 2) throw new Error("two servers");
 * ```
 */
export async function startServers(
  channel: Channel,
  options: StartServersOptions = {},
): Promise<ServerPool> {
  const { count = defaultCount(), ...each } = options;
  if (!Number.isInteger(count) || count < 1) {
    throw new RangeError(
      `Cannot start servers as count must be an integer of at least 1: current value is ${count}`,
    );
  }
  const starts = Array.from({ length: count }, () => startServer(channel, each));
  const outcomes = await Promise.allSettled(starts);
  const servers = outcomes.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  const failed = outcomes.find((one) => one.status === "rejected");
  if (!failed) return new ServerPool(servers);
  await endStarted(channel, servers);
  throw failed.reason;
}

/** Counted in meanwhile, so that the last of them does not take along a channel that others may serve. */
async function endStarted(channel: Channel, servers: readonly ServerHandle[]): Promise<void> {
  channel.enterServing();
  await Promise.all(servers.map((server) => server.terminate()));
  channel.leaveServing();
}

/** One processor is left for the client, which is busy while it calls. */
function defaultCount(): number {
  return Math.max((navigator.hardwareConcurrency ?? 1) - 1, 1);
}

/** Servers of one channel that are ended as one. `await using` ends them with its block. */
export class ServerPool implements AsyncDisposable {
  /** The servers one by one, for what concerns one of them. */
  readonly servers: readonly ServerHandle[];

  /** @internal For {@linkcode startServers}. */
  constructor(servers: readonly ServerHandle[]) {
    this.servers = servers;
  }

  /** Settles when all servers have left; rejects with the error of the first that an error ended. */
  get done(): Promise<void> {
    return Promise.all(this.servers.map((server) => server.done)).then(() => {});
  }

  /**
   * Loads a module's services into every server; until it settles, some have them and some do not.
   *
   * @throws {Error} when the module does not load in one of them; others may have its services then
   */
  async register(serviceUrl: string | URL): Promise<void> {
    await Promise.all(this.servers.map((server) => server.register(serviceUrl)));
  }

  /**
   * Ends all servers, each as by `ServerHandle.terminate`. With the last one the channel is stopped.
   *
   * @returns whether all have left, and how many ports those that did not keep together
   */
  async terminate(options: EvictOptions = {}): Promise<LeaveReport> {
    const reports = await Promise.all(this.servers.map((server) => server.terminate(options)));
    return {
      hasLeft: reports.every(({ hasLeft }) => hasLeft),
      heldPortCount: reports.reduce((sum, { heldPortCount }) => sum + heldPortCount, 0),
    };
  }

  /** As {@linkcode terminate}, at the end of a block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminate();
  }
}
