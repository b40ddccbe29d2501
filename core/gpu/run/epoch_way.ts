import { checkAlive, type GpuDevice } from "../device/device.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { Kernel } from "../epochs/kernel.ts";
import type { KernelWay, WayKernel, WayKernelOptions } from "./kernel_way.ts";
import { RUN } from "./run_options.ts";

/** Runs kernels by epochs, on WebGPU. */
export class EpochWay implements KernelWay {
  readonly refused = {
    roundsMax: "a wave is saved while it waits, and looks at nothing: use epochsMax or signal",
  };
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  get storageBuffersMax(): number {
    return this.#gpu.device.limits.maxStorageBuffersPerShaderStage;
  }

  isBuffer(value: unknown): boolean {
    return value instanceof GPUBuffer;
  }

  checkAlive(): void {
    checkAlive(this.#gpu, RUN);
  }

  async create(
    { buffers, heapBytes, source: text, ...options }: WayKernelOptions,
  ): Promise<WayKernel> {
    const gpu = this.#gpu;
    const own: GPUBuffer[] = [];
    const freeOwn = () => own.forEach((buffer) => buffer.destroy());
    try {
      const bound = buffers.map(({ given, type }) => {
        if (typeof given !== "number") return { buffer: given as GPUBuffer, type };
        const buffer = createOwnBuffer(gpu, given);
        own.push(buffer);
        return { buffer, type };
      });
      const heap = heapBytes === undefined ? {} : { heapBytes };
      const { timed = false } = options;
      const source = typeof text === "string" ? text : text.module.source;
      const given = { ...options, ...heap, source, timed, buffers: bound };
      const kernel = await Kernel.create(gpu, given, text);
      return {
        get heap() {
          return kernel.heap;
        },
        frameBytes: kernel.frameBytes,
        serverOptions: { portWaiter: kernel.portWaiter },
        write: (binding, bytes) => gpu.device.queue.writeBuffer(bound[binding]!.buffer, 0, bytes),
        read: (binding) => readOwnBuffer(gpu, bound[binding]!.buffer),
        runAsync: (server, options) => kernel.runAsync(server, options),
        destroy() {
          kernel.destroy();
          freeOwn();
        },
      };
    } catch (error) {
      freeOwn();
      throw error;
    }
  }
}
