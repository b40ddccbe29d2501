import type { Channel, WaiterName } from "../../core/mod.ts";
import type { ClientInit } from "./client_worker.ts";
import { ForkJoin } from "./fork_join.ts";
import { nextReply } from "../partner/worker_reply.ts";

/** How many clients there are and how they wait. */
export interface ClientPoolOptions {
  readonly channel: Channel;
  readonly waiter: WaiterName;
  readonly clientCount: number;
}

/** Client Workers that make calls on one channel at the same time, and sleep in between. */
export class ClientPool {
  readonly #forkJoin: ForkJoin;
  readonly #workers: readonly Worker[];

  private constructor(forkJoin: ForkJoin, workers: readonly Worker[]) {
    this.#forkJoin = forkJoin;
    this.#workers = workers;
  }

  /** Starts the Workers; returns when all of them can call. */
  static async start(options: ClientPoolOptions): Promise<ClientPool> {
    const forkJoin = new ForkJoin();
    const { channel: { handle }, waiter, clientCount } = options;
    const shared = { handle, waiter, forkBuffer: forkJoin.buffer, clientCount };
    const workers = await Promise.all(
      Array.from(
        { length: clientCount },
        (_, clientIndex) => startClient({ ...shared, clientIndex }),
      ),
    );
    return new ClientPool(forkJoin, workers);
  }

  /**
   * Shares the calls among the clients; returns when the last one is done. Blocks.
   *
   * @throws {Error} when a client failed, with its words
   */
  call(callCount: number): void {
    this.#forkJoin.fork({ callCount, workerCount: this.#workers.length });
    this.#forkJoin.join();
  }

  /** Ends the Workers. */
  async [Symbol.asyncDispose](): Promise<void> {
    const replies = this.#workers.map((worker) => nextReply(worker));
    this.#forkJoin.stop();
    await Promise.all(replies);
    for (const worker of this.#workers) worker.terminate();
  }
}

async function startClient(init: ClientInit): Promise<Worker> {
  const url = new URL("./client_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const ready = nextReply(worker);
  worker.postMessage(init);
  await ready;
  return worker;
}
