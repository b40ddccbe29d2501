import { KeptKernels } from "../../run/kept_kernels.ts";
import type { KernelRuntime } from "../../run/kernel_runtime.ts";
import type {
  KernelGpu,
  KernelRunOptions,
  KernelRunReport,
  RunArray,
} from "../../run/run_options.ts";
import {
  type LiveDevice,
  type LiveDeviceOptions,
  requestLiveDevice,
} from "../device/live_device.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import { checkTranslator, type WgslToSpirv } from "./live_compile.ts";
import type { LiveRunOptions } from "./live_options.ts";
import { LiveRuntime } from "./live_runtime.ts";

/** Which device is wanted, and the translator of its kernels. */
export interface LiveGpuOptions extends LiveDeviceOptions {
  /** Translates the kernels' modules, as `translate` of the package naga-wasm does. */
  readonly translate: WgslToSpirv;
}

/**
 * The buffers of a kernel by the names of its variables. Arrays are copied to the device and back; a
 * {@linkcode LiveBuffer} of the device's own stays there.
 */
export type LiveBuffers = Readonly<Record<string, RunArray | LiveBuffer>>;

/** Options of {@linkcode LiveGpu.run}. */
export interface LiveGpuRunOptions<B extends LiveBuffers = LiveBuffers>
  extends KernelRunOptions<B>, LiveRunOptions {}

/**
 * A GPU that runs kernels which this thread serves while they run: the texts, functions, libraries,
 * buffers, heaps, programs and errors of `Gpu`, in one dispatch.
 */
export class LiveGpu implements KernelGpu {
  /** The device, for buffers and kernels of your own. */
  readonly device: LiveDevice;
  /** @internal How it runs kernels. */
  readonly runtime: KernelRuntime;
  readonly #kernels: KeptKernels;

  /** @internal For `openLiveGpu`. */
  constructor(device: LiveDevice, translate: WgslToSpirv) {
    this.device = device;
    this.runtime = new LiveRuntime(device, translate);
    this.#kernels = new KeptKernels(this.runtime);
  }

  /** The device's own name. */
  get adapterName(): string {
    return this.device.info.name;
  }

  /** Whether the device is a software one. */
  get isSoftware(): boolean {
    return this.device.info.kind === "software";
  }

  /**
   * Compiles a kernel and runs it until all its waves have finished. Kernels are kept for later runs, as by
   * `Gpu.run`.
   *
   * @param source as of `Gpu.run`. Uniform buffers are bound as storage buffers; there are no textures,
   * and `enable` has nothing to enable.
   * @throws what {@linkcode LiveKernel.create} and {@linkcode LiveKernel.runAsync} throw
   * @throws {TypeError} when there is no such option, it is one of epochs, or a function or buffer is
   * missing or not declared
   */
  async run<const B extends LiveBuffers = Record<never, never>>(
    source: string,
    options: LiveGpuRunOptions<B> = {},
  ): Promise<KernelRunReport<B>> {
    return await this.#kernels.run(source, options) as KernelRunReport<B>;
  }

  /**
   * Ends what runs, and frees the device and all its memory.
   *
   * @throws {DOMException} `TimeoutError` when waves do not leave: then what they need is not freed
   */
  [Symbol.dispose](): void {
    this.#kernels.destroy();
    this.device[Symbol.dispose]();
  }
}

/**
 * Opens a GPU that runs kernels live: {@linkcode requestLiveDevice} with the methods of `Gpu`. It is in
 * this entry and not an option of `openGpu`, so that pages do not load what calls Vulkan.
 *
 * @throws {DOMException} `NotSupportedError` where there is no Vulkan, no such device, or no permission
 * for FFI
 * @throws {VulkanError} when the driver refuses
 * @throws {TypeError} when there is no translator
 */
export function openLiveGpu({ translate, ...options }: LiveGpuOptions): Promise<LiveGpu> {
  return Promise.try(() => {
    checkTranslator(translate);
    return new LiveGpu(requestLiveDevice(options), translate);
  });
}
