import type { Channel } from "../../toggle/channel.ts";
import { Status } from "../../memory/status.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { packetStrides } from "../../memory/packet_views.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { BoundPipeline, type KernelBuffer } from "../device/bound_pipeline.ts";
import { createReadback } from "../device/create_readback.ts";
import { awaitAlive, checkAlive, type GpuDevice } from "../device/device.ts";
import { allocated } from "../device/error_scopes.ts";
import type { CopyOut, DeviceTask, Readback, ReadbackName } from "../device/readback.ts";
import { authorModule, compileModule } from "../wgsl/kernel_compile.ts";
import { declareConstants } from "../wgsl/layout_constants.ts";
import { servedText } from "./service_functions.ts";
import serverText from "./gpu_server.wgsl" with { type: "text" };

/** Options of {@linkcode GpuServer.create}. */
export interface GpuServerOptions {
  /** The channel to serve, whose clients are Workers of the host. */
  readonly channel: Channel;
  /**
   * WGSL with `fn operate(opcode: u32)`, which works on the lane's packet in place; or functions such as
   * `@service(40000) fn add(x: u32, y: u32) -> u32 { return x + y; }`, whose opcodes alone are served then. A
   * call fails if it uses a word beyond the packet.
   */
  readonly source: string;
  /** Buffers that `operate` uses, as `@group(1)`; none when absent. */
  readonly buffers?: readonly KernelBuffer[];
  /** How results are read back; chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName;
}

const GROUP_SIZE = 64;

/**
 * A server whose operations run on the GPU: "an x64 machine calling a function on a GPU". One dispatch
 * works on all pending calls, so batches grow with load: while one is in progress, calls gather for the
 * next.
 *
 * Opening, locks and ownership are those of every server; calls have one packet each way.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { GpuServer } from "./gpu_server.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 4, laneCount: 8 });
 *   const source = "@service(40000) fn product(x: u32, y: u32) -> u32 { return x * y; }";
 *   const server = await GpuServer.create(gpu, { channel, source });
 *   if (await server.runBatchAsync() !== 0) throw new Error("nobody called");
 *   server.destroy();
 * }
 * ```
 */
export class GpuServer {
  readonly #gpu: GpuDevice;
  readonly #server: Server;
  readonly #pipeline: BoundPipeline;
  readonly #memory: BatchMemory;
  readonly #layout: ChannelLayout;
  /** Absent where `operate` takes all. */
  readonly #opcodes: ReadonlySet<number> | undefined;

  private constructor(gpu: GpuDevice, channel: Channel, parts: {
    readonly pipeline: BoundPipeline;
    readonly memory: BatchMemory;
    readonly opcodes: readonly number[] | undefined;
  }) {
    this.#gpu = gpu;
    this.#server = new Server(channel);
    this.#pipeline = parts.pipeline;
    this.#memory = parts.memory;
    this.#layout = channel.layout;
    this.#opcodes = parts.opcodes && new Set(parts.opcodes);
  }

