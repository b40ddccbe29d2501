import { HeapAllocator } from "../../services/memory_api.ts";
import type { CallerHeap } from "../../signature/wire/heap_request.ts";
import type { GpuDevice } from "../device/device.ts";
import type { CopyOut, DeviceTask, Readback } from "../device/readback.ts";
import { AHEAD_BYTES, type ByteRange, FetchAhead, HeapMirror, PAGE_BYTES } from "./heap_mirror.ts";
import { type HeapTexts, NULL_BYTES } from "./heap_texts.ts";

/** The size of a heap is a multiple of this. */
export const GRAIN_BYTES = 16;
/** The most bytes read back at once; a multiple of a page. */
const FETCH_BYTES = 1 << 22;

/**
 * The heap of a kernel as the host sees it: pass it to `ApiServer`, and `allocator` to `serveMemory`. That
 * of a live kernel is memory that both reach. By epochs, pages of 64 KiB are copied from the device when
 * they are first read after a dispatch, and writes reach the device before the next one.
 *
 * With awaited readback nothing can be copied in the middle of a call, so the whole heap is copied with
 * or after each epoch that brought a call, and after a run.
 *
 * @example Memory that the host fills before a kernel runs
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { requestGpuDevice } from "../device/device.ts";
 * import { Kernel } from "../epochs/kernel.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const channel = Channel.create({ portCount: 1, laneCount: 1 });
 *   const source = "fn kernel() { heap_set_u8(16u, heap_u8(16u) + 1u); }";
 *   const options = { channel, waveCount: 1, source, heapBytes: 1 << 16 };
 *   const kernel = await Kernel.create(gpu, options);
 *   const { heap } = kernel;
 *   heap.write(heap.malloc(4), Uint8Array.of(41)); // the first address is 16
 *   kernel.destroy();
 * }
 * ```
 */
export interface KernelHeap extends CallerHeap {
  /** The size of the heap in bytes. */
  readonly sizeBytes: number;
  /** Allocates the memory after the kernel's texts. */
  readonly allocator: HeapAllocator;
  /**
   * Makes all as it was before the first run: the kernel's texts and zeros, and nothing allocated. While
   * a run goes on that is not defined.
   */
  clear(): void;
}

/** The implementation of {@linkcode KernelHeap}. */
export class DeviceHeap implements KernelHeap {
  readonly buffer: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #texts: HeapTexts;
  #allocator: HeapAllocator;
  #mirror: HeapMirror;
  #readback: Readback | undefined;
  readonly #guess = new FetchAhead();
  /** The bytes that are fetched with this dispatch. */
  #ahead: ByteRange | undefined;
  /** Whether a copy from the device is in progress, which would overwrite what is written meanwhile. */
  #isFetching = false;
  /** Writes that wait for their pages to be fetched. */
  #late: { readonly address: number; readonly bytes: Uint8Array }[] = [];

