import type { Channel } from "../../toggle/channel.ts";
import { checkAlive, type GpuDevice } from "../device/device.ts";
import { DeviceChannel } from "./device_channel.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import { type KernelShape, type KernelSource, kernelSource } from "../wgsl/kernel_source.ts";

/** A buffer of the kernel's author: `@group(1) @binding(i)` is the i-th. */
export interface KernelBuffer {
  readonly buffer: GPUBuffer;
  /** `storage` when absent. */
  readonly type?: GPUBufferBindingType;
}

/** What a kernel is made of. */
export interface KernelOptions extends KernelShape {
  /** The author's steps; see `kernelSource`. */
  readonly source: string;
  /** Where the kernel's waves are the clients. No other client may use it. */
  readonly channel: Channel;
  /** Waves of `laneCount` lanes each; 1 to 65535. */
  readonly waveCount: number;
  readonly buffers?: readonly KernelBuffer[];
}

const PARAMS_BYTES = 32;
const WAVE_STATE_BYTES = 32;
/** Waves are told apart in a half of the lock words. */
const WAVE_COUNT_MAX = 65535;

/**
 * A compiled kernel with the memory its waves live in: what `Epochs` dispatches.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Kernel } from "./kernel.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined);
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 1 });
 *   const kernel = await Kernel.create(gpu, { channel, waveCount: 4, source: "fn step_0() {}" });
 *   kernel.destroy();
 * }
 * ```
 */
export class Kernel {
  readonly gpu: GpuDevice;
  readonly deviceChannel: DeviceChannel;
  readonly waveCount: number;
  readonly #pipeline: GPUComputePipeline;
  readonly #bindGroups: readonly GPUBindGroup[];
  readonly #params: GPUBuffer;
  readonly #memories: readonly GPUBuffer[];
  readonly #groupCount: number;
  readonly #paramWords = new Uint32Array(PARAMS_BYTES / 4);

  private constructor(gpu: GpuDevice, made: MadeKernel) {
    this.gpu = gpu;
    this.deviceChannel = made.deviceChannel;
    this.waveCount = made.waveCount;
    this.#pipeline = made.pipeline;
    this.#bindGroups = made.bindGroups;
    this.#params = made.params;
    this.#memories = made.memories;
    this.#groupCount = made.groupCount;
  }

  /**
   * Compiles a kernel and allocates its memory.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {TypeError} when the text has no steps
   * @throws {RangeError} when a count is out of its bounds or beyond what the device can hold
   */
  static async create(gpu: GpuDevice, options: KernelOptions): Promise<Kernel> {
    checkAlive(gpu, "make a kernel");
    const source = kernelSource(options.source, shapeOf(options));
    checkCounts(gpu.device, options, source);
    const deviceChannel = new DeviceChannel(gpu, options.channel);
    try {
      return new Kernel(gpu, await make(gpu.device, { options, source, deviceChannel }));
    } catch (error) {
      deviceChannel.destroy();
      throw error;
    }
  }

  /** Adds one dispatch of all waves to a command buffer. */
  encode(encoder: GPUCommandEncoder, timestampWrites?: GPUComputePassTimestampWrites): void {
    const pass = encoder.beginComputePass(timestampWrites ? { timestampWrites } : {});
    pass.setPipeline(this.#pipeline);
    this.#bindGroups.forEach((group, index) => pass.setBindGroup(index, group));
    pass.dispatchWorkgroups(this.#groupCount);
    pass.end();
  }

  /** Tells the next dispatch where the run stands. */
  setParams(params: {
    readonly epoch: number;
    readonly firstWave: number;
    readonly isScarce: boolean;
    readonly isFirst: boolean;
  }): void {
    const { epoch, firstWave, isScarce, isFirst } = params;
    this.#paramWords.set([epoch, this.waveCount, firstWave, Number(isScarce), Number(isFirst)]);
    this.gpu.device.queue.writeBuffer(this.#params, 0, this.#paramWords);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.deviceChannel.destroy();
    this.#params.destroy();
    for (const memory of this.#memories) memory.destroy();
  }
}

function shapeOf(options: KernelOptions) {
  const { waveCount, channel: { layout } } = options;
  // Lanes without a wave cost as much as the others on a software adapter.
  const isSmall = layout.laneCount === 1 && waveCount < 64 && options.wavesPerGroup === undefined;
  return {
    ...options,
    ...(isSmall && { wavesPerGroup: Math.max(1, Math.ceil(waveCount)) }),
    layout,
  };
}

interface MadeKernel {
  readonly deviceChannel: DeviceChannel;
  readonly waveCount: number;
  readonly pipeline: GPUComputePipeline;
  readonly bindGroups: readonly GPUBindGroup[];
  readonly params: GPUBuffer;
  readonly memories: readonly GPUBuffer[];
  readonly groupCount: number;
}

async function make(
  device: GPUDevice,
  parts: {
    readonly options: KernelOptions;
    readonly source: KernelSource;
    readonly deviceChannel: DeviceChannel;
  },
): Promise<MadeKernel> {
  const { options, source, deviceChannel } = parts;
  const { waveCount, buffers = [] } = options;
  const { laneCount } = options.channel.layout;
  const module = await compileModule(device, options.source, source);
  const layouts = [groupLayout(device, RUNTIME_TYPES), groupLayout(device, typesOf(buffers))];
  device.pushErrorScope("validation");
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
    compute: { module, entryPoint: source.entryPoint },
  });
  const { STORAGE, COPY_DST, UNIFORM } = GPUBufferUsage;
  const params = device.createBuffer({ size: PARAMS_BYTES, usage: UNIFORM | COPY_DST });
  const laneStateBytes = source.laneStateBytes * laneCount;
  const memories = [WAVE_STATE_BYTES, laneStateBytes, source.laneMemoryWords * 4 * laneCount].map(
    (bytes) => device.createBuffer({ size: bytes * waveCount, usage: STORAGE }),
  );
  const runtime = [deviceChannel.control, deviceChannel.payload, params, ...memories];
  const bindGroups = [
    bindGroup(device, layouts[0]!, runtime),
    bindGroup(device, layouts[1]!, buffers.map(({ buffer }) => buffer)),
  ];
  await throwScope(device, "bind the kernel's memory");
  const groupCount = Math.ceil(waveCount / source.wavesPerGroup);
  return { deviceChannel, waveCount, pipeline, bindGroups, params, memories, groupCount };
}

const RUNTIME_TYPES: readonly GPUBufferBindingType[] = [
  "storage",
  "storage",
  "uniform",
  "storage",
  "storage",
  "storage",
];

function typesOf(buffers: readonly KernelBuffer[]): GPUBufferBindingType[] {
  return buffers.map(({ type = "storage" }) => type);
}

function groupLayout(
  device: GPUDevice,
  types: readonly GPUBufferBindingType[],
): GPUBindGroupLayout {
  return device.createBindGroupLayout({
    entries: types.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    })),
  });
}

function bindGroup(
  device: GPUDevice,
  layout: GPUBindGroupLayout,
  buffers: readonly GPUBuffer[],
): GPUBindGroup {
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  return device.createBindGroup({ layout, entries });
}

async function throwScope(device: GPUDevice, what: string): Promise<void> {
  const error = await device.popErrorScope();
  if (error) throw new TypeError(`Cannot ${what} as the device refuses it: ${error.message}`);
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
