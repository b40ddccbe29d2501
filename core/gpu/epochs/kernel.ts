import { checkChoice } from "../../text/nearest.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import type { KernelBuffer } from "../device/bound_pipeline.ts";
import { createReadback } from "../device/create_readback.ts";
import { awaitAlive, type GpuDevice } from "../device/device.ts";
import type { DeviceTask, Readback, ReadbackName } from "../device/readback.ts";
import { checkHeapBytes, heapBytesMax, type KernelHeap, withoutHeap } from "../heap/device_heap.ts";
import { checkIntegers, type KernelShape } from "../wgsl/kernel_shape.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import { type KernelSource, kernelSource } from "../wgsl/kernel_source.ts";
import { isSparse, type MailboxReport } from "./channel/channel_download.ts";
import { EpochCycle } from "./epoch_cycle.ts";
import type { EpochReport } from "./epoch_report.ts";
import { HandlerWaiter } from "./handler_waiter.ts";
import { KernelPipeline } from "./kernel_pipeline.ts";

/** The part of `Server` that a run needs. */
export interface EpochServer {
  /** Serves at most one port; returns whether there was one. */
  runOnce(): boolean;
  /** As `runOnce`, a moment longer: for who does nothing else; `runOnce` when absent. */
  watchOnce?(): boolean;
  /** Serves every port that has a call; returns how many had. */
  runAll(): number;
  /** Whether a service has an asynchronous handler; false when absent. */
  readonly hasAsync?: boolean;
  /** Whether an asynchronous handler runs, or a call is pending; false when absent. */
  readonly isBusy?: boolean;
  /** Polls each pending call once; returns how many have ended. */
  pollPending?(): number;
  /** Cancels the pending calls. */
  cancelPending?(why: string): void;
  /**
   * Sets or removes a listener for faults. Without it, errors of a run are cut to what fits into a
   * packet.
   */
  tellFaults?(listener?: (fault: FaultReport) => void): void;
  /**
   * Has handlers wait for further packets as the run says, while it runs; as before when absent. Without it, one
   * that sleeps in the run's own thread keeps from going on whom it waits for.
   */
  lendWaiter?(waiter?: WaiterName | PortWaiter): void;
  /** Whether the run ends now, even if waves have not finished; false when absent. */
  readonly hasEnded?: boolean;
  /** Sets or removes what is called when it has, before the caller has its reply. */
  tellEnd?(listener?: () => void): void;
}

/** Options of {@linkcode Kernel.create}. */
export interface KernelOptions extends KernelShape {
  /** The author's kernel in WGSL: `fn kernel()`, or steps. */
  readonly source: string;
  /** The channel of which the kernel's waves are the only clients. */
  readonly channel: Channel;
  /** How many waves of `laneCount` lanes run, 1 to 65535. */
  readonly waveCount: number;
  /** Buffers that the kernel uses, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /**
   * Bytes of heap, a multiple of 16, which functions of the host read and write as well: see
   * `Kernel.heap`. No heap when absent.
   */
  readonly heapBytes?: number;
  /** Whether to time the kernel by the device's clock, if it has one: see `EpochReport.kernelSeconds`. */
  readonly timed?: boolean;
  /** How results are read back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName | undefined;
  /** Called for each mailbox that the kernel has overwritten with a value that violates the protocol. */
  readonly onBadMailbox?: (report: MailboxReport) => void;
}

/** Options of one run. */
export interface RunOptions {
  /** The run fails if the kernel has not finished after this many epochs; 100 000 when absent. */
  readonly epochsMax?: number;
  /** Ends the run between two epochs, with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Whether a run rejects, once the kernel has finished, if the server rejected a call or its handler
   * failed, or only counts such calls, for kernels that check `reply_status()`; `reject` when absent.
   */
  readonly refusals?: "reject" | "count";
}

/** The low half of a lock word counts the waves that want the lock. */
const WAVE_COUNT_MAX = 65535;
/** How long a run blocks the event loop, if something else waits for a turn, and otherwise. */
const TURN_MILLISECONDS = { awaited: 20, unawaited: 250 } as const;
const REFUSALS: readonly string[] = ["reject", "count"];
const EPOCHS_MAX_DEFAULT = 100_000;

