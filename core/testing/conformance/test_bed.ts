import { Channel } from "../../toggle/channel.ts";
import { snapshotPort } from "../../toggle/port_snapshot.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { type ServerHandle, startServer } from "../../worker/start_server.ts";
import { Deadline } from "../../wait/deadline.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { WorkerLink } from "../../worker/worker_link.ts";
import type { ClientRequest } from "./client_worker.ts";
import type { ClientPlace, ProgramName } from "./programs.ts";

/** The services of the programs; a module for `startServer`. */
export const SERVICES = new URL("./services.ts", import.meta.url);

/** A client worker that runs a program. */
export interface RunningClient {
  readonly link: WorkerLink<ClientRequest>;
  readonly clientId: number;
  /** What the program returned, or the error that it ended with. */
  readonly done: Promise<number>;
}

/** How many take part, and how they wait. */
export interface TestBedPlan extends ChannelShape {
  readonly serverCount?: number;
  /** `page` for clients of the one page. */
  readonly waiter?: WaiterName | "page";
}

/**
 * A channel with servers in workers, on which client workers run programs. Terminates what it
 * started when it is disposed of.
 */
export class TestBed implements AsyncDisposable {
  readonly channel: Channel;
  readonly servers: ServerHandle[] = [];
  readonly #waiter: WaiterName | "page";
  readonly #clients: WorkerLink<ClientRequest>[] = [];

  constructor(plan: TestBedPlan) {
    this.channel = Channel.create(plan);
    this.#waiter = plan.waiter ?? "adaptive";
  }

  static async start(plan: TestBedPlan): Promise<TestBed> {
    const bed = new TestBed(plan);
    const { serverCount: count = 1 } = plan;
    const waiter = bed.#waiter === "page" ? "adaptive" : bed.#waiter;
    const options = { services: [SERVICES], waiter };
    const starts = Array.from({ length: count }, () => startServer(bed.channel, options));
    bed.servers.push(...await Promise.all(starts));
    return bed;
  }

  /** Starts a client worker and a program on it; returns when the worker has its client. */
  async startClient(program: ProgramName, place: ClientPlace = ALONE): Promise<RunningClient> {
    const link = new WorkerLink<ClientRequest>(new URL("./client_worker.ts", import.meta.url));
    this.#clients.push(link);
    const { handle } = this.channel;
    const clientId = await link.ask<number>({ kind: "attach", handle, waiter: this.#waiter });
    const done = link.ask<number>({ kind: "run", program, place });
    done.catch(() => {});
    return { link, clientId, done };
  }

  /** Runs a program on several clients at once, to the end; returns their results. */
  async run(program: ProgramName, clientCount = 1): Promise<number[]> {
    // Started together: to start is most of the time on some runtimes.
    const clients = await Promise.all(
      Array.from(
        { length: clientCount },
        (_, clientIndex) => this.startClient(program, { clientIndex, clientCount }),
      ),
    );
    return await Promise.all(clients.map((client) => client.done));
  }

  /** Returns when the client holds a port. */
  async untilHeld(clientId: number): Promise<void> {
    const holds = (index: number) => snapshotPort(this.channel, index).clientLock === clientId;
    const indexes = Array.from({ length: this.channel.layout.portCount }, (_, index) => index);
    while (!indexes.some(holds)) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.channel.shutDown();
    const limit = AbortSignal.timeout(2000);
    const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
    await Promise.race([Promise.allSettled(this.servers.map((server) => server.done)), late]);
    await Promise.all(this.servers.map((server) => server.terminate()));
    await Promise.all(this.#clients.map((client) => client.terminate()));
  }
}

/** Returns when the condition holds; looks every millisecond, without blocking, for 20 s at most. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = new Deadline({ timeoutSeconds: 20 });
  while (!condition()) {
    deadline.check("see the condition hold");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const ALONE = { clientIndex: 0, clientCount: 1 };
