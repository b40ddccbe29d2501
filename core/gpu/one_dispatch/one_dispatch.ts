import { channelLayout, type ChannelShape } from "../../toggle/layout.ts";
import { deviceLayout } from "../wgsl/layout_constants.ts";
import { LANE_BYTES } from "../../memory/packet.ts";
import { awaitAlive, checkAlive, type GpuDevice } from "../device/device.ts";
import type { KernelBuffer } from "../device/bound_pipeline.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import {
  DISPATCH_WORDS,
  makeOneDispatchParts,
  type OneDispatchParts,
  type OneDispatchReport,
  readOneDispatchReport,
  REPORT_BYTES,
} from "./one_dispatch_parts.ts";
import { checkIntegers, checkLockName, type LockName } from "../wgsl/kernel_shape.ts";
import type { CopyOut, DeviceTask, ReadbackName } from "../device/readback.ts";
import { secondsBetween } from "../device/stopwatch.ts";

/** Options of {@linkcode OneDispatch.create}. */
export interface OneDispatchOptions extends ChannelShape {
  /**
   * WGSL with four functions. `fn client_fill() -> bool` puts the lane's next request into the packet,
   * or returns false when the lane has none now; `fn client_use()` takes the answer; `fn client_end()`
   * runs once at the end; `fn serve(opcode: u32)` works on a lane's packet in place. A wave of clients
   * ends when none of its lanes has a request.
   *
   * In `client_fill`, `call(opcode)` sets the opcode of the request, and `no_reply()` says that no
   * answer is needed. Lanes with different requests have separate sessions.
   *
   * A session is one turn, unless `client_use` and `serve` call `another_turn()`: then `client_fill`
   * (its result is ignored), `serve` and `client_use` run again with the same lanes. `session_turn`
   * counts from 0. Both sides have to request the same number of turns. After `no_reply()`, which ends
   * the session on the client's side, `serve` must not request more. A session that one side leaves
   * early is lost.
   */
  readonly source: string;
  /**
   * WGSL with `fn serve(opcode: u32)`, if `source` is a kernel as for `Kernel`: `fn kernel()`, or
   * steps. The same kernel runs with `Kernel` and here, as long as its calls have one packet.
   */
  readonly server?: string;
  /** The number of calling workgroups, 1 to 32 000. */
  readonly clientCount: number;
  /**
   * The number of serving workgroups; 1 when absent. Must be smaller than the number that the adapter
   * runs at a time: SwiftShader runs one per core.
   */
  readonly serverCount?: number;
  /** How both sides lock ports; `fetch-or` when absent. */
  readonly lock?: LockName;
  /**
   * How many words of a lane's packet are used, at most all but the last, which is the checksum: 1 to
   * 15, or more with more `laneBytes`. 1 when absent, 15 for a kernel.
   */
  readonly wordCount?: number;
  /** How often the loops of one turn look before they give up; 20 000 000, about a second, when absent. */
  readonly spinsMax?: number;
  /** Buffers that the functions use, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /** How the report is read back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

/** Names the action in error messages. */
const RUN = "run the one-dispatch program";
const SPINS_MAX_DEFAULT = 20_000_000;
/**
 * Workgroups without a role, which end at once. An adapter that runs two at a time queues the others,
 * some of them after the server, which ends last. With spare groups, enough of them are queued
 * elsewhere.
 */
const SPARE_GROUPS = 14;

/**
 * Client and server in one dispatch: "a GPU calling a function on another GPU". Some workgroups serve
 * and the others call, through atomics of a storage buffer; `one_dispatch.wgsl` explains why that is correct
 * without any order between workgroups. It is not possible where workgroups do not run at the same
 * time: see `OneDispatchReport.madeProgress`.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { OneDispatch } from "./one_dispatch.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const source = `
 *     var<private> count: u32;
 *     fn client_fill() -> bool { packet_set(0u, count); return count < dispatch.calls_per_wave; }
 *     fn client_use() { count = packet_get(0u); }
 *     fn client_end() {}
 *     fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }`;
 *   const shape = { portCount: 1, laneCount: 1, clientCount: 1, spinsMax: 10_000 };
 *   const program = await OneDispatch.create(gpu, { ...shape, source });
 *   const { madeProgress, callCount } = await program.runAsync(10);
 *   if (madeProgress && callCount !== 10) throw new Error("ten calls");
 *   program.destroy();
 * }
 * ```
 */
export class OneDispatch {
  readonly #gpu: GpuDevice;
  readonly #parts: OneDispatchParts;