/**
 * A compiled kernel whose waves call the host, with the memory of its waves. A run repeats submit, copy
 * out, serve and copy in until no wave waits. The server is an ordinary one, as Workers use it.
 *
 * The author writes `fn kernel()` in ordinary WGSL, and declares the functions of the host that it
 * calls, such as `@service(40000) fn square(x: u32) -> u32;`. `../kernel/README.md` has the details,
 * and describes kernels written as steps. `wgsl/kernel_api.wgsl` and `wgsl/kernel_stream.wgsl` list the
 * functions available to both.
 *
 * A handler that receives several packets in one call waits in a way of its own, which a run lends its server;
 * who runs epochs by `advance` gives the server this object's `portWaiter`. All packets of a stream, as of
 * `print()` and `printf()`, come with one epoch. Other packets come from a wave that only runs in a later epoch.
 * Asynchronous handlers (`operatePortAsync`) may wait for those with every way of reading back. Synchronous
 * handlers require eager readback, as the waiter runs epochs inside the handler; with awaited readback the call
 * fails.
 *
 * Several kernels, each on its own channel, may run at once: their awaited readbacks overlap.
 *
 * @example A kernel that asks the host to double a number
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Kernel } from "./kernel.ts";
 *
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 1 });
 *   const source = `
 *     @service(40000) fn double(x: u32) -> u32;
 *     fn kernel() { _ = double(wave_index); }`;
 *   const kernel = await Kernel.create(gpu, { channel, waveCount: 4, source });
 *   const server = new Server(channel);
 *   server.operate(40_000, (packet) => packet.setUint32(0, 0, 2 * packet.getUint32(0, 0)));
 *   const { packetCount } = await kernel.runAsync(server);
 *   if (packetCount !== 4) throw new Error("each wave calls once");
 *   kernel.destroy();
 * }
 * ```
 */
export class Kernel {
  /** How a server waits in the middle of a call: a run lends it; for servers of `advance`, and by hand. */
  readonly portWaiter: PortWaiter;
  readonly #pipeline: KernelPipeline;
  readonly #cycle: EpochCycle;
  readonly #readback: Readback;

