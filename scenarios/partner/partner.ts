import { WorkerLink } from "../../core/worker/worker_link.ts";
import { PartnerState } from "./partner_state.ts";
import type { PartnerRequest } from "./partner_worker.ts";

/** What the partner does from `wake()` to `rest()`: a function that returns when told to rest. */
export type Work = () => void;

/** A module that has something for a partner to do. */
export interface PartnerModule<Init> {
  /** Runs once, in the partner's isolate; the work that it returns runs once for each `wake()`. */
  prepareWork(init: Init): Work;
}

/** What the partner is to do, where it finds the code, and how it is told to stop. */
export interface Assignment {
  /** URL of a {@linkcode PartnerModule}. */
  readonly moduleUrl: string;
  /** Given to `prepareWork`; structured-cloneable. */
  readonly init: unknown;
  /** Parts of `init` that move to the partner's isolate; none when absent. */
  readonly transfer?: readonly Transferable[];
  /** Makes the work return. Called again and again until the work has returned. */
  readonly signalRest: () => void;
}

/** Work that the partner has prepared; it can be started and stopped any number of times. */
export interface PreparedWork {
  /** Starts the work; returns when the partner runs it. Blocks. */
  wake(): void;
  /** Stops the work; returns when the partner sleeps. Blocks. */
  rest(): void;
}

/**
 * The thread at the other end of every trial of a point: one Worker that runs one piece of work at a
 * time.
 *
 * A trial and its controls share it, one after the other, because the cost of a round trip depends
 * on which two cores it joins: two partners could sit at different distances, and the ratio of
 * trial to control would measure where the scheduler put them.
 *
 * @example
 * ```ts
 * import { Partner } from "./partner.ts";
 * await using partner = new Partner(); // its Worker starts with the first assignment
 * ```
 */
export class Partner {
  readonly #state = new PartnerState();
  #link: Promise<WorkerLink<PartnerRequest>> | undefined;
  #workCount = 0;
  #cpu: number | undefined;

  /**
   * Has the partner prepare a piece of work, which does not begin yet.
   *
   * @throws {Error} when the module cannot be loaded, or its `prepareWork` throws
   */
  async assign(assignment: Assignment): Promise<PreparedWork> {
    const { moduleUrl, init, transfer = [], signalRest } = assignment;
    const workId = ++this.#workCount;
    const link = await this.#started();
    await link.ask({ kind: "prepare", workId, moduleUrl, init }, transfer);
    return {
      wake: () => this.#wake(link, workId),
      rest: () => this.#state.awaitIdle(signalRest),
    };
  }

  /** Keeps the partner's thread on one processor; returns whether the system did it. */
  async keepOnCpu(cpu: number): Promise<boolean> {
    const isKept = await (await this.#started()).ask<boolean>({ kind: "keepOnCpu", cpu });
    if (isKept) this.#cpu = cpu;
    return isKept;
  }

  /** The processor that the partner was last kept on; nothing where it may run on any. */
  get cpu(): number | undefined {
    return this.#cpu;
  }

  /** Bytes that the partner's isolate has ever allocated; the partner must sleep. */
  async allocatedBytes(): Promise<number> {
    const link = await this.#link;
    return link ? await link.ask<number>({ kind: "allocatedBytes" }) : 0;
  }

  /**
   * Does nothing unless the partner's work threw.
   *
   * @throws {Error} with the partner's own words when its work threw
   */
  throwIfFailed(): void {
    this.#state.throwIfFailed();
  }

  /** Ends the Worker. All work must rest: a Worker in a busy loop cannot be stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    const link = await this.#link;
    this.#link = undefined;
    link?.terminate();
  }

  #wake(link: WorkerLink<PartnerRequest>, workId: number): void {
    this.#state.throwIfFailed();
    link.tell({ kind: "work", workId });
    this.#state.awaitBegun(workId);
  }

  #started(): Promise<WorkerLink<PartnerRequest>> {
    return this.#link ??= this.#start();
  }

  async #start(): Promise<WorkerLink<PartnerRequest>> {
    const url = new URL("./partner_worker.ts", import.meta.url);
    const link = new WorkerLink<PartnerRequest>(url);
    await link.ask({ kind: "attach", buffer: this.#state.buffer });
    return link;
  }
}
