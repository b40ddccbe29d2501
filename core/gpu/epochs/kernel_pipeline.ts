import { BoundPipeline, type KernelBuffer } from "../device/bound_pipeline.ts";
import { checkAlive, type GpuDevice } from "../device/device.ts";
import { allocated, destroyAll } from "../device/error_scopes.ts";
import type { CopyOut } from "../device/readback.ts";
import { secondsBetween, Stopwatch } from "../device/stopwatch.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";
import { DeviceChannel } from "./channel/device_channel.ts";
import type { KernelOptions } from "./kernel.ts";
import type { WaveWindow } from "./wave_window.ts";
import { DeviceHeap } from "../heap/device_heap.ts";
import { PARAMS_WORDS } from "../wgsl/layout_constants.ts";

/** The parameters of a dispatch, as `EpochParams` in `wave_epoch.wgsl`. */
export interface DispatchParams {
  readonly epoch: number;
  readonly window: WaveWindow;
  /** Waves from this one on have not begun. */
  readonly begunBelow: number;
  readonly isScarce: boolean;
  readonly tellsUnfinished: boolean;
}

/** A compiled kernel, and the memory in which its waves live between dispatches. */
export class KernelPipeline {
  readonly gpu: GpuDevice;
  readonly waveCount: number;
  readonly #parts: PipelineParts;
  #isDestroyed = false;

  private constructor(gpu: GpuDevice, waveCount: number, parts: PipelineParts) {
    this.gpu = gpu;
    this.waveCount = waveCount;
    this.#parts = parts;
  }

  /** Compiles a kernel and allocates its memory, which is freed on failure. */
  static async create(
    gpu: GpuDevice,
    options: KernelOptions,
    source: KernelSource,
  ): Promise<KernelPipeline> {
    const { device } = gpu;
    const { waveCount, buffers = [] } = options;
    const { entryPoint } = source;
    const what = `allocate the memory of ${waveCount} waves`;
    const memory = await allocated(device, what, () => allocate(gpu, options, source));
    try {
      const module = await compileModule(device, source);
      const lists = [runtimeBuffers(memory), buffers];
      const pipeline = await BoundPipeline.create(device, { module, entryPoint }, lists);
      const stopwatch = options.timed ? Stopwatch.create(device) : undefined;
      return new KernelPipeline(gpu, waveCount, { source, pipeline, memory, stopwatch });
    } catch (error) {
      destroyAll(memory);
      throw error;
    }
  }

  /**
   * Checks that the kernel can still run.
   *
   * @throws {TypeError} when the kernel was destroyed
   * @throws {DOMException} `OperationError` when the device was lost
   */
  check(what: string): void {
    if (this.#isDestroyed) throw new TypeError(`Cannot ${what} as its memory was destroyed`);
    checkAlive(this.gpu, what);
  }

  /** What it was made of. */
  get source(): KernelSource {
    return this.#parts.source;
  }

  get deviceChannel(): DeviceChannel {
    return this.#parts.memory.deviceChannel;
  }

  get heap(): DeviceHeap | undefined {
    return this.#parts.memory.heap;
  }

  /** Adds one or two dispatches to a command buffer that is submitted before the next call. */
  encode(encoder: GPUCommandEncoder, [first, second]: readonly DispatchParams[]): void {
    const { deviceChannel, nextParams } = this.#parts.memory;
    const whole = this.#parts.stopwatch?.timestampWrites;
    deviceChannel.writeParams(paramsOf(first!));
    if (!second) return this.#encodeOne(encoder, first!, whole);
    this.#encodeOne(encoder, first!, this.#parts.stopwatch?.beginWrites);
    const words = Uint32Array.from(paramsOf(second));
    this.gpu.device.queue.writeBuffer(nextParams, 0, words);
    encoder.copyBufferToBuffer(nextParams, 0, deviceChannel.params, 0, words.byteLength);
    this.#encodeOne(encoder, second, this.#parts.stopwatch?.endWrites);
  }

  #encodeOne(
    encoder: GPUCommandEncoder,
    { window }: DispatchParams,
    timestamps: GPUComputePassTimestampWrites | undefined,
  ): void {
    this.#parts.pipeline.encode(
      encoder,
      Math.ceil(window.size / this.#parts.source.wavesPerGroup),
      timestamps,
    );
  }

