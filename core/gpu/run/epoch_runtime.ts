import type { KernelBuffer } from "../device/bound_pipeline.ts";
import { checkAlive, type GpuDevice } from "../device/device.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { Kernel } from "../epochs/kernel.ts";
import { writtenIn } from "../kernel/kernel_text.ts";
import type {
  BoundBuffer,
  CompiledKernel,
  CompileOptions,
  KernelRuntime,
} from "./kernel_runtime.ts";
import { RUN } from "./run_options.ts";

/** What runtimes on a device of WebGPU have in common. */
export abstract class WebGpuRuntime {
  protected readonly gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.gpu = gpu;
  }

  get storageBuffersMax(): number {
    return this.gpu.device.limits.maxStorageBuffersPerShaderStage;
  }

  isBuffer(value: unknown): boolean {
    return value instanceof GPUBuffer;
  }

  checkAlive(): void {
    checkAlive(this.gpu, RUN);
  }
}

/** Runs kernels by epochs, on WebGPU. */
export class EpochRuntime extends WebGpuRuntime implements KernelRuntime {
  readonly refused = {
    roundsMax: "a wave is saved while it waits, and looks at nothing: use epochsMax or signal",
  };

  async compile(options: CompileOptions): Promise<CompiledKernel> {
    const { buffers, heapBytes, source: text, timed = false, ...more } = options;
    using stack = new DisposableStack();
    const { bound, ...io } = boundBuffers(this.gpu, buffers, stack);
    const heap = heapBytes === undefined ? {} : { heapBytes };
    const source = writtenIn(text);
    const given = { ...more, ...heap, source, timed, buffers: bound };
    const kernel = await Kernel.create(this.gpu, given, text);
    stack.defer(() => kernel.destroy());
    const kept = stack.move();
    return {
      ...io,
      get heap() {
        return kernel.heap;
      },
      frameBytes: kernel.frameBytes,
      runAsync: (server, options) => kernel.runAsync(server, options),
      destroy: () => kept.dispose(),
    };
  }
}

/** Makes the buffers of a kernel that are none yet, which end with the stack; with what writes and reads all. */
export function boundBuffers(
  gpu: GpuDevice,
  buffers: readonly BoundBuffer[],
  stack: DisposableStack,
): Pick<CompiledKernel, "write" | "read"> & { readonly bound: readonly KernelBuffer[] } {
  const bound = buffers.map(({ given, type }) => {
    if (typeof given !== "number") return { buffer: given as GPUBuffer, type };
    const buffer = createOwnBuffer(gpu, given);
    stack.defer(() => buffer.destroy());
    return { buffer, type };
  });
  return {
    bound,
    write: (binding, bytes) => gpu.device.queue.writeBuffer(bound[binding]!.buffer, 0, bytes),
    read: (binding) => readOwnBuffer(gpu, bound[binding]!.buffer),
  };
}
