import { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from "../device/device.ts";
import { EpochRuntime } from "./epoch_runtime.ts";
import type { KernelRuntime } from "./kernel_runtime.ts";
import { OneDispatchRuntime } from "./one_dispatch_runtime.ts";
import { KeptKernels } from "./kept_kernels.ts";
import type { GpuRunOptions, GpuRunReport, KernelGpu, RunBuffers } from "./run_options.ts";

/**
 * A GPU that runs kernels which call the host. It is also a {@linkcode GpuDevice}, so it can be passed
 * wherever one is expected.
 */
export class Gpu implements GpuDevice, KernelGpu {
  /** The device of WebGPU. */
  readonly device: GPUDevice;
  /** The adapter's own name. */
  readonly adapterName: string;
  /** Whether the adapter is a software one. */
  readonly isSoftware: boolean;
  readonly #gpu: GpuDevice;
  readonly #kernels: KeptKernels;
  readonly #served: KeptKernels;
  /** @internal How it runs kernels. */
  readonly runtime: KernelRuntime;

  /** @internal For `openGpu`. */
  constructor(gpu: GpuDevice) {
    this.device = gpu.device;
    this.adapterName = gpu.adapterName;
    this.isSoftware = gpu.isSoftware;
    this.#gpu = gpu;
    this.runtime = new EpochRuntime(gpu);
    this.#kernels = new KeptKernels(this.runtime);
    this.#served = new KeptKernels(new OneDispatchRuntime(gpu));
  }

  /** Why the device was lost; `undefined` while it works. */
  get lostReason(): string | undefined {
    return this.#gpu.lostReason;
  }

  /**
   * Compiles a kernel and runs it until none of its waves waits for the host. A kernel is kept for
   * later runs of the same text with the same options and buffers of the same sizes, unless its heap is
   * larger than 16 MiB; each run begins with a new heap. Runs may overlap.
   *
   * @param source WGSL with `fn kernel()`, as `../kernel/README.md` describes. Buffers may leave out
   * `@group(1) @binding(i)`, and functions of the host their opcode.
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {PrintfError} at an invalid `printf`
   * @throws {TypeError} when there is no such option, or a function or buffer is missing or not
   * declared
   * @throws {RangeError} when a count is out of bounds, or beyond what the device can hold
   * @throws {KernelError} when a wave broke a rule
   * @throws {CallError} when a function of the host failed: `cause` is what it threw
   * @throws {DOMException} `TimeoutError` beyond `epochsMax`, `OperationError` when the device rejected
   * an epoch or is lost, `NotSupportedError` when a `server` makes no progress on the adapter, and the
   * signal's reason when it is aborted
   */
  async run<const B extends RunBuffers = Record<never, never>>(
    source: string,
    options: GpuRunOptions<B> = {},
  ): Promise<GpuRunReport<B>> {
    const kernels = options.server === undefined ? this.#kernels : this.#served;
    return await kernels.run(source, options) as GpuRunReport<B>;
  }

  /** Destroys the device and all its memory. Runs in progress reject. */
  destroy(): void {
    this.#kernels.destroy();
    this.#served.destroy();
    this.device.destroy();
  }

  /** As {@linkcode destroy}. */
  [Symbol.dispose](): void {
    this.destroy();
  }
}

/**
 * Opens a GPU to `run` kernels on. `using gpu = await openGpu()` closes it at the end of the block.
 *
 * @throws {DOMException} `NotSupportedError` when there is no WebGPU or no adapter, or the adapter
 * lacks what was asked for
 *
 * @example A kernel whose lanes call a function of the host, and print
 * ```ts
 * import { openGpu } from "./gpu.ts";
 *
 * const opened = await openGpu().catch(() => undefined); // a machine without an adapter
 * if (opened) {
 *   using gpu = opened;
 *   let text = "";
 *   const source = `
 *     @service fn hypot(x: f32, y: f32) -> f32;
 *     fn kernel() { printf("%.0f ", hypot(3.0 * f32(lane_index), 4.0 * f32(lane_index))); }`;
 *   await gpu.run(source, {
 *     functions: { hypot: Math.hypot },
 *     laneCount: 4,
 *     print: (printed) => text += printed, // to the standard output, when absent
 *   });
 *   if (text !== "0 5 10 15 ") throw new Error(text);
 * }
 * ```
 */
export async function openGpu(options: GpuDeviceOptions = {}): Promise<Gpu> {
  return new Gpu(await requestGpuDevice(options));
}
