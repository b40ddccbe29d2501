import { functionsOf } from "../../signature/declare/signature.ts";
import {
  checkAlive,
  type GpuDevice,
  type GpuDeviceOptions,
  requestGpuDevice,
} from "../device/device.ts";
import { ReadyKernel } from "./ready_kernel.ts";
import {
  checkOptions,
  type GpuRunOptions,
  type GpuRunReport,
  RUN,
  type RunBuffers,
} from "./run_options.ts";

/** How many compiled kernels are kept for later runs. */
const KEPT_MAX = 8;

/**
 * A GPU that runs kernels which call the host. It is also a {@linkcode GpuDevice}, so it can be passed
 * wherever one is expected.
 */
export class Gpu implements GpuDevice, Disposable {
  /** The device of WebGPU. */
  readonly device: GPUDevice;
  /** The adapter's own name. */
  readonly adapterName: string;
  /** Whether the adapter is a software one. */
  readonly isSoftware: boolean;
  readonly #gpu: GpuDevice;
  /** Compiled kernels that are not running, the most recently used last. */
  readonly #kept: ReadyKernel[] = [];
  readonly #running = new Set<ReadyKernel>();
  readonly #bufferNames = new WeakMap<GPUBuffer, number>();
  #bufferCount = 0;
  #isDestroyed = false;

  /** @internal For `openGpu`. */
  constructor(gpu: GpuDevice) {
    this.device = gpu.device;
    this.adapterName = gpu.adapterName;
    this.isSoftware = gpu.isSoftware;
    this.#gpu = gpu;
  }

  /** Why the device was lost; `undefined` while it works. */
  get lostReason(): string | undefined {
    return this.#gpu.lostReason;
  }

  /**
   * Compiles a kernel and runs it until none of its waves waits for the host. A kernel without a heap
   * is kept for later runs of the same text with the same options and buffers of the same sizes. Runs
   * may overlap.
   *
   * @param source WGSL with `fn kernel()`, as `../resumable/README.md` describes. Buffers may leave out
   * `@group(1) @binding(i)`, and functions of the host their opcode.
   * @throws {KernelCompileError} when the text does not compile, with the author's own line and column
   * @throws {PrintfError} at an invalid `printf`
   * @throws {TypeError} when there is no such option, or a function or buffer is missing or not
   * declared
   * @throws {RangeError} when a count is out of bounds, or beyond what the device can hold
   * @throws {KernelError} when a wave broke a rule
   * @throws {CallError} when a function of the host failed: `cause` is what it threw
   * @throws {DOMException} `TimeoutError` beyond `epochsMax`, `OperationError` when the device rejected
   * an epoch or is lost, and the signal's reason when it is aborted
   */
  async run<const B extends RunBuffers = Record<never, never>>(
    source: string,
    options: GpuRunOptions<B> = {},
  ): Promise<GpuRunReport<B>> {
    if (this.#isDestroyed) throw new TypeError(`Cannot ${RUN} as the GPU was destroyed`);
    checkOptions(source, options);
    checkAlive(this.#gpu, RUN);
    const key = this.#keyOf(source, options);
    const at = this.#kept.findLastIndex((one) => one.key === key);
    const ready = this.#kept.splice(at, at < 0 ? 0 : 1)[0] ??
      await ReadyKernel.create(this.#gpu, { key, source, options });
    this.#running.add(ready);
    let isWhole = false;
    try {
      if (this.#isDestroyed) throw new TypeError(`Cannot ${RUN} as the GPU was destroyed`);
      const report = await ready.run(options);
      isWhole = options.heapBytes === undefined;
      return report as GpuRunReport<B>;
    } finally {
      this.#running.delete(ready);
      if (isWhole && !this.#isDestroyed) this.#keep(ready);
      else ready.destroy();
    }
  }

  #keep(ready: ReadyKernel): void {
    this.#kept.push(ready);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()!.destroy();
  }

  /** Everything that a compiled kernel depends on. */
  #keyOf(source: string, options: GpuRunOptions): string {
    const { functions: _functions, print: _print, signal: _signal, ...rest } = options;
    const { epochsMax: _epochsMax, refusals: _refusals, libraries = [], buffers, ...shape } = rest;
    const apis = libraries.map(({ api }) => functionsOf(api).map(([, { text }]) => text));
    const sizes = Object.entries(buffers ?? {}).map(([name, value]) =>
      value instanceof GPUBuffer ? [name, this.#nameOf(value)] : [name, "", value.byteLength]
    );
    return JSON.stringify([source, shape, apis, sizes]);
  }

  /** Numbers the caller's buffers, as a compiled kernel is bound to them. */
  #nameOf(buffer: GPUBuffer): number {
    const name = this.#bufferNames.get(buffer) ?? this.#bufferCount++;
    this.#bufferNames.set(buffer, name);
    return name;
  }

  /** Destroys the device and all its memory. Runs in progress reject. */
  destroy(): void {
    this.#isDestroyed = true;
    for (const ready of [...this.#kept.splice(0), ...this.#running]) ready.destroy();
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