  /** @param sizeBytes see {@linkcode checkHeapBytes} */
  constructor(gpu: GpuDevice, sizeBytes: number, texts: HeapTexts) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.#gpu = gpu;
    this.buffer = gpu.device.createBuffer({ size: sizeBytes, usage, label: "heap" });
    this.#texts = texts;
    this.#mirror = startMirror(sizeBytes, texts);
    this.#allocator = new HeapAllocator({ sizeBytes, startByte: texts.endByte });
  }

  get allocator(): HeapAllocator {
    return this.#allocator;
  }

  clear(): void {
    const { sizeBytes } = this;
    const { device } = this.#gpu;
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(this.buffer);
    device.queue.submit([encoder.finish()]);
    this.#late = [];
    this.#mirror = startMirror(sizeBytes, this.#texts);
    this.#allocator = new HeapAllocator({ sizeBytes, startByte: this.#texts.endByte });
  }

  get sizeBytes(): number {
    return this.#mirror.bytes.length;
  }

  /** The size of a readback buffer for the heap and `otherBytes` of something else. */
  readbackBytes(otherBytes: number): number {
    const aheadBytes = Math.min(AHEAD_BYTES, this.sizeBytes);
    return Math.max(otherBytes + aheadBytes, Math.min(FETCH_BYTES, this.sizeBytes));
  }

  /** Sets the readback, before any kernel runs. */
  attach(readback: Readback): void {
    this.#readback = readback;
  }

  check(address: number, lengthBytes: number): void {
    checkPart(this.sizeBytes, address, lengthBytes);
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
    throw endlessText(this.sizeBytes, address);
  }

  write(address: number, bytes: Uint8Array): void {
    this.check(address, bytes.length);
    if (bytes.length === 0) return; // an empty array may have any address
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

  /** Fetches at once; with awaited readback, `fetchAll` has already done so. */
  #fetchNow(range: ByteRange | undefined): void {
    if (!range || this.#isAwaited) return;
    this.#guess.add(range);
    this.#readback!.run(this.#fetch(range));
  }

  /** Carries out late writes before a dispatch. */
  *prepare(): DeviceTask<void> {
    while (this.#late.length > 0) {
      const late = this.#late;
      this.#late = [];
      yield* this.fetchAll();
      for (const { address, bytes } of late) this.#mirror.put(address, bytes);
    }
  }

  /** Writes changes to the device, and decides what to fetch with the dispatch. */
  beginDispatch(): void {
    this.#flush();
    this.#mirror.makeStale();
    const isSmall = this.sizeBytes <= AHEAD_BYTES;
    const all = isSmall ? { startByte: 0, endByte: this.sizeBytes } : undefined;
    this.#ahead = this.#isAwaited ? all : this.#guess.next();
    this.#isFetching = this.#ahead !== undefined;
  }

  /** How many bytes are fetched with this dispatch. */
  get aheadBytes(): number {
    return this.#ahead ? this.#ahead.endByte - this.#ahead.startByte : 0;
  }

  copyAhead(copyOut: CopyOut, targetByte: number): void {
    if (this.#ahead) copyOut(this.buffer, this.#ahead.startByte, targetByte, this.aheadBytes);
  }

  /** Takes these bytes over, once: later copies would overwrite what is written from now on. */
  takeAhead(words: Int32Array): void {
    if (this.#ahead) this.#mirror.take(this.#ahead.startByte, words);
    this.#ahead = undefined;
    this.#isFetching = false;
  }

  /** With awaited readback, fetches everything that may be read in this epoch. */
  *takeCalls(): DeviceTask<void> {
    if (this.#isAwaited) yield* this.fetchAll();
  }

  /** Fetches all pages that are out of date. */
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

/** Zeros, as on the device, and the texts, which are to be written there. */
function startMirror(sizeBytes: number, { texts }: HeapTexts): HeapMirror {
  const mirror = new HeapMirror(sizeBytes);
  for (const { address, bytes } of texts) mirror.put(address, bytes);
  return mirror;
}

/** @throws {RangeError} when bytes, if there are any, do not lie in a heap of this size */
export function checkPart(sizeBytes: number, address: number, lengthBytes: number): void {
  const isLength = Number.isSafeInteger(lengthBytes) && lengthBytes >= 0;
  const isInside = Number.isInteger(address) && address >= NULL_BYTES &&
    address + lengthBytes <= sizeBytes;
  if (isLength && (lengthBytes === 0 || isInside)) return;
  throw new RangeError(
    `Cannot use the heap as ${lengthBytes} bytes at address ${address} do not lie in it: it has ${sizeBytes} bytes, and addresses begin at ${NULL_BYTES}`,
  );
}

/** The error of a text that goes on to the end of a heap. */
export function endlessText(sizeBytes: number, address: number): RangeError {
  return new RangeError(
    `Cannot take a text of the heap as no NUL ends it: its address is ${address} of ${sizeBytes} bytes`,
  );
}

/** The error where a kernel has no heap. */
export function withoutHeap(): TypeError {
  return new TypeError("Cannot use the heap as the kernel has none: give it heapBytes");
}

/** The most bytes that a device of WebGPU can bind. */
export function heapBytesMax({ limits }: GPUDevice): number {
  return Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
}

/**
 * @param deviceBytesMax the most bytes of a storage buffer
 * @throws {RangeError} when the size is not a multiple of 16, too small for the texts, or more than the
 * device can bind
 */
export function checkHeapBytes(
  deviceBytesMax: number,
  sizeBytes: number,
  { endByte }: HeapTexts,
): void {
  const bytesMax = Math.min(deviceBytesMax, 2 ** 32 - GRAIN_BYTES);
  const bytesMin = Math.ceil(endByte / GRAIN_BYTES + 1) * GRAIN_BYTES;
  const isSize = Number.isInteger(sizeBytes / GRAIN_BYTES);
  if (isSize && sizeBytes >= bytesMin && sizeBytes <= bytesMax) return;
  throw new RangeError(
    `Cannot make a heap as heapBytes must be a multiple of ${GRAIN_BYTES} from ${bytesMin}, for the texts of the kernel, to ${bytesMax}, for the device: current value is ${sizeBytes}`,
  );
}
