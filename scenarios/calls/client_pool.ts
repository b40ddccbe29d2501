import type { Channel, WaiterName } from "../../core/mod.ts";
import { WorkerLink } from "../../core/worker/worker_link.ts";
import type { ClientRequest, ClientStart } from "./client_worker.ts";
import { ForkJoin } from "./fork_join.ts";

/** How many clients there are and how they wait. */
export interface ClientPoolOptions {
  readonly channel: Channel;
  readonly waiter: WaiterName;
  readonly clientCount: number;
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
  static async start(options: ClientPoolOptions): Promise<ClientPool> {
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

  /** Ends the Workers. */
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
