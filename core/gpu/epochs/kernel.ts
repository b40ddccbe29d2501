import type { Channel } from "../../toggle/channel.ts";
import type { KernelBuffer } from "../device/bound_pipeline.ts";
import { awaitAlive, type GpuDevice } from "../device/device.ts";
import { checkHeapBytes } from "../heap/device_heap.ts";
import type { KernelShape } from "../wgsl/kernel_shape.ts";
import { type KernelSource, kernelSource } from "../wgsl/kernel_source.ts";
import { KernelPipeline } from "./kernel_pipeline.ts";

/** What a kernel is made of. */
export interface KernelOptions extends KernelShape {
  /** The author's kernel in WGSL: `fn kernel()`, or steps. */
  readonly source: string;
  /** Where the kernel's waves are the clients. No other client may use it. */
  readonly channel: Channel;
  /** Waves of `laneCount` lanes each; 1 to 65535. */
  readonly waveCount: number;
  /** Buffers that the steps use, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /**
   * Bytes of memory that functions of the host read and write, too, a multiple of 16: see
   * `Epochs.heap`. No heap when absent.
   */
  readonly heapBytes?: number;
  /** Whether the device's clock times it, where it has one: `EpochReport.kernelSeconds`. */
  readonly timed?: boolean;
}

/** The low half of a lock word counts the waves that want the lock. */
const WAVE_COUNT_MAX = 65535;
/** Up to here, waves of one lane get a workgroup of their exact number. */
const EXACT_WAVES_MAX = 63;

/** For this folder: what is dispatched, which users of a kernel do not see. */
export let pipelineOf: (kernel: Kernel) => KernelPipeline;

/**
 * A compiled kernel with the memory its waves live in: what `Epochs` dispatches.
 *
 * The author writes `fn kernel()` in ordinary WGSL, and declares the functions of the host that it
 * calls, anywhere in it, as `@service(40000) fn square(x: u32) -> u32;`. `../resumable/README.md` says more. It
 * becomes steps, which may be written by hand, too: `fn step_0()`, `fn step_1()` and so on, or names
 * in the order of the text, and, where something has to be kept from one step to the next, a
 * `struct Frame` whose fields the steps use as `frame.field`. A step that asks for a call ends; the
 * next one has the reply. `wgsl/kernel_api.wgsl` and `wgsl/kernel_stream.wgsl` list what both may use.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Kernel } from "./kernel.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 1 });
 *   const kernel = await Kernel.create(gpu, { channel, waveCount: 4, source: "fn kernel() {}" });
 *   kernel.destroy();
 * }
 * ```
 */
export class Kernel {
  readonly #pipeline: KernelPipeline;

  static {
    pipelineOf = (kernel) => kernel.#pipeline;
  }

  private constructor(pipeline: KernelPipeline) {
    this.#pipeline = pipeline;
  }

  /**
   * Compiles a kernel and allocates its memory.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {PrintfError} at a `printf` that cannot be
   * @throws {TypeError} when the text has no kernel and no steps, or another client holds a port of the channel
   * @throws {RangeError} when a count is out of its bounds or beyond what the device can hold
   */
  static async create(gpu: GpuDevice, options: KernelOptions): Promise<Kernel> {
    await awaitAlive(gpu, "make a kernel");
    const source = kernelSource(options.source, shapeOf(options));
    checkCounts(gpu.device, options, source);
    const { heapBytes } = options;
    if (heapBytes !== undefined) checkHeapBytes(gpu.device, heapBytes, source.heapTexts!);
    return new Kernel(await KernelPipeline.create(gpu, options, source));
  }

  /** Waves of a dispatch. */
  get waveCount(): number {
    return this.#pipeline.waveCount;
  }

  /** Bytes of the frame of one lane: what it keeps while it waits for the host. */
  get frameBytes(): number {
    return this.#pipeline.frameBytes;
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.#pipeline.destroy();
  }
}

function shapeOf(options: KernelOptions) {
  const { waveCount, wavesPerGroup, channel: { layout } } = options;
  // Lanes without a wave cost as much as the others on a software adapter.
  const isExact = layout.laneCount === 1 && waveCount <= EXACT_WAVES_MAX;
  const exact = isExact && wavesPerGroup === undefined;
  return {
    ...options,
    ...(exact && { wavesPerGroup: Math.max(1, Math.ceil(waveCount)) }),
    layout,
  };
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
  if (Number.isInteger(waveCount) && waveCount >= 1 && waveCount <= waveCountMax) return;
  throw new RangeError(
    `Cannot make a kernel as waveCount must be an integer from 1 to ${waveCountMax}: current value is ${waveCount}`,
  );
}