  private constructor(gpu: GpuDevice, parts: OneDispatchParts) {
    this.#gpu = gpu;
    this.#parts = parts;
  }

  /**
   * Compiles a one-dispatch program and allocates its channel, which is only on the device.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {TypeError} when a function is missing, or a buffer is missing or wrong
   * @throws {RangeError} when a count is out of bounds
   * @internal `text` is one that was read before
   */
  static async create(
    gpu: GpuDevice,
    options: OneDispatchOptions,
    text: string | KernelText = options.source,
  ): Promise<OneDispatch> {
    await awaitAlive(gpu, "make a one-dispatch program");
    checkOneDispatchOptions(options);
    return new OneDispatch(
      gpu,
      await makeOneDispatchParts(
        gpu.device,
        { ...options, text },
        deviceLayout(channelLayout(options)),
      ),
    );
  }

  /** How the report is read back. */
  get readback(): ReadbackName {
    return this.#parts.readback.name;
  }

  /**
   * Runs one dispatch, after those requested before.
   *
   * @param callsPerWave the value of `dispatch.calls_per_wave` for the author's functions
   * @throws {RangeError} when it is not an integer from 0 to 2 ** 32 - 1
   * @throws {KernelError} when a wave broke a rule, such as by using a word beyond `wordCount`
   * @throws {DOMException} `OperationError` when the device rejected it, or was lost
   */
  async runAsync(callsPerWave: number): Promise<OneDispatchReport> {
    const { readback } = this.#parts;
    const report = await readback.runAsync(this.#dispatch(callsPerWave));
    await readback.settle();
    return report;
  }

  /**
   * Like {@linkcode runAsync}, without an event loop.
   *
   * @throws {TypeError} when results are awaited
   */
  run(callsPerWave: number): OneDispatchReport {
    return this.#parts.readback.run(this.#dispatch(callsPerWave));
  }

  *#dispatch(callsPerWave: number): DeviceTask<OneDispatchReport> {
    checkIntegers("run a one-dispatch program", { callsPerWave: [callsPerWave, 0, 2 ** 32 - 1] });
    checkAlive(this.#gpu, RUN);
    let report: OneDispatchReport | undefined;
    yield {
      what: RUN,
      encode: (encoder, copyOut) => this.#encode(encoder, copyOut, callsPerWave),
      use: (words) => report = this.#report(words),
    };
    return report!;
  }

  #report(words: Int32Array): OneDispatchReport {
    const { options, stepPlaces } = this.#parts;
    const report = readOneDispatchReport(words, options.clientCount, stepPlaces);
    if (!this.#parts.stopwatch) return report;
    return { ...report, dispatchSeconds: secondsBetween(words, DISPATCH_WORDS) };
  }

  #encode(encoder: GPUCommandEncoder, copyOut: CopyOut, callsPerWave: number): void {
    const { options, layout, params, channel, pipeline, stopwatch } = this.#parts;
    const { clientCount, serverCount = 1, spinsMax = SPINS_MAX_DEFAULT } = options;
    const counts = Uint32Array.of(clientCount, serverCount, spinsMax, callsPerWave);
    this.#gpu.device.queue.writeBuffer(params, 0, counts);
    encoder.clearBuffer(channel);
    const groupCount = serverCount + 2 * clientCount + SPARE_GROUPS;
    pipeline.encode(encoder, groupCount, stopwatch?.timestampWrites);
    copyOut(channel, layout.totalBytes, 0, REPORT_BYTES);
    stopwatch?.encodeOut(encoder, copyOut, REPORT_BYTES);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    const { channel, params, readback, stopwatch } = this.#parts;
    for (const memory of [channel, params, readback, stopwatch]) memory?.destroy();
  }
}

function checkOneDispatchOptions(options: OneDispatchOptions): void {
  const { clientCount, serverCount = 1, wordCount = 1, spinsMax = 1, lock = "fetch-or" } = options;
  const { laneBytes = LANE_BYTES } = options;
  checkLockName(lock);
  checkIntegers("run a one-dispatch program", {
    clientCount: [clientCount, 1, 32_000],
    serverCount: [serverCount, 1, 500],
    wordCount: [wordCount, 1, laneBytes / 4 - 1],
    spinsMax: [spinsMax, 1, 2 ** 32 - 1],
  });
}
