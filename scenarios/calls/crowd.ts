import {
  Channel,
  type ChannelShape,
  type ServerHandle,
  startServer,
  type WaiterName,
} from "../../core/mod.ts";
import type { Partner } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { assignIncrementServer } from "./increment_server.ts";
import { WorkerLink } from "../../core/worker/worker_link.ts";
import type { ClientRequest, ClientStart } from "./client_worker.ts";
import { ForkJoin } from "./fork_join.ts";

/** How many there are on the channel, and how all of them wait. */
export interface CrowdOptions {
  readonly clientCount: number;
  /** The partner is the first; 1 when absent. */
  readonly serverCount?: number;
  readonly waiter: WaiterName;
}

/** Several time slices of the scheduler, because there may be more Workers than cores. */
export const CROWD_SAMPLE_SECONDS_MIN = 0.04;

/**
 * Prepares calls of several clients, each in a Worker, to one server or more: a sample ends with the
 * last client, and has the calls of all.
 */
export async function prepareCrowd(
  shape: ChannelShape,
  partner: Partner,
  { clientCount, serverCount = 1, waiter }: CrowdOptions,
): Promise<Trial & { readonly channel: Channel }> {
  const channel = Channel.create(shape);
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter });
  const others = await Promise.all(
    Array.from({ length: serverCount - 1 }, () => startOther(channel, waiter)),
  );
  const clients = await ClientPool.start({ channel, waiter, clientCount });
  return {
    channel,
    run: (callCount: number) => clients.call(callCount),
    wake,
    rest,
    async [Symbol.asyncDispose]() {
      channel.shutDown();
      await Promise.all(others.map(({ done }) => done));
      await clients[Symbol.asyncDispose]();
    },
  };
}

/** It serves on while the partner rests, and sleeps as nobody calls. */
function startOther(channel: Channel, waiter: WaiterName): Promise<ServerHandle> {
  const services = [new URL("./increment.ts", import.meta.url)];
  return startServer(channel, { services, waiter });
}

/** Client Workers that make calls on one channel at the same time, and sleep in between. */
export class ClientPool {
  readonly #forkJoin: ForkJoin;
  readonly #clients: readonly PoolClient[];

  private constructor(forkJoin: ForkJoin, clients: readonly PoolClient[]) {
    this.#forkJoin = forkJoin;
    this.#clients = clients;
  }

  /** Starts the Workers; returns when all of them can call. */
  static async start(
    options: CrowdOptions & { readonly channel: Channel },
  ): Promise<ClientPool> {
    const forkJoin = new ForkJoin();
    const { channel: { handle }, waiter, clientCount } = options;
    const shared = { handle, waiter, forkBuffer: forkJoin.buffer, clientCount };
    const clients = await Promise.all(
      Array.from(
        { length: clientCount },
        (_, clientIndex) => startClient({ ...shared, kind: "start", clientIndex }),
      ),
    );
    return new ClientPool(forkJoin, clients);
  }

  /**
   * Shares the calls among the clients; returns when the last one is done. Blocks.
   *
   * @throws {Error} when a client failed, with its words
   */
  call(callCount: number): void {
    this.#forkJoin.fork({ callCount, workerCount: this.#clients.length });
    this.#forkJoin.join();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forkJoin.stop();
    await Promise.all(this.#clients.map((client) => client.ended));
    for (const { link } of this.#clients) link.terminate();
  }
}

interface PoolClient {
  readonly link: WorkerLink<ClientRequest>;
  readonly ended: Promise<void>;
}

async function startClient(start: ClientStart): Promise<PoolClient> {
  const link = new WorkerLink<ClientRequest>(new URL("./client_worker.ts", import.meta.url));
  await link.ask(start);
  return { link, ended: link.ask({ kind: "work" }) };
}
