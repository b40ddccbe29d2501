import { ASLEEP, PartnerState } from "./partner_state.ts";
import type { PartnerRequest } from "./partner_worker.ts";
import { nextReply } from "./worker_reply.ts";

/** What a partner does in one shift: returns when the shift's signal tells it to rest. */
export type Work = () => void;

/** A module that has something for a partner to do. */
export interface PartnerModule<Init> {
  /** Runs once in the partner's isolate; the work it returns runs once a shift. */
  prepareWork(init: Init): Work;
}

/** What to do, where the partner finds it, and how it is told to stop. */
export interface Assignment {
  /** A {@linkcode PartnerModule}. */
  readonly moduleUrl: string;
  /** Given to `prepareWork`; structured-cloneable. */
  readonly init: unknown;
  readonly transfer?: readonly Transferable[];
  /** Makes the work return; called again and again until it did. */
  readonly signalRest: () => void;
}

/** An assignment that the partner has prepared, to be begun and ended any number of times. */
export interface Shift {
  /** Returns when the partner has begun to work. Blocks. */
  wake(): void;
  /** Returns when the partner has stopped and sleeps. Blocks. */
  rest(): void;
}

/**
 * The thread at the other end of every trial of a point: one Worker that works in shifts.
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
  #worker: Promise<Worker> | undefined;
  #shiftCount = 0;

  /** Has the partner prepare a piece of work. It does not begin yet. */
  async assign(assignment: Assignment): Promise<Shift> {
    const { moduleUrl, init, transfer = [], signalRest } = assignment;
    const shift = ++this.#shiftCount;
    const worker = await this.#started();
    await ask(worker, { kind: "prepare", shift, moduleUrl, init }, transfer);
    return {
      wake: () => this.#wake(worker, shift),
      rest: () => this.#state.awaitShift(ASLEEP, signalRest),
    };
  }

  /** Keeps the partner's thread on one processor; returns whether the system did it. */
  async keepOnCpu(cpu: number): Promise<boolean> {
    return await ask(await this.#started(), { kind: "keepOnCpu", cpu }) === 1;
  }

  /** Bytes that the partner's isolate has ever allocated; the partner must sleep. */
  async allocatedBytes(): Promise<number> {
    return this.#worker ? await ask(await this.#worker, { kind: "allocatedBytes" }) : 0;
  }

  /** @throws {Error} with the partner's own words when its work threw */
  assertWell(): void {
    this.#state.assertWell();
  }

  /** Ends the Worker. Every shift must rest: a Worker that spins cannot be stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    const worker = await this.#worker;
    this.#worker = undefined;
    worker?.terminate();
  }

  #wake(worker: Worker, shift: number): void {
    this.#state.assertWell();
    worker.postMessage({ kind: "work", shift } satisfies PartnerRequest);
    this.#state.awaitShift(shift);
  }

  #started(): Promise<Worker> {
    return this.#worker ??= this.#start();
  }

  async #start(): Promise<Worker> {
    const url = new URL("./partner_worker.ts", import.meta.url);
    const worker = new Worker(url, { type: "module" });
    await ask(worker, { kind: "attach", buffer: this.#state.buffer });
    return worker;
  }
}

function ask(
  worker: Worker,
  request: PartnerRequest,
  transfer: readonly Transferable[] = [],
): Promise<number> {
  const reply = nextReply<number>(worker);
  worker.postMessage(request, [...transfer]);
  return reply;
}
