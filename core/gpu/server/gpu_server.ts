import type { Channel } from "../../toggle/channel.ts";
import { HEADER_WORDS, LANE_BYTES, LANE_WORDS } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { checkAlive, type GpuDevice } from "../device/device.ts";
import serverText from "./gpu_server.wgsl" with { type: "text" };
import { compileModule } from "../wgsl/kernel_compile.ts";
import { declareConstants } from "../wgsl/layout_constants.ts";
import type { DeviceTask, Readback, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/readback_probe.ts";

/** What a GPU server is made of. */
export interface GpuServerOptions {
  /** Whose calls are served: its clients are the host's Workers. */
  readonly channel: Channel;
  /** WGSL with `fn operate(opcode: u32)`, which works on the lane's packet in place. */
  readonly source: string;
  /** The most calls of one dispatch; the channel's ports when absent. */
  readonly batchMax?: number;
  /** How results come back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

const GROUP_SIZE = 64;

/**
 * A server whose arithmetic runs on the GPU: "an x64 machine calling a function on a GPU". One
 * dispatch works on all calls that are pending, so batches grow with load: while one is under way,
 * the next gathers.
 *
 * Opening, locks and ownership are those of every server; calls are of one packet each way.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { GpuServer } from "./gpu_server.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 8 });
 *   const source = "fn operate(opcode: u32) { packet_set(0u, packet_get(0u) * packet_get(1u)); }";
 *   const server = await GpuServer.create(gpu, { channel, source });
 *   if (await server.serveBatch() !== 0) throw new Error("nobody called");
 *   server.destroy();
 * }
 * ```
 */
export class GpuServer {
  readonly #gpu: GpuDevice;
  readonly #server: Server;
  readonly #pipeline: GPUComputePipeline;
  readonly #bindGroup: GPUBindGroup;
  readonly #memory: BatchMemory;
  readonly #laneCount: number;
  readonly #batchMax: number;

  private constructor(gpu: GpuDevice, parts: {
    readonly options: GpuServerOptions;
    readonly batchMax: number;
    readonly pipeline: GPUComputePipeline;
    readonly memory: BatchMemory;
  }) {
    const { options, pipeline, memory } = parts;
    this.#gpu = gpu;
    this.#server = new Server(options.channel);
    this.#pipeline = pipeline;
    this.#memory = memory;
    this.#laneCount = options.channel.layout.laneCount;
    this.#batchMax = parts.batchMax;
    this.#bindGroup = gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: memory.buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
  }

  /**
   * Compiles the operation and allocates memory for the largest batch.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {RangeError} when `batchMax` is not an integer from 1 to the channel's ports
   */
  static async create(gpu: GpuDevice, options: GpuServerOptions): Promise<GpuServer> {
    checkAlive(gpu, "make a server");
    const { portCount, laneCount } = options.channel.layout;
    const { batchMax = portCount, source } = options;
    checkBatchMax(batchMax, portCount);
    const code = [source, declareConstants({ LANE_WORDS, GROUP_SIZE }), serverText].join("\n");
    const authorLineCount = source.split("\n").length;
    const module = await compileModule(gpu.device, source, { code, authorLineCount });
    const pipeline = await gpu.device.createComputePipelineAsync({
      layout: "auto",
      compute: { module },
    });
    const { readback } = options;
    const memory = await BatchMemory.create(gpu.device, { batchMax, laneCount, readback });
    return new GpuServer(gpu, { options, batchMax, pipeline, memory });
  }

  /** How results come back. */
  get readback(): ReadbackName {
    return this.#memory.readback.name;
  }

  /** Serves what is pending now; resolves to how many calls that were. */
  async serveBatch(): Promise<number> {
    return await this.#memory.readback.run(this.#batch());
  }

  /**
   * As {@linkcode serveBatch}, without an event loop.
   *
   * @throws {TypeError} when results come back in the awaited way
   */
  serveBatchNow(): number {
    return this.#memory.readback.runNow(this.#batch());
  }

  *#batch(): DeviceTask<number> {
    const ports = this.#gather();
    const batchCount = ports.length;
    if (batchCount === 0) return 0;
    this.#submit(batchCount);
    yield { bytes: this.#bytesOf(batchCount), use: (words) => this.#answer(ports, words) };
    return batchCount;
  }

  /** Takes every pending call, and its packet into the batch. */
  #gather(): ServerPort<"mine">[] {
    checkAlive(this.#gpu, "serve");
    const ports: ServerPort<"mine">[] = [];
    while (ports.length < this.#batchMax) {
      const port = this.#server.tryOpen();
      if (!port) break;
      const place = ports.length;
      const { opcode } = port;
      ports.push(port.recv(({ uint32, mask }) => {
        this.#memory.packets.set(uint32, place * this.#laneCount * LANE_WORDS);
        this.#memory.headers.set([mask.lo, mask.hi, opcode], place * HEADER_WORDS);
      }));
    }
    return ports;
  }

  #bytesOf(batchCount: number): number {
    return batchCount * this.#laneCount * LANE_BYTES;
  }

  #submit(batchCount: number): void {
    const { device } = this.#gpu;
    this.#memory.write(device.queue, { batchCount, laneCount: this.#laneCount });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#bindGroup);
    pass.dispatchWorkgroups(Math.ceil(batchCount * this.#laneCount / GROUP_SIZE));
    pass.end();
    const { buffers, readback } = this.#memory;
    encoder.copyBufferToBuffer(buffers[0]!, 0, readback.buffer, 0, this.#bytesOf(batchCount));
    device.queue.submit([encoder.finish()]);
  }

  #answer(ports: readonly ServerPort<"mine">[], words: Int32Array): void {
    const packetWords = this.#laneCount * LANE_WORDS;
    ports.forEach((port, place) => {
      port.send(({ uint32 }) =>
        uint32.set(words.subarray(place * packetWords, (place + 1) * packetWords))
      )
        .close();
    });
  }

  /** Frees the device's memory. */
  destroy(): void {
    this.#memory.destroy();
  }
}

/** What a batch needs on both sides. */
class BatchMemory {
  readonly packets: Uint32Array<ArrayBuffer>;
  readonly headers: Uint32Array<ArrayBuffer>;
  /** Packets, headers and counts, in the order of the shader's bindings. */
  readonly buffers: readonly GPUBuffer[];
  readonly readback: Readback;

  private constructor(
    device: GPUDevice,
    readback: Readback,
    words: { readonly packets: number; readonly headers: number },
  ) {
    const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
    this.packets = new Uint32Array(words.packets);
    this.headers = new Uint32Array(words.headers);
    this.readback = readback;
    this.buffers = [
      device.createBuffer({ size: this.packets.byteLength, usage: STORAGE | COPY_SRC | COPY_DST }),
      device.createBuffer({ size: this.headers.byteLength, usage: STORAGE | COPY_DST }),
      device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST }),
    ];
  }

  static async create(
    device: GPUDevice,
    shape: {
      readonly batchMax: number;
      readonly laneCount: number;
      readonly readback: ReadbackName | undefined;
    },
  ): Promise<BatchMemory> {
    const packets = shape.batchMax * shape.laneCount * LANE_WORDS;
    const readback = await createReadback(device, {
      bytes: packets * 4,
      readback: shape.readback,
    });
    return new BatchMemory(device, readback, { packets, headers: shape.batchMax * HEADER_WORDS });
  }

  write(queue: GPUQueue, batch: { readonly batchCount: number; readonly laneCount: number }): void {
    const { batchCount, laneCount } = batch;
    queue.writeBuffer(this.buffers[0]!, 0, this.packets, 0, batchCount * laneCount * LANE_WORDS);
    queue.writeBuffer(this.buffers[1]!, 0, this.headers, 0, batchCount * HEADER_WORDS);
    queue.writeBuffer(this.buffers[2]!, 0, Uint32Array.of(batchCount, laneCount, 0, 0));
  }

  destroy(): void {
    for (const buffer of this.buffers) buffer.destroy();
    this.readback.destroy();
  }
}

function checkBatchMax(batchMax: number, portCount: number): void {
  if (Number.isInteger(batchMax) && batchMax >= 1 && batchMax <= portCount) return;
  throw new RangeError(
    `Cannot make a server as batchMax must be an integer from 1 to the ${portCount} ports: current value is ${batchMax}`,
  );
}
