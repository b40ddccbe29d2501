import type { Channel } from "../../toggle/channel.ts";
import { Status } from "../../memory/status.ts";
import { packetStrides } from "../../memory/packet_views.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { BoundPipeline, type KernelBuffer } from "../device/bound_pipeline.ts";
import { awaitAlive, checkAlive, type GpuDevice } from "../device/device.ts";
import type { CopyOut, DeviceTask, ReadbackName } from "../device/readback.ts";
import { codeOf, withPlainLines } from "../wgsl/author_text.ts";
import { checkSignature, compileModule } from "../wgsl/kernel_compile.ts";
import { declareConstants } from "../wgsl/layout_constants.ts";
import { BatchMemory } from "./batch_memory.ts";
import serverText from "./gpu_server.wgsl" with { type: "text" };

/** What a GPU server is made of. */
export interface GpuServerOptions {
  /** Whose calls are served: its clients are the host's Workers. */
  readonly channel: Channel;
  /**
   * WGSL with `fn operate(opcode: u32)`, which works on the lane's packet in place. A call for which it
   * uses a word beyond the packet fails.
   */
  readonly source: string;
  /** The most calls of one dispatch; the channel's ports when absent. */
  readonly batchMax?: number;
  /** Buffers that `operate` uses, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /** How results come back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

const GROUP_SIZE = 64;

/**
 * A server whose arithmetic runs on the GPU: "an x64 machine calling a function on a GPU". One
 * dispatch works on all calls that are pending, so batches grow with load: while one is under way,
 * calls gather for the next.
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
  readonly #pipeline: BoundPipeline;
  readonly #memory: BatchMemory;
  readonly #laneCount: number;
  readonly #laneWords: number;
  readonly #batchMax: number;

  private constructor(gpu: GpuDevice, parts: {
    readonly channel: Channel;
    readonly batchMax: number;
    readonly pipeline: BoundPipeline;
    readonly memory: BatchMemory;
  }) {
    const { channel, batchMax, pipeline, memory } = parts;
    this.#gpu = gpu;
    this.#server = new Server(channel);
    this.#pipeline = pipeline;
    this.#memory = memory;
    this.#laneCount = channel.layout.laneCount;
    this.#laneWords = channel.layout.laneBytes / 4;
    this.#batchMax = batchMax;
  }

  /**
   * Compiles the operation and allocates memory for the largest batch.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {TypeError} when there is no `operate`, or a buffer is missing or wrong
   * @throws {RangeError} when `batchMax` is not an integer from 1 to the channel's ports
   */
  static async create(gpu: GpuDevice, options: GpuServerOptions): Promise<GpuServer> {
    await awaitAlive(gpu, "make a server");
    const { channel, readback, buffers = [] } = options;
    const source = withPlainLines(options.source);
    const { portCount, laneCount, packetWords } = channel.layout;
    const { batchMax = portCount } = options;
    checkBatchMax(batchMax, portCount);
    checkSignature(source, "fn operate(opcode: u32)");
    if (!/\bfn\s+operate\s*\(/.test(codeOf(source))) {
      throw new TypeError(
        "Cannot make a server as its source has no function operate: write fn operate(opcode: u32)",
      );
    }
    const code = [source, declareConstants(constantsOf(channel.layout)), serverText].join("\n");
    const authorLineCount = source.split("\n").length;
    const module = await compileModule(gpu.device, source, { code, authorLineCount });
    const memory = await BatchMemory.create(gpu.device, {
      batchMax,
      laneCount,
      packetWords,
      readback,
    });
    const [packets, headers, batch] = memory.buffers;
    const own: KernelBuffer[] = [
      { buffer: packets },
      { buffer: headers, type: "read-only-storage" },
      { buffer: batch, type: "uniform" },
    ];
    const pipeline = await BoundPipeline.create(gpu.device, { module }, [own, buffers])
      .catch((error: Error) => {
        memory.destroy();
        throw error;
      });
    return new GpuServer(gpu, { channel, batchMax, pipeline, memory });
  }

  /** How results come back. */
  get readback(): ReadbackName {
    return this.#memory.readback.name;
  }

  /**
   * Serves what is pending now; resolves to how many calls that were.
   *
   * @throws {DOMException} `OperationError` when the device has refused the batch, whose calls have
   * failed then, or was lost
   */
  async serveBatch(): Promise<number> {
    const ports: ServerPort<"mine">[] = [];
    try {
      return await this.#memory.readback.run(this.#batch(ports));
    } catch (error) {
      throw failed(ports, error);
    }
  }

  /**
   * As {@linkcode serveBatch}, without an event loop.
   *
   * @throws {TypeError} when results come back in the awaited way
   */
  serveBatchNow(): number {
    const ports: ServerPort<"mine">[] = [];
    try {
      return this.#memory.readback.runNow(this.#batch(ports));
    } catch (error) {
      throw failed(ports, error);
    }
  }

  *#batch(ports: ServerPort<"mine">[]): DeviceTask<number> {
    this.#gather(ports);
    const callCount = ports.length;
    if (callCount === 0) return 0;
    yield {
      what: "serve the batch",
      encode: (encoder, copyOut) => this.#encode(encoder, copyOut, callCount),
      use: (words) => this.#answer(ports, words),
    };
    return callCount;
  }

