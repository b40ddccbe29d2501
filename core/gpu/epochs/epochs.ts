import type { PortWaiter } from "../../wait/wait.ts";
import type { MailboxFault } from "./device_channel.ts";
import { EpochCycle, type EpochReport } from "./epoch_cycle.ts";
import type { Kernel } from "./kernel.ts";
import type { DeviceTask, Readback, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/readback_probe.ts";

/** What a run needs of a server; `Server` has it. */
export interface EpochServer {
  serveOnce(): boolean;
  serveAll(): number;
}

/** The choices of a run. */
export interface EpochOptions {
  /**
   * How results come back. When absent, the device is probed and the fastest way that it may be
   * trusted with is taken.
   */
  readonly readback?: ReadbackName;
  /** Told of each mailbox that the kernel has overwritten with what no client could write. */
  readonly onMailboxFault?: (fault: MailboxFault) => void;
}

/** Limits of one run. */
export interface RunOptions {
  /** A kernel that has not finished after so many epochs is given up; 100 000 when absent. */
  readonly epochsMax?: number;
  readonly signal?: AbortSignal;
}

/** Epochs in a row before a run lets the event loop turn. */
const EPOCHS_PER_LOOP_TURN = 4096;
/** Epochs in a row without any packet after which a handler stops waiting for a wave. */
const SILENT_EPOCHS_MAX = 8;
const EPOCHS_MAX_DEFAULT = 100_000;

/**
 * Runs a kernel whose waves call the host: submit, copy out, serve, copy in, and again, until no
 * wave waits. The server is the one that Workers use, with its services.
 *
 * A service that receives several packets in one call would wait in the middle of its handler for
 * a wave that runs in the next epoch only. Give the server this object's `portWaiter`: it runs the
 * epochs that the handler waits for. It can do so with eager readback only; with awaited readback
 * such a call fails with a message, and one-packet calls work.
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
  readonly #cycle: EpochCycle;
  readonly #readback: Readback;
  #isRunning = false;

  private constructor(cycle: EpochCycle, readback: Readback) {
    this.#cycle = cycle;
    this.#readback = readback;
    this.portWaiter = { wait: this.#waitInHandler.bind(this), waitAsync: refuseAsync };
  }

  /** Prepares to run a kernel; probes the device unless told how to read back. */
  static async create(kernel: Kernel, options: EpochOptions = {}): Promise<Epochs> {
    const { readback: name, onMailboxFault = ignore } = options;
    const bytes = kernel.deviceChannel.readbackBytes;
    const readback = await createReadback(kernel.gpu.device, { bytes, readback: name });
    return new Epochs(new EpochCycle(kernel, readback.buffer, onMailboxFault), readback);
  }

  /** How results come back. */
  get readback(): ReadbackName {
    return this.#readback.name;
  }

  /**
   * Runs the kernel from its first step until no wave waits.
   *
   * @throws {KernelFault} when a wave broke a rule, after the others have finished
   * @throws {DOMException} `TimeoutError` beyond `epochsMax`, `OperationError` when the device is
   * lost, and the signal's reason when it is aborted
   */
  async run(server: EpochServer, options: RunOptions = {}): Promise<EpochReport> {
    const { signal } = options;
    this.#start(options);
    try {
      do {
        await this.#readback.settle();
        signal?.throwIfAborted();
        await this.#readback.run(this.#epochs(server, signal ? 1 : EPOCHS_PER_LOOP_TURN));
      } while (this.#cycle.isActive);
      return this.#cycle.end();
    } finally {
      this.#isRunning = false;
      await this.#readback.settle();
    }
  }

  /**
   * As `run`, without an event loop in between: for a program that may block, and for measuring.
   *
   * @throws {TypeError} when results come back in the awaited way
   */
  runNow(server: EpochServer, options: RunOptions = {}): EpochReport {
    this.#start(options);
    try {
      this.#readback.runNow(this.#epochs(server, Infinity));
      return this.#cycle.end();
    } finally {
      this.#isRunning = false;
    }
  }

  /**
   * Runs so many epochs of a kernel that does not end, on top of those before; the first call starts
   * it from its first step. For measuring: what an epoch costs, without beginnings and ends.
   *
   * @throws {TypeError} when results come back in the awaited way
   */
  advanceNow(server: EpochServer, epochCount: number): void {
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
      if (!this.#cycle.isActive) return;
    }
  }

  *#advance(server: EpochServer, epochCount: number): DeviceTask<void> {
    if (!this.#isRunning) this.#start({ epochsMax: Number.MAX_SAFE_INTEGER });
    yield* this.#epochs(server, epochCount);
  }

  #start(options: RunOptions): void {
    const { epochsMax = EPOCHS_MAX_DEFAULT } = options;
    if (!Number.isInteger(epochsMax) || epochsMax < 1) {
      throw new RangeError(
        `Cannot run a kernel as epochsMax must be an integer of at least 1: current value is ${epochsMax}`,
      );
    }
    if (this.#isRunning) throw new TypeError("Cannot run the kernel as it is running already");
    this.#cycle.start(epochsMax);
    this.#isRunning = true;
  }

  #serve(server: EpochServer, sentCount: number): void {
    const { epochIndex, kernel } = this.#cycle;
    let left = sentCount;
    if (kernel.deviceChannel.isSparse(left)) {
      while (left > 0 && server.serveOnce()) left--;
    }
    if (left > 0) server.serveAll();
    // A handler that waited has let other waves send behind the search's back.
    if (this.#cycle.epochIndex !== epochIndex) { while (server.serveAll() > 0); }
  }

  /** A handler waits for the next packet of a wave: the wave needs epochs to send it. */
  #waitInHandler(index: number, foreign: number, guard: () => void): void {
    const { channel } = this.#cycle.kernel.deviceChannel;
    const word = channel.layout.clientOutboxWord + index;
    let silentCount = 0;
    // Sync: pairs with DeviceChannel.take(), in this very thread: the packet came before the word.
    while (channel.words.load(word) === foreign) {
      guard();
      this.#checkCanWait(silentCount);
      const sentCount = this.#readback.runNow(this.#cycle.epoch());
      silentCount = sentCount > 0 || this.#cycle.isLimited ? 0 : silentCount + 1;
    }
  }

  #checkCanWait(silentCount: number): void {
    if (this.#isRunning && silentCount < SILENT_EPOCHS_MAX) return;
    throw new Error("Cannot wait for another packet of the call as its wave has left it");
  }

  /** Frees the device's memory, the kernel's included. */
  destroy(): void {
    this.#readback.destroy();
    this.#cycle.kernel.destroy();
  }
}

function ignore(): void {}

function refuseAsync(): Promise<void> {
  return Promise.reject(
    new TypeError(
      "Cannot await inside a handler that serves a kernel: its receives are synchronous",
    ),
  );
}
