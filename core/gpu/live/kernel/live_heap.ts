import { HeapAllocator } from "../../../services/memory_api.ts";
import { checkPart, endlessText, type KernelHeap } from "../../heap/device_heap.ts";
import type { HeapTexts } from "../../heap/heap_texts.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";

/** Where `heap.wgsl` has it in the kernel's own group. */
export const HEAP_BINDING = 6;

/**
 * The heap of a live kernel: memory that its waves and this thread both reach, so that nothing is copied.
 * What a wave wrote before it called is there while its call is served, and what is written then is there
 * when the wave goes on: the packet's flips order it. Blocks of the allocator share no word, which matters
 * to devices that write whole words only.
 */
export class LiveHeap implements KernelHeap {
  /** The same memory, as a storage buffer. */
  readonly buffer: LiveBuffer;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #texts: HeapTexts;
  #allocator!: HeapAllocator;

  /** @param sizeBytes see `checkHeapBytes` */
  constructor(device: LiveDevice, sizeBytes: number, texts: HeapTexts) {
    this.buffer = device.createBuffer(sizeBytes, "host");
    this.#bytes = new Uint8Array(this.buffer.words as ArrayBuffer);
    this.#texts = texts;
    this.clear();
  }

  get allocator(): HeapAllocator {
    return this.#allocator;
  }

  clear(): void {
    const { texts, endByte } = this.#texts;
    this.#bytes.fill(0);
    for (const { address, bytes } of texts) this.#bytes.set(bytes, address);
    this.#allocator = new HeapAllocator({ sizeBytes: this.sizeBytes, startByte: endByte });
  }

  get sizeBytes(): number {
    return this.buffer.bytes;
  }

  check(address: number, lengthBytes: number): void {
    checkPart(this.sizeBytes, address, lengthBytes);
  }

  /** @returns a copy: other waves may go on writing while a function takes its arguments apart */
  read(address: number, lengthBytes: number): Uint8Array {
    this.check(address, lengthBytes);
    return this.#bytes.slice(address, address + lengthBytes);
  }

  readText(address: number): Uint8Array {
    this.check(address, 1);
    const end = this.#bytes.indexOf(0, address);
    if (end < 0) throw endlessText(this.sizeBytes, address);
    return this.#bytes.slice(address, end);
  }

  write(address: number, bytes: Uint8Array): void {
    this.check(address, bytes.length);
    if (bytes.length > 0) this.#bytes.set(bytes, address);
  }

  malloc(lengthBytes: number): number {
    return this.allocator.malloc(lengthBytes);
  }

  /** Frees the memory. */
  [Symbol.dispose](): void {
    this.buffer[Symbol.dispose]();
  }
}