  /**
   * Compiles the operation and allocates memory for the largest batch.
   *
   * @throws {KernelCompileError} when the text does not compile, with the author's own line
   * @throws {TypeError} when there is nothing to serve, or a buffer is missing or wrong
   */
  static async create(gpu: GpuDevice, options: GpuServerOptions): Promise<GpuServer> {
    await awaitAlive(gpu, "make a server");
    const { channel, readback, buffers = [] } = options;
    const author = authorModule(options.source);
    const { portCount, laneCount, packetWords, laneBytes } = channel.layout;
    const { source, generated, opcodes } = servedText(author, laneBytes / 4);
    const constants = declareConstants(constantsOf(channel.layout));
    const code = [source, constants, generated, serverText].join("\n");
    const module = await compileModule(gpu.device, { code, author });
    const memory = await BatchMemory.create(gpu.device, {
      batchMax: portCount,
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
    return new GpuServer(gpu, channel, { pipeline, memory, opcodes });
  }

  /** How results are read back. */
  get readback(): ReadbackName {
    return this.#memory.readback.name;
  }

  /**
   * Serves all pending calls, and resolves to their number.
   *
   * @throws {DOMException} `OperationError` when the device rejected the batch, whose calls then fail,
   * or was lost
   */
  async runBatchAsync(): Promise<number> {
    const ports: ServerPort<"mine">[] = [];
    try {
      return await this.#memory.readback.runAsync(this.#batch(ports));
    } catch (error) {
      throw failed(ports, error);
    }
  }

  /**
   * Like {@linkcode runBatchAsync}, without an event loop.
   *
   * @throws {TypeError} when results are awaited
   */
  runBatch(): number {
    const ports: ServerPort<"mine">[] = [];
    try {
      return this.#memory.readback.run(this.#batch(ports));
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

  /** Opens every pending call, and copies its packet into the batch. */
  #gather(ports: ServerPort<"mine">[]): void {
    checkAlive(this.#gpu, "serve");
    while (ports.length < this.#layout.portCount) {
      const port = this.#server.tryOpen();
      if (!port) break;
      const { opcode } = port;
      const isServed = this.#opcodes?.has(opcode) ?? true;
      const received = port.recv(({ uint32, mask: { lo, hi } }) => {
        if (isServed) this.#memory.set(ports.length, uint32, { lo, hi, opcode });
      });
      if (isServed) ports.push(received);
      else {
        received.refuse(Status.unhandledOpcode);
        received.close();
      }
    }
  }

  #encode(encoder: GPUCommandEncoder, copyOut: CopyOut, callCount: number): void {
    this.#memory.upload(this.#gpu.device.queue, callCount);
    this.#pipeline.encode(encoder, Math.ceil(callCount * this.#layout.laneCount / GROUP_SIZE));
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
      // A small packet has room for about fifty letters.
      `Cannot use word ${word} of ${this.#layout.laneBytes / 4}: give the channel more laneBytes`,
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

/** Fails the calls without an answer, and returns the error. */
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

/** The size of a batch's memory, and how results are read back. */
interface BatchShape {
  /** The most calls of one dispatch. */
  readonly batchMax: number;
  readonly laneCount: number;
  /** Words of one call's packet. */
  readonly packetWords: number;
  /** Chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName | undefined;
}

type BatchBuffers = readonly [packets: GPUBuffer, headers: GPUBuffer, batch: GPUBuffer];

/**
 * The calls of one dispatch, on the host and on the device: the i-th packet and header belong to the
 * i-th call.
 */
class BatchMemory {
  readonly readback: Readback;
  /** In the order of the bindings of `gpu_server.wgsl`. */
  readonly buffers: BatchBuffers;
  readonly #laneCount: number;
  readonly #packetWords: number;
  /** Words of a packet, and one that names a word used beyond it, or 0. */
  readonly #slotWords: number;
  readonly #packets: Uint32Array<ArrayBuffer>;
  readonly #headers: Uint32Array<ArrayBuffer>;

  private constructor(buffers: BatchBuffers, readback: Readback, shape: BatchShape) {
    const { batchMax, laneCount, packetWords } = shape;
    this.buffers = buffers;
    this.readback = readback;
    this.#laneCount = laneCount;
    this.#packetWords = packetWords;
    this.#slotWords = packetWords + 1;
    this.#packets = new Uint32Array(batchMax * this.#slotWords);
    this.#headers = new Uint32Array(batchMax * HEADER_WORDS);
  }

  static async create(device: GPUDevice, shape: BatchShape): Promise<BatchMemory> {
    const { batchMax, packetWords, readback } = shape;
    const bytes = batchMax * (packetWords + 1) * 4;
    const back = await createReadback(device, { bytes, readback });
    const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
    const buffer = (size: number, usage: GPUBufferUsageFlags) =>
      device.createBuffer({ size, usage });
    const buffers = await allocated(device, `allocate a batch of ${batchMax} calls`, () =>
      [
        buffer(bytes, STORAGE | COPY_SRC | COPY_DST),
        buffer(batchMax * HEADER_WORDS * 4, STORAGE | COPY_DST),
        buffer(16, UNIFORM | COPY_DST),
      ] as const);
    return new BatchMemory(buffers, back, shape);
  }

  set(
    call: number,
    packet: Uint32Array,
    header: { readonly lo: number; readonly hi: number; readonly opcode: number },
  ): void {
    this.#packets.set(packet, call * this.#slotWords);
    this.#headers.set([header.lo, header.hi, header.opcode], call * HEADER_WORDS);
  }

  /** Writes the first `callCount` calls to the device. */
  upload(queue: GPUQueue, callCount: number): void {
    const [packets, headers, batch] = this.buffers;
    queue.writeBuffer(packets, 0, this.#packets, 0, callCount * this.#slotWords);
    queue.writeBuffer(headers, 0, this.#headers, 0, callCount * HEADER_WORDS);
    queue.writeBuffer(batch, 0, Uint32Array.of(callCount, this.#laneCount, 0, 0));
  }

  /** Copies the first `callCount` packets out. */
  copyOut(copyOut: CopyOut, callCount: number): void {
    const [packets] = this.buffers;
    copyOut(packets, 0, 0, callCount * this.#slotWords * 4);
  }

  packetOf(words: Int32Array, call: number): Int32Array {
    const start = call * this.#slotWords;
    return words.subarray(start, start + this.#packetWords);
  }

  /** The word beyond its packet that a call has used, if any, in the words read back. */
  wordBeyondOf(words: Int32Array, call: number): number | undefined {
    return words[call * this.#slotWords + this.#packetWords]! >>> 0 || undefined;
  }

  destroy(): void {
    for (const memory of [...this.buffers, this.readback]) memory.destroy();
  }
}