  /** Takes every pending call, and its packet into the batch. */
  #gather(ports: ServerPort<"mine">[]): void {
    checkAlive(this.#gpu, "serve");
    while (ports.length < this.#batchMax) {
      const port = this.#server.tryOpen();
      if (!port) break;
      const { opcode } = port;
      ports.push(port.recv(({ uint32, mask: { lo, hi } }) => {
        this.#memory.set(ports.length, uint32, { lo, hi, opcode });
      }));
    }
  }

  #encode(encoder: GPUCommandEncoder, copyOut: CopyOut, callCount: number): void {
    this.#memory.upload(this.#gpu.device.queue, callCount);
    this.#pipeline.encode(encoder, Math.ceil(callCount * this.#laneCount / GROUP_SIZE));
    this.#memory.copyOut(copyOut, callCount);
  }

  #answer(ports: readonly ServerPort<"mine">[], words: Int32Array): void {
    ports.forEach((port, call) => {
      const wordBeyond = this.#memory.wordBeyondOf(words, call);
      if (wordBeyond !== undefined) return fail(port, this.#beyondError(wordBeyond));
      port.send(({ uint32 }) => uint32.set(this.#memory.packetOf(words, call))).close();
    });
  }

  #beyondError(word: number): RangeError {
    return new RangeError(
      // A small packet has room for some fifty letters.
      `Cannot use word ${word} of ${this.#laneWords}: give the channel more laneBytes`,
    );
  }

  /** Frees the device's memory. */
  destroy(): void {
    this.#memory.destroy();
  }
}

function fail(port: ServerPort<"mine">, error: unknown): void {
  port.refuse(Status.handlerFailed, error);
  port.close();
}

/** The error, of which the calls without an answer have been told. */
function failed(ports: readonly ServerPort<"mine">[], error: unknown): unknown {
  for (const port of ports.filter(({ isOpen }) => isOpen)) fail(port, error);
  return error;
}

function constantsOf(layout: ChannelLayout): Record<string, number> {
  const { laneStride, wordStride } = packetStrides(layout);
  return {
    LANE_WORDS: layout.laneBytes / 4,
    PACKET_WORDS: layout.packetWords,
    LANE_STRIDE: laneStride,
    WORD_STRIDE: wordStride,
    GROUP_SIZE,
  };
}

function checkBatchMax(batchMax: number, portCount: number): void {
  if (Number.isInteger(batchMax) && batchMax >= 1 && batchMax <= portCount) return;
  throw new RangeError(
    `Cannot make a server as batchMax must be an integer from 1 to the ${portCount} ports: current value is ${batchMax}`,
  );
}
