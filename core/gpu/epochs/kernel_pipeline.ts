import { BoundPipeline, type KernelBuffer } from "../device/bound_pipeline.ts";
import { checkAlive, type GpuDevice } from "../device/device.ts";
import { allocated, destroyAll } from "../device/error_scopes.ts";
import type { CopyOut } from "../device/readback.ts";
import { secondsBetween, Stopwatch } from "../device/stopwatch.ts";
import { compileModule } from "../wgsl/kernel_compile.ts";
import type { ServiceName } from "../resumable/text/services.ts";
import { type KernelErrorReport, placedError } from "../wgsl/kernel_error.ts";
import type { KernelSource } from "../wgsl/kernel_source.ts";
import { DeviceChannel } from "./channel/device_channel.ts";
import type { KernelOptions } from "./kernel.ts";
import type { WaveWindow } from "./wave_window.ts";
import { DeviceHeap } from "../heap/device_heap.ts";

const PARAMS_BYTES = 32;
const WAVE_STATE_BYTES = 32;

/** What a dispatch is told: the fields of `EpochParams` in `wave.wgsl`. */
export interface DispatchParams {
  readonly epoch: number;
  readonly window: WaveWindow;
  /** Waves from here on have not begun. */
  readonly begunBelow: number;
  readonly isScarce: boolean;
  readonly tellsUnfinished: boolean;
}

/** A compiled kernel, and the memory in which its waves live between dispatches. */
export class KernelPipeline {
  readonly gpu: GpuDevice;
  readonly waveCount: number;
  /** Bytes that each lane keeps from step to step. */
  readonly frameBytes: number;
  readonly #source: KernelSource;
  readonly #pipeline: BoundPipeline;
  readonly #memory: KernelMemory;
  readonly #wavesPerGroup: number;
  /** Absent unless the kernel is timed, on a device that can. */
  readonly #stopwatch: Stopwatch | undefined;
  #isDestroyed = false;
  readonly #paramWords = new Uint32Array(PARAMS_BYTES / 4);

  private constructor(
    gpu: GpuDevice,
    parts: {
      readonly waveCount: number;
      readonly pipeline: BoundPipeline;
      readonly memory: KernelMemory;
      readonly wavesPerGroup: number;
      readonly source: KernelSource;
      readonly stopwatch: Stopwatch | undefined;
    },
  ) {
    this.gpu = gpu;
    this.waveCount = parts.waveCount;
    this.frameBytes = parts.source.frameBytes;
    this.#source = parts.source;
    this.#pipeline = parts.pipeline;
    this.#memory = parts.memory;
    this.#wavesPerGroup = parts.wavesPerGroup;
    this.#stopwatch = parts.stopwatch;
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
    const what = `allocate the memory of ${waveCount} waves`;
    const memory = await allocated(device, what, () => allocate(gpu, options, source));
    try {
      const module = await compileModule(device, options.source, source);
      const lists = [runtimeBuffers(memory), buffers];
      const pipeline = await BoundPipeline.create(device, { module, entryPoint }, lists);
      const stopwatch = options.timed ? Stopwatch.create(device) : undefined;
      const parts = { waveCount, pipeline, memory, wavesPerGroup, source, stopwatch };
      return new KernelPipeline(gpu, parts);
    } catch (error) {
      destroyAll(memory);
      throw error;
    }
  }

