import { BoundPipeline, type KernelBuffer } from "../device/bound_pipeline.ts";
import type { GpuDevice } from "../device/device.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";
import { DeviceChannel } from "./channel/device_channel.ts";
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
  readonly #pipeline: BoundPipeline;
  readonly #memory: KernelMemory;
  readonly #groupCount: number;
  readonly #paramWords = new Uint32Array(PARAMS_BYTES / 4);

  private constructor(
    gpu: GpuDevice,
    parts: {
      readonly deviceChannel: DeviceChannel;
      readonly waveCount: number;
      readonly pipeline: BoundPipeline;
      readonly memory: KernelMemory;
      readonly groupCount: number;
    },
  ) {
    this.gpu = gpu;
    this.deviceChannel = parts.deviceChannel;
    this.waveCount = parts.waveCount;
    this.#pipeline = parts.pipeline;
    this.#memory = parts.memory;
    this.#groupCount = parts.groupCount;
  }

  /** Compiles, and allocates; frees what it has allocated when that fails. */
  static async create(
    gpu: GpuDevice,
    options: KernelOptions,
    source: KernelSource,
  ): Promise<KernelPipeline> {
    const { device } = gpu;
    const { waveCount, buffers = [] } = options;
    const { entryPoint, wavesPerGroup } = source;
    const deviceChannel = new DeviceChannel(gpu, options.channel);
    let memory: KernelMemory | undefined;
    try {
      const module = await compileModule(device, options.source, source);
      memory = await allocate(device, options, source);
      const lists = [runtimeBuffers(deviceChannel, memory), buffers];
      const pipeline = await BoundPipeline.create(device, { module, entryPoint }, lists);
      const groupCount = Math.ceil(waveCount / wavesPerGroup);
      return new KernelPipeline(gpu, { deviceChannel, waveCount, pipeline, memory, groupCount });
    } catch (error) {
      deviceChannel.destroy();
      if (memory) free(memory);
      throw error;
    }
  }

  /** Adds one dispatch of all waves to a command buffer. */
  encode(encoder: GPUCommandEncoder): void {
    this.#pipeline.encode(encoder, this.#groupCount);
  }

  /** Tells the next dispatch where the run stands. */
  setParams({ epoch, firstWave, isScarce, isFirst }: DispatchParams): void {
    this.#paramWords.set([epoch, this.waveCount, firstWave, Number(isScarce), Number(isFirst)]);
    this.gpu.device.queue.writeBuffer(this.#memory.params, 0, this.#paramWords);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.deviceChannel.destroy();
    free(this.#memory);
  }
}

/** The buffers of `wave.wgsl` beside the channel's. */
interface KernelMemory {
  readonly params: GPUBuffer;
  readonly waves: GPUBuffer;
  readonly lanes: GPUBuffer;
  readonly laneMemory: GPUBuffer;
}

/** @throws {RangeError} when the device cannot hold so much */
async function allocate(
  device: GPUDevice,
  { waveCount, channel }: KernelOptions,
  { laneStateBytes, laneMemoryWords }: KernelSource,
): Promise<KernelMemory> {
  const { STORAGE, COPY_DST, UNIFORM } = GPUBufferUsage;
  const perWave = (bytes: number) =>
    device.createBuffer({ size: bytes * waveCount, usage: STORAGE });
  const { laneCount } = channel.layout;
  device.pushErrorScope("validation");
  const memory = {
    params: device.createBuffer({ size: PARAMS_BYTES, usage: UNIFORM | COPY_DST }),
    waves: perWave(WAVE_STATE_BYTES),
    lanes: perWave(laneStateBytes * laneCount),
    laneMemory: perWave(laneMemoryWords * 4 * laneCount),
  };
  const error = await device.popErrorScope();
  if (!error) return memory;
  free(memory);
  throw new RangeError(
    `Cannot allocate the memory of ${waveCount} waves as the device refuses it: ${error.message}`,
  );
}

function free({ params, waves, lanes, laneMemory }: KernelMemory): void {
  for (const buffer of [params, waves, lanes, laneMemory]) buffer.destroy();
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
