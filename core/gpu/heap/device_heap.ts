import { HeapAllocator } from "../../services/memory/heap_allocator.ts";
import type { CallerHeap } from "../../signature/server/caller_heap.ts";
import type { GpuDevice } from "../device/device.ts";
import type { CopyOut, DeviceTask, Readback } from "../device/readback.ts";
import { AHEAD_BYTES, FetchAhead } from "./fetch_ahead.ts";
import { type ByteRange, HeapMirror, PAGE_BYTES } from "./heap_mirror.ts";
import { type HeapTexts, NULL_BYTES } from "./heap_texts.ts";

/** Heaps are multiples of this. */
export const GRAIN_BYTES = 16;
/** The most that is read back at once; a multiple of a page. */
const FETCH_BYTES = 1 << 22;

/**
 * The heap of a kernel, as the host sees it between two dispatches: give it to the `ApiServer`, and
 * `allocator` to `serveMemory`. What functions of the host read is copied from the device at the first
 * look after a dispatch, page by page of 64 KiB; what they write goes there before the next one.
 *
 * With awaited readback nothing can be copied in the middle of a call: there the whole heap is, with or
 * after each epoch that brought a call, and after a run.
 *
 * @example Memory that the host fills before a kernel runs
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Epochs } from "../epochs/epochs.ts";
 * import { Kernel } from "../epochs/kernel.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 1, laneCount: 1 });
 *   const source = "fn kernel() { heap_set_u8(16u, heap_u8(16u) + 1u); }";
 *   const options = { channel, waveCount: 1, source, heapBytes: 1 << 16 };
 *   const epochs = await Epochs.create(await Kernel.create(gpu, options));
 *   const { heap } = epochs;
 *   heap.write(heap.malloc(4), Uint8Array.of(41)); // the first address is 16
 *   epochs.destroy();
 * }
 * ```
 */
export interface KernelHeap extends CallerHeap {
  /** Bytes of the whole heap. */
  readonly sizeBytes: number;
  /** Gives out what no text lies in. */
  readonly allocator: HeapAllocator;
}

/** What `Epochs` has behind a {@linkcode KernelHeap}. */
export class DeviceHeap implements KernelHeap {
  readonly allocator: HeapAllocator;
  /** What a shader sees. */
  readonly buffer: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #mirror: HeapMirror;
  #readback: Readback | undefined;
  readonly #guess = new FetchAhead();
  /** What comes along with the packets of this dispatch. */
  #ahead: ByteRange | undefined;
  /** Whether a copy of the device's bytes is under way, which would undo what is written meanwhile. */
  #isFetching = false;
  /** Written when the pages around could not be fetched. */
  #late: { readonly address: number; readonly bytes: Uint8Array }[] = [];

