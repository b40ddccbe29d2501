import { checkChoice } from "../../text/choice.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { KernelHeap } from "../heap/device_heap.ts";
import type { DeviceTask, Readback, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { isSparse, type MailboxReport } from "./channel/channel_download.ts";
import { EpochCycle } from "./epoch_cycle.ts";
import type { EpochReport } from "./epoch_report.ts";
import { checkSynchronous, type EpochServer } from "./epoch_server.ts";
import { HandlerWaiter } from "./handler_waiter.ts";
import { type Kernel, pipelineOf } from "./kernel.ts";
import type { KernelPipeline } from "./kernel_pipeline.ts";

/** The choices for all runs of a kernel. */
export interface EpochOptions {
  /** How results come back. When absent, the fastest way that a probe of the device allows. */
  readonly readback?: ReadbackName;
  /** Told of each mailbox that the kernel has overwritten with what no client could write. */
  readonly onBadMailbox?: (report: MailboxReport) => void;
}

/** Limits of one run. */
export interface RunOptions {
  /** A kernel that has not finished after so many epochs is given up; 100 000 when absent. */
  readonly epochsMax?: number;
  /** Ends the run between two epochs, with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * What becomes of a run when the server refused a call, or its handler failed: `reject` when
   * absent, once the kernel has finished. `count` is for kernels that look at `reply_status()`.
   */
  readonly refusals?: "reject" | "count";
}

/** How long a run keeps the event loop from others: where somebody waits for a turn, and else. */
const TURN_MILLISECONDS = { awaited: 20, unawaited: 250 } as const;
const REFUSALS: readonly string[] = ["reject", "count"];
const EPOCHS_MAX_DEFAULT = 100_000;

/**
 * Runs a kernel whose waves call the host: submit, copy out, serve, copy in, and again, until no
 * wave waits. The server is the one that Workers use, with its services.
 *
 * A handler that receives several packets in one call waits for a wave that runs in a later epoch
 * only. Give the server this object's `portWaiter`. An asynchronous handler (`registerAsync`) works
 * with every way of reading back, and so does a kernel's `print()`. A synchronous one works with eager
 * readback only, as the waiter runs the epochs inside the handler; with awaited readback its call
 * fails with a message.
 *
 * Several kernels on channels of their own may run at once: their awaited readbacks overlap.
 *
 * @example A kernel that asks the host to double a number
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Epochs } from "./epochs.ts";
 * import { Kernel } from "./kernel.ts";
 *
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 1 });
 *   const kernel = await Kernel.create(gpu, {
 *     channel,
 *     waveCount: 4,
 *     source: `fn step_0() { packet_set(0, wave_index); call(40000); }`,
 *   });
 *   const epochs = await Epochs.create(kernel);
 *   const server = new Server(channel, { portWaiter: epochs.portWaiter });
 *   server.register(40_000, (port) =>
 *     port.recvAndSend((packet) => packet.setUint32(0, 0, 2 * packet.getUint32(0, 0))));
 *   const { packetCount } = await epochs.run(server);
 *   if (packetCount !== 4) throw new Error("each wave calls once");
 *   epochs.destroy();
 * }
 * ```
 */
export class Epochs {
  /** What the server has to wait with in the middle of a call. */
  readonly portWaiter: PortWaiter;
  readonly #pipeline: KernelPipeline;
  readonly #cycle: EpochCycle;
  readonly #readback: Readback;

  private constructor(
    pipeline: KernelPipeline,
    readback: Readback,
    onBadMailbox: (report: MailboxReport) => void,
  ) {
    this.#pipeline = pipeline;
    this.#readback = readback;
    this.#cycle = new EpochCycle(pipeline, onBadMailbox);
    this.portWaiter = new HandlerWaiter(pipeline, this.#cycle, readback);
  }

  /** Prepares to run a kernel; probes the device unless told how to read back. */
  static async create(kernel: Kernel, options: EpochOptions = {}): Promise<Epochs> {
    const { onBadMailbox = () => {} } = options;
    const pipeline = pipelineOf(kernel);
    const readback = await createReadback(pipeline.gpu.device, {
      bytes: pipeline.heap?.readbackBytes(pipeline.readbackBytes()) ?? pipeline.readbackBytes(),
      readback: options.readback,
    });
    pipeline.heap?.attach(readback);
    return new Epochs(pipeline, readback, onBadMailbox);
  }

  /** How results come back. */
  get readback(): ReadbackName {
    return this.#readback.name;
  }

  /** The kernel's heap, for the `ApiServer`; throws a `TypeError` when it has none. */
  get heap(): KernelHeap {
    const { heap } = this.#pipeline;
    if (heap) return heap;
    throw new TypeError("Cannot use the heap as the kernel has none: give it heapBytes");
  }

  /**
   * Runs the kernel from its first step until no wave waits.
   *
   * @throws {TypeError} when there is no such choice of `refusals`
   * @throws {KernelError} when a wave broke a rule, after the others have finished
   * @throws {CallError} when the server refused a call or its handler failed, unless these only count
   * @throws {DOMException} `TimeoutError` beyond `epochsMax`, `OperationError` when the device has
   * refused an epoch or is lost, and the signal's reason when it is aborted
   */
  async run(server: EpochServer, options: RunOptions = {}): Promise<EpochReport> {
    const { signal } = options;
    const turns = new LoopTurns();
    this.#start(options);
    server.tellFaults?.((fault) => this.#cycle.totals.addFault(fault));
    try {
      do {
        signal?.throwIfAborted();
        await this.#readback.run(this.#batch(server, signal !== undefined));
        await turns.take();
        while (this.#hasToWait(server)) {
          signal?.throwIfAborted();
          await turns.take();
          server.pollPending?.();
        }
      } while (this.#goesOn(server));
      const { heap } = this.#pipeline;
      if (heap) await this.#readback.run(heap.takeCalls());
      return this.#cycle.report(options.refusals ?? "reject");
    } finally {
      this.#cycle.stop();
      server.cancelPending?.("The run of the kernel has ended");
      server.tellFaults?.();
      await this.#readback.settle();
    }
  }

  #start({ refusals, epochsMax = EPOCHS_MAX_DEFAULT }: RunOptions): void {
    checkChoice("run the kernel", { refusals }, REFUSALS);
    this.#cycle.start(epochsMax);
  }

  #goesOn(server: EpochServer): boolean {
    return this.#cycle.isActive && !server.hasEnded;
  }

  /** Whether nothing can go on before an asynchronous handler has. */
  #hasToWait(server: EpochServer): boolean {
    return (server.isBusy ?? false) && !server.hasEnded &&
      (!this.#cycle.isActive || this.#cycle.isStuck);
  }

  /**
   * As `run`, without an event loop in between: for a program that may block, and for measuring.
   *
   * @throws {TypeError} when results come back in the awaited way, or a service is asynchronous
   */
  runNow(server: EpochServer, options: RunOptions = {}): EpochReport {
    checkSynchronous(server, "run()");
    this.#start(options);
    server.tellFaults?.((fault) => this.#cycle.totals.addFault(fault));
    try {
      this.#readback.runNow(this.#epochs(server, Infinity));
      return this.#cycle.report(options.refusals ?? "reject");
    } finally {
      this.#cycle.stop();
      server.tellFaults?.();
    }
  }

  /**
   * Runs so many epochs of a kernel that does not end, on top of those before; the first call starts
   * it from its first step. For measuring: what an epoch costs, without beginnings and ends.
   *
   * @throws {TypeError} when results come back in the awaited way, or a service is asynchronous
   */
  advanceNow(server: EpochServer, epochCount: number): void {
    checkSynchronous(server, "advance()");
    this.#readback.runNow(this.#advance(server, epochCount));
  }

  /** As {@linkcode advanceNow}, in either way of reading back. */
  async advance(server: EpochServer, epochCount: number): Promise<void> {
    await this.#readback.run(this.#advance(server, epochCount));
    await this.#readback.settle();
  }

  /** Epochs until the kernel ends, at most so many. */
  *#epochs(server: EpochServer, epochCount: number): DeviceTask<void> {
    for (let count = 0; count < epochCount; count++) {
      this.#serve(server, yield* this.#cycle.epoch());
      if (!this.#goesOn(server)) return;
    }
  }

  /** Epochs until the kernel ends, or somebody else has a turn. */
  *#batch(server: EpochServer, isSignaled: boolean): DeviceTask<void> {
    const isAwaited = isSignaled || server.hasAsync || server.isBusy;
    const endMilliseconds = performance.now() +
      TURN_MILLISECONDS[isAwaited ? "awaited" : "unawaited"];
    do yield* this.#epochs(server, 1); while (
      this.#goesOn(server) && !this.#hasToWait(server) && performance.now() < endMilliseconds
    );
  }

  *#advance(server: EpochServer, epochCount: number): DeviceTask<void> {
    if (!this.#cycle.isRunning) this.#cycle.start(Number.MAX_SAFE_INTEGER);
    yield* this.#epochs(server, epochCount);
  }

  #serve(server: EpochServer, sentCount: number): void {
    const { epochCount } = this.#cycle;
    server.pollPending?.();
    let left = sentCount;
    if (isSparse(sentCount, this.#pipeline.deviceChannel.channel.layout.portCount)) {
      while (left > 0 && server.serveOnce()) left--;
    }
    if (left > 0) server.serveAll();
    // A handler that waited has run epochs, in which other waves may have sent on ports that the
    // search had passed.
    if (this.#cycle.epochCount !== epochCount) { while (server.serveAll() > 0); }
  }

  /** Frees the device's memory, the kernel's included. */
  destroy(): void {
    this.#readback.destroy();
    this.#pipeline.destroy();
  }
}
