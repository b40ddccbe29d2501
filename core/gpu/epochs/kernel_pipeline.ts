import { type KernelBuffer, makeBindGroups } from "../device/bind_groups.ts";
import type { GpuDevice } from "../device/device.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";
import { DeviceChannel } from "./device_channel.ts";
import type { KernelOptions } from "./kernel.ts";

const PARAMS_BYTES = 32;
const WAVE_STATE_BYTES = 32;

/** What a dispatch is told: the fields of `Params` in `wave.wgsl`. */
export interface DispatchParams {
  readonly epoch: number;
  readonly firstWave: number;
  readonly isScarce: boolean;
  readonly isFirst: boolean;
}

/** A compiled kernel, and the memory in which its waves live between dispatches. */
export class KernelPipeline {
  readonly gpu: GpuDevice;
  readonly deviceChannel: DeviceChannel;
  readonly waveCount: number;
  readonly #pipeline: GPUComputePipeline;
  readonly #bindGroups: readonly GPUBindGroup[];
  readonly #memory: KernelMemory;
  readonly #groupCount: number;
  readonly #paramWords = new Uint32Array(PARAMS_BYTES / 4);

  private constructor(
    gpu: GpuDevice,
    parts: {
      readonly deviceChannel: DeviceChannel;
      readonly waveCount: number;
      readonly pipeline: GPUComputePipeline;
      readonly bindGroups: readonly GPUBindGroup[];
      readonly memory: KernelMemory;
      readonly groupCount: number;
    },
  ) {
    this.gpu = gpu;
    this.deviceChannel = parts.deviceChannel;
    this.waveCount = parts.waveCount;
    this.#pipeline = parts.pipeline;
    this.#bindGroups = parts.bindGroups;
    this.#memory = parts.memory;
    this.#groupCount = parts.groupCount;
  }

  /** Compiles, and allocates; frees what it has allocated when that fails. */
  static async create(
    gpu: GpuDevice,
    options: KernelOptions,
    source: KernelSource,
  ): Promise<KernelPipeline> {
    const deviceChannel = new DeviceChannel(gpu, options.channel);
    try {
      return await KernelPipeline.#make(gpu, { options, source, deviceChannel });
    } catch (error) {
      deviceChannel.destroy();
      throw error;
    }
  }

  static async #make(
    gpu: GpuDevice,
    parts: {
      readonly options: KernelOptions;
      readonly source: KernelSource;
      readonly deviceChannel: DeviceChannel;
    },
  ): Promise<KernelPipeline> {
    const { options, source, deviceChannel } = parts;
    const { waveCount, buffers = [] } = options;
    const { device } = gpu;
    const module = await compileModule(device, options.source, source);
    const memory = allocate(device, options, source);
    device.pushErrorScope("validation");
    const { layout, groups } = makeBindGroups(device, [
      runtimeBuffers(deviceChannel, memory),
      buffers,
    ]);
    const pipeline = await device.createComputePipelineAsync({
      layout,
      compute: { module, entryPoint: source.entryPoint },
    });
    await throwScope(device, "bind the kernel's memory");
    return new KernelPipeline(gpu, {
      deviceChannel,
      waveCount,
      pipeline,
      bindGroups: groups,
      memory,
      groupCount: Math.ceil(waveCount / source.wavesPerGroup),
    });
  }

  /** Adds one dispatch of all waves to a command buffer. */
  encode(encoder: GPUCommandEncoder): void {
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    this.#bindGroups.forEach((group, index) => pass.setBindGroup(index, group));
    pass.dispatchWorkgroups(this.#groupCount);
    pass.end();
  }

  /** Tells the next dispatch where the run stands. */
  setParams({ epoch, firstWave, isScarce, isFirst }: DispatchParams): void {
    this.#paramWords.set([epoch, this.waveCount, firstWave, Number(isScarce), Number(isFirst)]);
    this.gpu.device.queue.writeBuffer(this.#memory.params, 0, this.#paramWords);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.deviceChannel.destroy();
    const { params, waves, lanes, laneMemory } = this.#memory;
    for (const buffer of [params, waves, lanes, laneMemory]) buffer.destroy();
  }
}

/** The buffers of `wave.wgsl` beside the channel's. */
interface KernelMemory {
  readonly params: GPUBuffer;
  readonly waves: GPUBuffer;
  readonly lanes: GPUBuffer;
  readonly laneMemory: GPUBuffer;
}

function allocate(
  device: GPUDevice,
  { waveCount, channel }: KernelOptions,
  { laneStateBytes, laneMemoryWords }: KernelSource,
): KernelMemory {
  const { STORAGE, COPY_DST, UNIFORM } = GPUBufferUsage;
  const perWave = (bytes: number) =>
    device.createBuffer({ size: bytes * waveCount, usage: STORAGE });
  const { laneCount } = channel.layout;
  return {
    params: device.createBuffer({ size: PARAMS_BYTES, usage: UNIFORM | COPY_DST }),
    waves: perWave(WAVE_STATE_BYTES),
    lanes: perWave(laneStateBytes * laneCount),
    laneMemory: perWave(laneMemoryWords * 4 * laneCount),
  };
}

/** In the order of the bindings of `port.wgsl` and `wave.wgsl`. */
function runtimeBuffers(deviceChannel: DeviceChannel, memory: KernelMemory): KernelBuffer[] {
  return [
    { buffer: deviceChannel.control },
    { buffer: deviceChannel.payload },
    { buffer: memory.params, type: "uniform" },
    { buffer: memory.waves },
    { buffer: memory.lanes },
    { buffer: memory.laneMemory },
  ];
}

async function throwScope(device: GPUDevice, what: string): Promise<void> {
  const error = await device.popErrorScope();
  if (error) throw new TypeError(`Cannot ${what} as the device refuses it: ${error.message}`);
}