  /** @param sizeBytes see {@linkcode checkHeapBytes} */
  constructor(gpu: GpuDevice, sizeBytes: number, { texts, endByte }: HeapTexts) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.#gpu = gpu;
    this.buffer = gpu.device.createBuffer({ size: sizeBytes, usage, label: "heap" });
    this.#mirror = new HeapMirror(sizeBytes);
    this.allocator = new HeapAllocator({ sizeBytes, startByte: endByte });
    for (const { address, bytes } of texts) this.#mirror.put(address, bytes);
  }

  get sizeBytes(): number {
    return this.#mirror.bytes.length;
  }

  /** Bytes that a readback buffer needs for it, which has `otherBytes` of something else. */
  readbackBytes(otherBytes: number): number {
    const aheadBytes = Math.min(AHEAD_BYTES, this.sizeBytes);
    return Math.max(otherBytes + aheadBytes, Math.min(FETCH_BYTES, this.sizeBytes));
  }

  /** Says through what it is read; before that no kernel runs. */
  attach(readback: Readback): void {
    this.#readback = readback;
  }

  check(address: number, lengthBytes: number): void {
    const isLength = Number.isSafeInteger(lengthBytes) && lengthBytes >= 0;
    if (isLength && (lengthBytes === 0 || this.#has(address, lengthBytes))) return;
    throw new RangeError(
      `Cannot use the heap as ${lengthBytes} bytes at address ${address} do not lie in it: it has ${this.sizeBytes} bytes, and addresses begin at ${NULL_BYTES}`,
    );
  }

  #has(address: number, lengthBytes: number): boolean {
    return Number.isInteger(address) && address >= NULL_BYTES &&
      address + lengthBytes <= this.sizeBytes;
  }

  read(address: number, lengthBytes: number): Uint8Array {
    this.check(address, lengthBytes);
    if (lengthBytes === 0) return new Uint8Array();
    const range = { startByte: address, endByte: address + lengthBytes };
    this.#guess.use();
    this.#fetchNow(this.#mirror.staleIn(range));
    return this.#mirror.bytes.subarray(range.startByte, range.endByte);
  }

  readText(address: number): Uint8Array {
    this.check(address, 1);
    for (let startByte = address; startByte < this.sizeBytes;) {
      const pageEnd = (Math.floor(startByte / PAGE_BYTES) + 1) * PAGE_BYTES;
      const endByte = Math.min(pageEnd, this.sizeBytes);
      const end = this.read(startByte, endByte - startByte).indexOf(0);
      if (end >= 0) return this.#mirror.bytes.subarray(address, startByte + end);
      startByte = endByte;
    }
    throw new RangeError(
      `Cannot take a text of the heap as no NUL ends it: its address is ${address} of ${this.sizeBytes} bytes`,
    );
  }

  write(address: number, bytes: Uint8Array): void {
    this.check(address, bytes.length);
    if (bytes.length === 0) return; // wherever that is: an empty array may have any address
    const range = { startByte: address, endByte: address + bytes.length };
    const stale = this.#mirror.staleAround(range);
    if (this.#isFetching || (stale && this.#isAwaited)) {
      this.#late.push({ address, bytes: bytes.slice() });
      return;
    }
    this.#fetchNow(stale);
    this.#mirror.put(address, bytes);
  }

  malloc(lengthBytes: number): number {
    return this.allocator.malloc(lengthBytes);
  }

  get #isAwaited(): boolean {
    return this.#readback?.name === "awaited";
  }

  /** With awaited readback there is nothing to wait for: `fetchAll` has come before. */
  #fetchNow(range: ByteRange | undefined): void {
    if (!range || this.#isAwaited) return;
    this.#guess.add(range);
    this.#readback!.runNow(this.#fetch(range));
  }

  /** What has to be done in front of a dispatch, and may have to be waited for. */
  *prepare(): DeviceTask<void> {
    while (this.#late.length > 0) {
      const late = this.#late;
      this.#late = [];
      yield* this.fetchAll();
      for (const { address, bytes } of late) this.#mirror.put(address, bytes);
    }
  }

  /** Brings to the device what was written, in front of a dispatch that may change it. */
  beginDispatch(): void {
    this.#flush();
    this.#mirror.makeStale();
    const isSmall = this.sizeBytes <= AHEAD_BYTES;
    const all = isSmall ? { startByte: 0, endByte: this.sizeBytes } : undefined;
    this.#ahead = this.#isAwaited ? all : this.#guess.next();
    this.#isFetching = this.#ahead !== undefined;
  }

  /** Bytes that come along with the packets of this dispatch. */
  get aheadBytes(): number {
    return this.#ahead ? this.#ahead.endByte - this.#ahead.startByte : 0;
  }

  /** Copies them out. */
  copyAhead(copyOut: CopyOut, targetByte: number): void {
    if (this.#ahead) copyOut(this.buffer, this.#ahead.startByte, targetByte, this.aheadBytes);
  }

  /** Takes them from there, once: another copy would undo what is written from now on. */
  takeAhead(words: Int32Array): void {
    if (this.#ahead) this.#mirror.take(this.#ahead.startByte, words);
    this.#ahead = undefined;
    this.#isFetching = false;
  }

  /** Fetches what may be read in this epoch, where that cannot be done when it is. */
  *takeCalls(): DeviceTask<void> {
    if (this.#isAwaited) yield* this.fetchAll();
  }

  /** Fetches all that is not known. */
  *fetchAll(): DeviceTask<void> {
    const stale = this.#mirror.staleIn({ startByte: 0, endByte: this.sizeBytes });
    if (stale) yield* this.#fetch(stale);
  }

  *#fetch({ startByte, endByte }: ByteRange): DeviceTask<void> {
    this.#flush();
    this.#isFetching = true;
    try {
      for (let byte = startByte; byte < endByte; byte += FETCH_BYTES) {
        const bytes = Math.min(FETCH_BYTES, endByte - byte);
        yield {
          what: "read the heap",
          encode: (_, copyOut) => copyOut(this.buffer, byte, 0, bytes),
          use: (words) => this.#mirror.take(byte, words),
        };
      }
    } finally {
      this.#isFetching = false;
    }
  }

  #flush(): void {
    for (const { startByte, endByte } of this.#mirror.takeDirty()) {
      const { bytes } = this.#mirror;
      this.#gpu.device.queue.writeBuffer(
        this.buffer,
        startByte,
        bytes,
        startByte,
        endByte - startByte,
      );
    }
  }

  /** Frees the device's memory. */
  destroy(): void {
    this.buffer.destroy();
  }
}

/** @throws {RangeError} when the device cannot bind so much, the texts do not fit, or it is no size */
export function checkHeapBytes(device: GPUDevice, sizeBytes: number, { endByte }: HeapTexts): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const bytesMax = Math.min(maxBufferSize, maxStorageBufferBindingSize, 2 ** 32 - GRAIN_BYTES);
  const bytesMin = Math.ceil(endByte / GRAIN_BYTES + 1) * GRAIN_BYTES;
  const isSize = Number.isInteger(sizeBytes / GRAIN_BYTES);
  if (isSize && sizeBytes >= bytesMin && sizeBytes <= bytesMax) return;
  throw new RangeError(
    `Cannot make a heap as heapBytes must be a multiple of ${GRAIN_BYTES} from ${bytesMin}, for the texts of the kernel, to ${bytesMax}, for the device: current value is ${sizeBytes}`,
  );
}
