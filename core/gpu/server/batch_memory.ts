import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { LANE_BYTES, LANE_WORDS } from "../../memory/packet.ts";
import type { Readback, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";

/** How large the memory of a batch is, and how results come back. */
export interface BatchShape {
  /** The most calls of one dispatch. */
  readonly batchMax: number;
  readonly laneCount: number;
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
  readonly #packets: Uint32Array<ArrayBuffer>;
  readonly #headers: Uint32Array<ArrayBuffer>;

  private constructor(device: GPUDevice, readback: Readback, shape: BatchShape) {
    const { batchMax, laneCount } = shape;
    const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
    this.readback = readback;
    this.#laneCount = laneCount;
    this.#packets = new Uint32Array(batchMax * laneCount * LANE_WORDS);
    this.#headers = new Uint32Array(batchMax * HEADER_WORDS);
    const { byteLength } = this.#packets;
    this.buffers = [
      device.createBuffer({ size: byteLength, usage: STORAGE | COPY_SRC | COPY_DST }),
      device.createBuffer({ size: this.#headers.byteLength, usage: STORAGE | COPY_DST }),
      device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST }),
    ];
  }

  static async create(device: GPUDevice, shape: BatchShape): Promise<BatchMemory> {
    const { batchMax, laneCount, readback } = shape;
    const bytes = batchMax * laneCount * LANE_BYTES;
    return new BatchMemory(device, await createReadback(device, { bytes, readback }), shape);
  }

  /** Bytes of the packets of so many calls. */
  bytesOf(callCount: number): number {
    return callCount * this.#laneCount * LANE_BYTES;
  }

  /** Takes a call into the batch, at its number. */
  set(
    call: number,
    packet: Uint32Array,
    header: { readonly lo: number; readonly hi: number; readonly opcode: number },
  ): void {
    this.#packets.set(packet, call * this.#laneCount * LANE_WORDS);
    this.#headers.set([header.lo, header.hi, header.opcode], call * HEADER_WORDS);
  }

  /** Writes the first `callCount` calls to the device. */
  upload(queue: GPUQueue, callCount: number): void {
    const [packets, headers, batch] = this.buffers;
    const packetWords = callCount * this.#laneCount * LANE_WORDS;
    queue.writeBuffer(packets, 0, this.#packets, 0, packetWords);
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
    const packetWords = this.#laneCount * LANE_WORDS;
    return words.subarray(call * packetWords, (call + 1) * packetWords);
  }

  destroy(): void {
    for (const memory of [...this.buffers, this.readback]) memory.destroy();
  }
}
