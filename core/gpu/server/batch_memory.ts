import { HEADER_WORDS } from "../../memory/port_headers.ts";
import type { Readback, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";

/** How large the memory of a batch is, and how results come back. */
export interface BatchShape {
  /** The most calls of one dispatch. */
  readonly batchMax: number;
  readonly laneCount: number;
  /** Words of one call's packet. */
  readonly packetWords: number;
  /** Chosen by a probe of the device when absent. */
  readonly readback?: ReadbackName | undefined;
}

/**
 * The calls of one dispatch, on the host and on the device: the i-th packet and the i-th header are
 * those of the i-th call.
 */
export class BatchMemory {
  readonly readback: Readback;
  /** In the order of the bindings of `gpu_server.wgsl`. */
  readonly buffers: readonly [packets: GPUBuffer, headers: GPUBuffer, batch: GPUBuffer];
  readonly #laneCount: number;
  readonly #packetWords: number;
  readonly #packets: Uint32Array<ArrayBuffer>;
  readonly #headers: Uint32Array<ArrayBuffer>;

  private constructor(device: GPUDevice, readback: Readback, shape: BatchShape) {
    const { batchMax, laneCount, packetWords } = shape;
    const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
    this.readback = readback;
    this.#laneCount = laneCount;
    this.#packetWords = packetWords;
    this.#packets = new Uint32Array(batchMax * packetWords);
    this.#headers = new Uint32Array(batchMax * HEADER_WORDS);
    const { byteLength } = this.#packets;
    this.buffers = [
      device.createBuffer({ size: byteLength, usage: STORAGE | COPY_SRC | COPY_DST }),
      device.createBuffer({ size: this.#headers.byteLength, usage: STORAGE | COPY_DST }),
      device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST }),
    ];
  }

  static async create(device: GPUDevice, shape: BatchShape): Promise<BatchMemory> {
    const { batchMax, packetWords, readback } = shape;
    const bytes = batchMax * packetWords * 4;
    return new BatchMemory(device, await createReadback(device, { bytes, readback }), shape);
  }

  /** Bytes of the packets of so many calls. */
  bytesOf(callCount: number): number {
    return callCount * this.#packetWords * 4;
  }

  /** Takes a call into the batch, at its number. */
  set(
    call: number,
    packet: Uint32Array,
    header: { readonly lo: number; readonly hi: number; readonly opcode: number },
  ): void {
    this.#packets.set(packet, call * this.#packetWords);
    this.#headers.set([header.lo, header.hi, header.opcode], call * HEADER_WORDS);
  }

  /** Writes the first `callCount` calls to the device. */
  upload(queue: GPUQueue, callCount: number): void {
    const [packets, headers, batch] = this.buffers;
    queue.writeBuffer(packets, 0, this.#packets, 0, callCount * this.#packetWords);
    queue.writeBuffer(headers, 0, this.#headers, 0, callCount * HEADER_WORDS);
    queue.writeBuffer(batch, 0, Uint32Array.of(callCount, this.#laneCount, 0, 0));
  }

  /** Adds to a command buffer the copy of the first `callCount` packets into the readback buffer. */
  encodeDownload(encoder: GPUCommandEncoder, callCount: number): void {
    const [packets] = this.buffers;
    encoder.copyBufferToBuffer(packets, 0, this.readback.buffer, 0, this.bytesOf(callCount));
  }

  /** The packet of a call in what was read back. */
  packetOf(words: Int32Array, call: number): Int32Array {
    return words.subarray(call * this.#packetWords, (call + 1) * this.#packetWords);
  }

  destroy(): void {
    for (const memory of [...this.buffers, this.readback]) memory.destroy();
  }
}
