import type { Channel, WaiterName } from "../../core/mod.ts";
import type { ClientInit } from "./client_worker.ts";
import { CrewGate } from "./fork_join.ts";
import { nextReply } from "../partner/worker_reply.ts";

/** How large a crew is and how its members wait. */
export interface CrewOptions {
  readonly channel: Channel;
  readonly waiter: WaiterName;
  readonly clientCount: number;
}

/** Client Workers that make calls on one channel at the same time, and sleep in between. */
export class ClientCrew {
  readonly #gate: CrewGate;
  readonly #workers: readonly Worker[];

  private constructor(gate: CrewGate, workers: readonly Worker[]) {
    this.#gate = gate;
    this.#workers = workers;
  }

  /** Starts the Workers; returns when all are ready for orders. */
  static async start(options: CrewOptions): Promise<ClientCrew> {
    const gate = new CrewGate();
    const { channel: { handle }, waiter, clientCount } = options;
    const workers = await Promise.all(
      Array.from(
        { length: clientCount },
        (_, clientIndex) =>
          startClient({ handle, waiter, gateBuffer: gate.buffer, clientIndex, clientCount }),
      ),
    );
    return new ClientCrew(gate, workers);
  }

  /**
   * Shares the calls among the clients; returns when the last one is done. Blocks.
   *
   * @throws {Error} when a client failed, with its words
   */
  call(callCount: number): void {
    this.#gate.order({ callCount, memberCount: this.#workers.length });
    this.#gate.awaitDone();
  }

  /** Sends the Workers home. */
  async [Symbol.asyncDispose](): Promise<void> {
    const replies = this.#workers.map((worker) => nextReply(worker));
    this.#gate.stop();
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