  /** Bytes that a readback buffer needs for `portBound` ports; for all of them when absent. */
  readbackBytes(portBound?: number): number {
    return this.deviceChannel.readbackBytes(portBound) +
      (this.#parts.stopwatch ? Stopwatch.bytes : 0);
  }

  /** Copies `portBound` ports out, and the timestamps if the kernel is timed. */
  encodeDownload(encoder: GPUCommandEncoder, copyOut: CopyOut, portBound: number): void {
    this.deviceChannel.copyOut(copyOut, portBound);
    this.#parts.stopwatch?.encodeOut(encoder, copyOut, this.deviceChannel.readbackBytes(portBound));
  }

  /** The seconds that these dispatches took; `undefined` when not timed. */
  secondsOf(words: Int32Array, portBound: number): number | undefined {
    if (!this.#parts.stopwatch) return undefined;
    return secondsBetween(words, this.deviceChannel.readbackBytes(portBound) / 4);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.#isDestroyed = true;
    destroyAll(this.#parts.memory);
    this.#parts.stopwatch?.destroy();
  }
}

/** In the order of `EpochParams`. */
function paramsOf(params: DispatchParams): readonly number[] {
  const { epoch, window, begunBelow, isScarce, tellsUnfinished } = params;
  const { size, first, rotation } = window;
  return [epoch, size, first, Number(isScarce), begunBelow, rotation, Number(tellsUnfinished)];
}

interface PipelineParts {
  readonly source: KernelSource;
  readonly pipeline: BoundPipeline;
  readonly memory: KernelMemory;
  /** Absent unless the kernel is timed and the device supports it. */
  readonly stopwatch: Stopwatch | undefined;
}

interface KernelMemory {
  readonly deviceChannel: DeviceChannel;
  readonly heap: DeviceHeap | undefined;
  /** The parameters of a second dispatch in the same submit. */
  readonly nextParams: GPUBuffer;
  readonly waves: GPUBuffer;
  readonly lanes: GPUBuffer;
  readonly laneMemory: GPUBuffer;
}

function allocate(
  gpu: GpuDevice,
  { waveCount, channel, heapBytes }: KernelOptions,
  { waveStateBytes, laneStateBytes, laneMemoryWords, spareCount, heapTexts }: KernelSource,
): KernelMemory {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const { device } = gpu;
  const perWave = (bytes: number) =>
    device.createBuffer({ size: Math.ceil(bytes * waveCount / 4) * 4, usage: STORAGE });
  const { laneCount } = channel.layout;
  return {
    deviceChannel: new DeviceChannel(gpu, channel, spareCount),
    heap: heapBytes === undefined ? undefined : new DeviceHeap(gpu, heapBytes, heapTexts!),
    nextParams: device.createBuffer({ size: PARAMS_WORDS * 4, usage: COPY_SRC | COPY_DST }),
    waves: perWave(waveStateBytes),
    lanes: perWave(laneStateBytes * laneCount),
    laneMemory: perWave(laneMemoryWords * 4 * laneCount),
  };
}

/** In the order of the bindings of `port.wgsl`, `wave_epoch.wgsl` and `heap.wgsl`. */
function runtimeBuffers({ deviceChannel, heap, ...memory }: KernelMemory): KernelBuffer[] {
  return [
    ...deviceChannel.buffers,
    { buffer: memory.waves },
    { buffer: memory.lanes },
    { buffer: memory.laneMemory },
    ...heap ? [{ buffer: heap.buffer }] : [],
  ];
}
