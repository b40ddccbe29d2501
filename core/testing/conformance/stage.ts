import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { type ServerHandle, startServer } from "../../worker/start_server.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { ClientBoot } from "./client_worker.ts";
import type { ProgramName } from "./programs.ts";

const SERVICES = new URL("./services.ts", import.meta.url);

/** A client worker that runs a program. */
export interface RunningClient {
  readonly worker: Worker;
  readonly clientId: number;
  /** What the program returned, or the error that it ended with. */
  readonly done: Promise<number>;
}

/** How many take part, and how they wait. */
export interface StagePlan extends ChannelShape {
  readonly serverCount?: number;
  readonly waiter?: WaiterName;
}

/**
 * A channel with servers in workers, on which client workers run programs. Terminates what it
 * started when it is disposed of.
 */
export class Stage implements AsyncDisposable {
  readonly channel: Channel;
  readonly servers: ServerHandle[] = [];
  readonly #waiter: WaiterName;
  readonly #workers: Worker[] = [];

  constructor(plan: StagePlan) {
    this.channel = Channel.create(plan);
    this.#waiter = plan.waiter ?? "adaptive";
  }

  static async set(plan: StagePlan): Promise<Stage> {
    const stage = new Stage(plan);
    for (let server = 0; server < (plan.serverCount ?? 1); server++) {
      const options = { services: [SERVICES], waiter: stage.#waiter };
      stage.servers.push(await startServer(stage.channel, options));
    }
    return stage;
  }

  /** Starts a client worker; returns when it has its client. */
  async start(
    program: ProgramName,
    place: { readonly clientIndex: number; readonly clientCount: number } = ALONE,
  ): Promise<RunningClient> {
    const worker = new Worker(new URL("./client_worker.ts", import.meta.url), { type: "module" });
    this.#workers.push(worker);
    const ready = Promise.withResolvers<number>();
    const done = Promise.withResolvers<number>();
    done.promise.catch(() => {});
    worker.onmessage = ({ data }) => {
      if (data.kind === "ready") ready.resolve(data.clientId);
      else if (data.kind === "done") done.resolve(data.result);
      else done.reject(new Error(data.message, { cause: data.stack }));
    };
    const boot: ClientBoot = {
      handle: this.channel.handle,
      program,
      waiter: this.#waiter,
      ...place,
    };
    worker.postMessage(boot);
    return { worker, clientId: await ready.promise, done: done.promise };
  }

  /** Runs a program on several clients at once, to the end; returns their results. */
  async run(program: ProgramName, clientCount = 1): Promise<number[]> {
    const clients: RunningClient[] = [];
    for (let clientIndex = 0; clientIndex < clientCount; clientIndex++) {
      clients.push(await this.start(program, { clientIndex, clientCount }));
    }
    return await Promise.all(clients.map((client) => client.done));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.channel.shutDown();
    const limit = AbortSignal.timeout(2000);
    const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
    await Promise.race([Promise.allSettled(this.servers.map((server) => server.done)), late]);
    for (const server of this.servers) server.terminate();
    for (const worker of this.#workers) worker.terminate();
  }
}

const ALONE = { clientIndex: 0, clientCount: 1 };
