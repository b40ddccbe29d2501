import { HEADER_WORDS } from "../../memory/port_headers.ts";
import type { CopyOut, Readback, ReadbackName } from "../device/readback.ts";
import { allocated } from "../device/error_scopes.ts";
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

type BatchBuffers = readonly [packets: GPUBuffer, headers: GPUBuffer, batch: GPUBuffer];

/**
 * The calls of one dispatch, on the host and on the device: the i-th packet and the i-th header are
 * those of the i-th call.
 */
export class BatchMemory {
  readonly readback: Readback;
  /** In the order of the bindings of `gpu_server.wgsl`. */
  readonly buffers: BatchBuffers;
  readonly #laneCount: number;
  readonly #packetWords: number;
  /** Words of a packet, and the one that tells of a word beyond it; 0 for none. */
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

  /** Takes a call into the batch, at its number. */
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

  /** The packet of a call in what was read back. */
  packetOf(words: Int32Array, call: number): Int32Array {
    const start = call * this.#slotWords;
    return words.subarray(start, start + this.#packetWords);
  }

  /** A word beyond its packet that a call has used, in what was read back. */
  wordBeyondOf(words: Int32Array, call: number): number | undefined {
    return words[call * this.#slotWords + this.#packetWords]! >>> 0 || undefined;
  }

  destroy(): void {
    for (const memory of [...this.buffers, this.readback]) memory.destroy();
  }
}