  /**
   * Checks that there is something to run it with.
   *
   * @throws {TypeError} when the kernel was destroyed
   * @throws {DOMException} `OperationError` when the device was lost
   */
  check(what: string): void {
    if (this.#isDestroyed) throw new TypeError(`Cannot ${what} as its memory was destroyed`);
    checkAlive(this.gpu, what);
  }

  get deviceChannel(): DeviceChannel {
    return this.#memory.deviceChannel;
  }

  /** Where the kernel has one. */
  get heap(): DeviceHeap | undefined {
    return this.#memory.heap;
  }

  /** What a wave did wrong, with where in the author's text that was, if it is known. */
  placed(error: KernelErrorReport): KernelErrorReport {
    return placedError(error, this.#source.stepPlaces);
  }

  /** What the author calls a function of the host, and where; `undefined` for what has no name. */
  nameOf(opcode: number): ServiceName | undefined {
    return this.#source.serviceNames.get(opcode);
  }

  /** Adds dispatches to a command buffer that is submitted before the next call. At most two. */
  encode(encoder: GPUCommandEncoder, [first, second]: readonly DispatchParams[]): void {
    const { params, nextParams } = this.#memory;
    const whole = this.#stopwatch?.timestampWrites;
    this.#writeParams(params, first!);
    if (!second) return this.#encodeOne(encoder, first!, whole);
    this.#encodeOne(encoder, first!, this.#stopwatch?.beginWrites);
    this.#writeParams(nextParams, second);
    encoder.copyBufferToBuffer(nextParams, 0, params, 0, PARAMS_BYTES);
    this.#encodeOne(encoder, second, this.#stopwatch?.endWrites);
  }

  #encodeOne(
    encoder: GPUCommandEncoder,
    { window }: DispatchParams,
    timestamps: GPUComputePassTimestampWrites | undefined,
  ): void {
    this.#pipeline.encode(encoder, Math.ceil(window.size / this.#wavesPerGroup), timestamps);
  }

  /** Bytes that a readback buffer needs for `portBound` ports; for all of them when absent. */
  readbackBytes(portBound?: number): number {
    return this.deviceChannel.readbackBytes(portBound) + (this.#stopwatch ? Stopwatch.bytes : 0);
  }

  /** Copies `portBound` ports out, and the timestamps if there are some. */
  encodeDownload(encoder: GPUCommandEncoder, copyOut: CopyOut, portBound: number): void {
    this.deviceChannel.copyOut(copyOut, portBound);
    this.#stopwatch?.encodeOut(encoder, copyOut, this.deviceChannel.readbackBytes(portBound));
  }

  /** Seconds that the dispatches have taken whose results these are; `undefined` when not timed. */
  secondsOf(words: Int32Array, portBound: number): number | undefined {
    if (!this.#stopwatch) return undefined;
    return secondsBetween(words, this.deviceChannel.readbackBytes(portBound) / 4);
  }

  #writeParams(target: GPUBuffer, params: DispatchParams): void {
    const { epoch, window, begunBelow, isScarce, tellsUnfinished } = params;
    const { size, first, rotation } = window;
    const flags = [Number(isScarce), begunBelow, rotation, Number(tellsUnfinished)];
    this.#paramWords.set([epoch, size, first, ...flags]);
    this.gpu.device.queue.writeBuffer(target, 0, this.#paramWords);
  }

  /** Frees the device's memory, but not the author's buffers. */
  destroy(): void {
    this.#isDestroyed = true;
    destroyAll(this.#memory);
    this.#stopwatch?.destroy();
  }
}

interface KernelMemory {
  readonly deviceChannel: DeviceChannel;
  readonly heap: DeviceHeap | undefined;
  readonly params: GPUBuffer;
  /** Those of a second dispatch of the same submit. */
  readonly nextParams: GPUBuffer;
  readonly waves: GPUBuffer;
  readonly lanes: GPUBuffer;
  readonly laneMemory: GPUBuffer;
}

function allocate(
  gpu: GpuDevice,
  { waveCount, channel, heapBytes }: KernelOptions,
  { laneStateBytes, laneMemoryWords, heapTexts }: KernelSource,
): KernelMemory {
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
  const { device } = gpu;
  const perWave = (bytes: number) =>
    device.createBuffer({ size: Math.ceil(bytes * waveCount / 4) * 4, usage: STORAGE });
  const { laneCount } = channel.layout;
  return {
    deviceChannel: new DeviceChannel(gpu, channel),
    heap: heapBytes === undefined ? undefined : new DeviceHeap(gpu, heapBytes, heapTexts!),
    params: device.createBuffer({ size: PARAMS_BYTES, usage: UNIFORM | COPY_DST }),
    nextParams: device.createBuffer({ size: PARAMS_BYTES, usage: COPY_SRC | COPY_DST }),
    waves: perWave(WAVE_STATE_BYTES),
    lanes: perWave(laneStateBytes * laneCount),
    laneMemory: perWave(laneMemoryWords * 4 * laneCount),
  };
}

/** In the order of the bindings of `port.wgsl`, `wave.wgsl` and `heap.wgsl`. */
function runtimeBuffers({ deviceChannel, heap, ...memory }: KernelMemory): KernelBuffer[] {
  return [
    { buffer: deviceChannel.control },
    { buffer: deviceChannel.payload },
    { buffer: memory.params, type: "uniform" },
    { buffer: memory.waves },
    { buffer: memory.lanes },
    { buffer: memory.laneMemory },
    { buffer: deviceChannel.serverMailboxes, type: "uniform" },
    ...heap ? [{ buffer: heap.buffer }] : [],
  ];
}