  private constructor(
    pipeline: KernelPipeline,
    readback: Readback,
    onBadMailbox: (report: MailboxReport) => void = () => {},
  ) {
    this.#pipeline = pipeline;
    this.#readback = readback;
    this.#cycle = new EpochCycle(pipeline, onBadMailbox);
    this.portWaiter = new HandlerWaiter(pipeline, this.#cycle, readback);
  }

  /**
   * Compiles a kernel and allocates its memory. Probes the device unless `readback` is given.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {PrintfError} at an invalid `printf`
   * @throws {TypeError} when the text has neither a kernel nor steps, or another client holds a port of
   * the channel
   * @throws {RangeError} when a count is out of bounds or beyond what the device can hold
   * @throws {DOMException} `NotSupportedError` when eager readback is requested and failed its probe
   * @internal `text` is one that was read before
   */
  static async create(
    gpu: GpuDevice,
    options: KernelOptions,
    text: string | KernelText = options.source,
  ): Promise<Kernel> {
    const { heapBytes, readback, onBadMailbox } = options;
    await awaitAlive(gpu, "make a kernel");
    const source = kernelSource(text, { ...options, layout: options.channel.layout });
    checkCounts(gpu.device, options, source);
    if (heapBytes !== undefined) {
      checkHeapBytes(heapBytesMax(gpu.device), heapBytes, source.heapTexts!);
    }
    const pipeline = await KernelPipeline.create(gpu, options, source);
    const bytes = Math.max(pipeline.readbackBytes(), pipeline.deviceChannel.tailsBytes);
    try {
      const back = await createReadback(gpu.device, {
        bytes: pipeline.heap?.readbackBytes(bytes) ?? bytes,
        readback,
      });
      pipeline.heap?.attach(back);
      return new Kernel(pipeline, back, onBadMailbox);
    } catch (error) {
      pipeline.destroy();
      throw error;
    }
  }

  /** How many waves run. */
  get waveCount(): number {
    return this.#pipeline.waveCount;
  }

  /** Bytes of the frame, which a lane keeps while it waits for the host. */
  get frameBytes(): number {
    return this.#pipeline.source.frameBytes;
  }

  /** How results are read back. */
  get readback(): ReadbackName {
    return this.#readback.name;
  }

  /** The kernel's heap, for `ApiServer`; throws a `TypeError` if it has none. */
  get heap(): KernelHeap {
    const { heap } = this.#pipeline;
    if (heap) return heap;
    throw withoutHeap();
  }

  /**
   * Runs the kernel from its first step until no wave waits.
   *
   * @throws {TypeError} when there is no such choice of `refusals`
   * @throws {CallError} when the server rejected a call or its handler failed, unless these are only
   * counted
   * @throws {KernelError} when a wave broke a rule, after the others have finished
   * @throws {DOMException} `TimeoutError` beyond `epochsMax`, `OperationError` when the device rejected
   * an epoch or is lost, and the signal's reason when it is aborted
   */
  async runAsync(server: EpochServer, options: RunOptions = {}): Promise<EpochReport> {
    const { signal, refusals = "reject" } = options;
    const turns = new LoopTurns();
    this.#start(server, options);
    try {
      do {
        signal?.throwIfAborted();
        await this.#readback.runAsync(this.#batch(server, signal !== undefined));
        await turns.take();
        while (this.#hasToWait(server)) {
          signal?.throwIfAborted();
          await turns.take();
          server.pollPending?.();
        }
      } while (this.#goesOn(server));
      const { heap } = this.#pipeline;
      if (heap) await this.#readback.runAsync(heap.takeCalls());
      return this.#cycle.report(refusals);
    } catch (error) {
      return this.#cycle.report(refusals, { error });
    } finally {
      this.#cycle.stop();
      server.cancelPending?.("The run of the kernel has ended");
      server.tellFaults?.();
      server.lendWaiter?.();
      await this.#readback.settle();
    }
  }

  #start(server: EpochServer, { refusals, epochsMax = EPOCHS_MAX_DEFAULT }: RunOptions): void {
    checkChoice("run the kernel", { refusals }, REFUSALS);
    this.#cycle.start(epochsMax);
    server.tellFaults?.((fault) => this.#cycle.totals.addFault(fault));
    server.lendWaiter?.(this.portWaiter);
  }

  #goesOn(server: EpochServer): boolean {
    return this.#cycle.isActive && !server.hasEnded;
  }

  /** Whether nothing can continue before an asynchronous handler does. */
  #hasToWait(server: EpochServer): boolean {
    return (server.isBusy ?? false) && !server.hasEnded &&
      (!this.#cycle.isActive || this.#cycle.isStuck);
  }

  /**
   * Like {@linkcode runAsync}, but blocks: for programs without an event loop, and for measuring.
   *
   * @throws {TypeError} when results are awaited, or a service is asynchronous
   */
  run(server: EpochServer, options: RunOptions = {}): EpochReport {
    const { refusals = "reject" } = options;
    checkSynchronous(server, "runAsync");
    this.#start(server, options);
    try {
      this.#readback.run(this.#epochs(server, Infinity));
      return this.#cycle.report(refusals);
    } catch (error) {
      return this.#cycle.report(refusals, { error });
    } finally {
      this.#cycle.stop();
      server.tellFaults?.();
      server.lendWaiter?.();
    }
  }

  /**
   * Runs further epochs of a kernel that does not end; the first call starts it. This measures the cost
   * of an epoch without that of starting and finishing.
   *
   * @throws {TypeError} when results are awaited, or a service is asynchronous
   */
  advance(server: EpochServer, epochCount: number): void {
    checkSynchronous(server, "advanceAsync");
    this.#readback.run(this.#advance(server, epochCount));
  }

  /** Like {@linkcode advance}, with either way of reading back. */
  async advanceAsync(server: EpochServer, epochCount: number): Promise<void> {
    await this.#readback.runAsync(this.#advance(server, epochCount));
    await this.#readback.settle();
  }

  /** Runs epochs until the kernel ends, at most `epochCount`. */
  *#epochs(server: EpochServer, epochCount: number): DeviceTask<void> {
    for (let count = 0; count < epochCount; count++) {
      this.#serve(server, yield* this.#cycle.epoch());
      if (!this.#goesOn(server)) return;
    }
  }

  /** Runs epochs until the kernel ends, or the event loop is due a turn. */
  *#batch(server: EpochServer, isSignaled: boolean): DeviceTask<void> {
    const startMilliseconds = performance.now();
    const hasTime = () => {
      const isAwaited = isSignaled || server.hasAsync || server.isBusy;
      const turnMilliseconds = TURN_MILLISECONDS[isAwaited ? "awaited" : "unawaited"];
      return performance.now() - startMilliseconds < turnMilliseconds;
    };
    do yield* this.#epochs(server, 1); while (
      this.#goesOn(server) && !this.#hasToWait(server) && hasTime()
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
      while (left > 0 && server.runOnce()) left--;
    }
    if (left > 0) server.runAll();
    // A handler that waited has run epochs, in which other waves may have sent on ports already
    // searched.
    if (this.#cycle.epochCount !== epochCount) { while (server.runAll() > 0); }
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.#readback.destroy();
    this.#pipeline.destroy();
  }
}

/** @throws {TypeError} when a service is asynchronous, as its calls would never end */
function checkSynchronous({ hasAsync }: EpochServer, method: string): void {
  if (!hasAsync) return;
  throw new TypeError(
    `Cannot run a kernel without an event loop as a service is asynchronous: use ${method}()`,
  );
}

function checkCounts(device: GPUDevice, options: KernelOptions, source: KernelSource): void {
  const { waveCount } = options;
  const { groupSize, wavesPerGroup } = source;
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupsPerDimension } = device.limits;
  if (groupSize > maxComputeInvocationsPerWorkgroup) {
    throw new RangeError(
      `Cannot make a kernel as a workgroup of ${wavesPerGroup} waves must have at most ${maxComputeInvocationsPerWorkgroup} lanes on this device: current value is ${groupSize}`,
    );
  }
  const waveCountMax = Math.min(WAVE_COUNT_MAX, maxComputeWorkgroupsPerDimension * wavesPerGroup);
  checkIntegers("make a kernel", { waveCount: [waveCount, 1, waveCountMax] });
}
