import { channelLayout, type ChannelShape } from "../../toggle/layout.ts";
import { LANE_BYTES } from "../../memory/packet.ts";
import { awaitAlive, checkAlive, type GpuDevice } from "../device/device.ts";
import type { KernelBuffer } from "../device/bound_pipeline.ts";
import { type LiveParts, makeLiveParts, REPORT_BYTES } from "./live_parts.ts";
import { LIVE_WORDS, type LiveReport, readLiveReport } from "./live_report.ts";
import { checkLockName, type LockName } from "../wgsl/kernel_shape.ts";
import type { CopyOut, DeviceTask, ReadbackName } from "../device/readback.ts";
import { secondsBetween } from "../device/stopwatch.ts";

/** What a live program is made of. */
export interface LiveOptions extends ChannelShape {
  /**
   * WGSL with four functions. `fn client_fill() -> bool` puts the lane's next request into the packet,
   * or returns false when the lane has none now; `fn client_use()` takes the answer; `fn client_end()`
   * runs once at the end; `fn serve(opcode: u32)` works on a lane's packet in place. A wave of clients
   * ends when none of its lanes has a request.
   *
   * In `client_fill`, `call(opcode)` says what the server is asked for, and `no_reply()` that nobody
   * waits for an answer. Lanes that ask for different things have sessions of their own.
   *
   * A session is one turn, unless `client_use` and `serve` ask for `another_turn()`: then
   * `client_fill` (its result is ignored), `serve` and `client_use` run again, with the same lanes.
   * `session_turn` counts from 0. Both sides have to ask for the same number of turns. `no_reply()`
   * ends the session on the client's side, and `serve` must not ask for more then. A session that one
   * side leaves early is lost.
   */
  readonly source: string;
  /**
   * WGSL with `fn serve(opcode: u32)`, where `source` is a kernel as `Kernel` takes it: `fn kernel()`, or
   * steps. The same kernel runs with `Epochs` and here, as long as it makes calls of one packet.
   */
  readonly server?: string;
  /** Workgroups that call; 1 to 32 000. */
  readonly clientCount: number;
  /**
   * Workgroups that serve; 1 when absent. Must be fewer than the adapter runs at a time: SwiftShader
   * runs one for each core.
   */
  readonly serverCount?: number;
  /** How ports are locked, on both sides; `fetch-or` when absent. */
  readonly lock?: LockName;
  /** Words of a lane's packet that are used, 1 to 15: its last is the checksum. More with more `laneBytes`. 1 when absent, 15 for a kernel. */
  readonly wordCount?: number;
  /** How often the loops of one turn may look before they give up; 20 000 000 when absent: about a second. */
  readonly spinsMax?: number;
  /** Buffers that the functions use, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /** How the report comes back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

/** For messages. */
const RUN = "run the live program";
const SPINS_MAX_DEFAULT = 20_000_000;
/**
 * Workgroups that are neither server nor client and end at once. An adapter that runs two at a time
 * queues the others, some of them behind the server, which ends last; more groups than roles make
 * sure that enough of them are queued elsewhere.
 */
const SPARE_GROUPS = 14;

/**
 * Client and server in one dispatch: "a GPU calling a function on another GPU". Some workgroups
 * serve, the others call, through the atomics of a storage buffer; `live.wgsl` says why that is
 * right without any order between workgroups. It is not possible where workgroups do not run at the
 * same time: `LiveReport.madeProgress` tells.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Live } from "./live.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const source = `
 *     var<private> count: u32;
 *     fn client_fill() -> bool { packet_set(0u, count); return count < live.calls_per_wave; }
 *     fn client_use() { count = packet_get(0u); }
 *     fn client_end() {}
 *     fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }`;
 *   const shape = { portCount: 1, laneCount: 1, clientCount: 1, spinsMax: 10_000 };
 *   const live = await Live.create(gpu, { ...shape, source });
 *   const { madeProgress, callCount } = await live.run(10);
 *   if (madeProgress && callCount !== 10) throw new Error("ten calls");
 *   live.destroy();
 * }
 * ```
 */
export class Live {
  readonly #gpu: GpuDevice;
  readonly #parts: LiveParts;

  private constructor(gpu: GpuDevice, parts: LiveParts) {
    this.#gpu = gpu;
    this.#parts = parts;
  }

  /**
   * Compiles a live program and allocates its channel, on the device only.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {TypeError} when a function is missing, or a buffer is missing or wrong
   * @throws {RangeError} when a count is out of its bounds
   */
  static async create(gpu: GpuDevice, options: LiveOptions): Promise<Live> {
    await awaitAlive(gpu, "make a live program");
    checkLiveOptions(options);
    return new Live(gpu, await makeLiveParts(gpu.device, options, channelLayout(options)));
  }

  /** How the report comes back. */
  get readback(): ReadbackName {
    return this.#parts.readback.name;
  }

  /**
   * Runs one dispatch, behind those that were asked for before.
   *
   * @param callsPerWave what the author's functions see as `live.calls_per_wave`
   * @throws {RangeError} when that is no integer from 0 to 2 ** 32 - 1
   * @throws {KernelError} when a wave broke a rule, as with a word beyond `wordCount`
   * @throws {DOMException} `OperationError` when the device has refused it, or was lost
   */
  async run(callsPerWave: number): Promise<LiveReport> {
    const { readback } = this.#parts;
    const report = await readback.run(this.#dispatch(callsPerWave));
    await readback.settle();
    return report;
  }

  /**
   * As {@linkcode run}, without an event loop.
   *
   * @throws {TypeError} when results come back in the awaited way
   */
  runNow(callsPerWave: number): LiveReport {
    return this.#parts.readback.runNow(this.#dispatch(callsPerWave));
  }

  *#dispatch(callsPerWave: number): DeviceTask<LiveReport> {
    check("callsPerWave", callsPerWave, { min: 0, max: 2 ** 32 - 1 });
    checkAlive(this.#gpu, RUN);
    let report: LiveReport | undefined;
    yield {
      what: RUN,
      encode: (encoder, copyOut) => this.#encode(encoder, copyOut, callsPerWave),
      use: (words) => report = this.#report(words),
    };
    return report!;
  }

  #report(words: Int32Array): LiveReport {
    const { options, stepPlaces } = this.#parts;
    const report = readLiveReport(words, options.clientCount, stepPlaces);
    if (!this.#parts.stopwatch) return report;
    return { ...report, dispatchSeconds: secondsBetween(words, LIVE_WORDS) };
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

function checkLiveOptions(options: LiveOptions): void {
  const { clientCount, serverCount = 1, wordCount = 1, spinsMax = 1, lock = "fetch-or" } = options;
  const { laneBytes = LANE_BYTES } = options;
  checkLockName(lock);
  check("clientCount", clientCount, { min: 1, max: 32_000 });
  check("serverCount", serverCount, { min: 1, max: 500 });
  check("wordCount", wordCount, { min: 1, max: laneBytes / 4 - 1 });
  check("spinsMax", spinsMax, { min: 1, max: 2 ** 32 - 1 });
}

function check(
  name: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(
    `Cannot run a live program as ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
  );
}
