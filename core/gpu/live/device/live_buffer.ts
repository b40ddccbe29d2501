import { checkChoice } from "../../../text/nearest.ts";
import { notSupported, type Owner, type Vulkan } from "../vulkan/vulkan.ts";
import { CONSTANTS } from "../vulkan/vulkan_tables.ts";
import type { LiveMemoryType } from "./physical_device.ts";
import { SharedPages } from "./shared_pages.ts";

/** What buffers of a device are made with. */
export interface BufferMaker extends Pick<Owner, "device"> {
  readonly vulkan: Vulkan;
  readonly memoryTypes: readonly LiveMemoryType[];
  readonly storageBytesMax: number;
  readonly importAlignmentBytes?: number;
  /** Called with a buffer that is disposed of. */
  readonly forget: (one: LiveBuffer) => void;
}

const IMPORTED = CONSTANTS.VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
const COHERENT = ["hostVisible", "hostCoherent"];

/** Memory that kernels of a device read and write, as a storage buffer. */
export class LiveBuffer {
  /** Its size. */
  readonly bytes: number;
  /**
   * The same memory for this program, while kernels run: the SharedArrayBuffer that was imported, or an
   * ArrayBuffer of this thread's, on which `Atomics.wait` and `notify` do not work. Absent of memory that
   * only the device reaches. The ArrayBuffer has no bytes any more once this is disposed of.
   */
  readonly words?: SharedArrayBuffer | ArrayBuffer;
  /** @internal Its handle. */
  readonly handle: bigint;
  readonly #stack: DisposableStack;
  #userCount = 0;

  /** @internal For `LiveDevice`. */
  constructor(
    { forget }: Pick<BufferMaker, "forget">,
    { handle, bytes, words }: {
      readonly handle: bigint;
      readonly bytes: number;
      readonly words?: SharedArrayBuffer | ArrayBuffer;
    },
    stack: DisposableStack,
  ) {
    this.handle = handle;
    this.bytes = bytes;
    if (words) this.words = words;
    stack.defer(() => forget(this));
    this.#stack = stack;
  }

  /** Whether it was disposed of. */
  get isDisposed(): boolean {
    return this.#stack.disposed;
  }

  /** @internal A kernel begins to run on it; what is returned ends that. */
  use(): Disposable {
    if (this.isDisposed) {
      throw new TypeError("Cannot run a kernel as a buffer of it was disposed of");
    }
    this.#userCount++;
    return { [Symbol.dispose]: () => void this.#userCount-- };
  }

  /**
   * Frees the memory; of an imported buffer nothing but the device's hold on it. Once.
   *
   * @throws {TypeError} while a kernel runs on it
   */
  [Symbol.dispose](): void {
    if (this.#userCount > 0) {
      throw new TypeError(
        `Cannot free a buffer as ${this.#userCount} kernels run on it: stop those and await their ends`,
      );
    }
    this.#stack.dispose();
  }
}

/** Makes the pages of a SharedArrayBuffer a storage buffer; see {@linkcode SharedPages}. */
export function importBuffer(maker: BufferMaker, words: SharedArrayBuffer): LiveBuffer {
  const { device, vulkan, importAlignmentBytes } = maker;
  if (importAlignmentBytes === undefined) {
    throw notSupported(
      "the device lacks the extension VK_EXT_external_memory_host, by which memory is imported: " +
        "make a buffer of the device's own, or choose another device",
    );
  }
  using stack = new DisposableStack();
  const pages = stack.use(new SharedPages(words, importAlignmentBytes));
  return vulkan.arena.scope(() => {
    const { arena } = vulkan;
    const pNext = arena.struct("VkExternalMemoryBufferCreateInfo", { handleTypes: IMPORTED });
    const { bytes } = pages;
    const handle = createBuffer(maker, { bytes, pNext, stack });
    const importing = arena.struct("VkMemoryHostPointerPropertiesEXT");
    const ask = vulkan.extensionFunction(device, "vkGetMemoryHostPointerPropertiesEXT");
    vulkan.check(
      "vkGetMemoryHostPointerPropertiesEXT",
      ask.call(device, IMPORTED, pages.address, importing),
    );
    const { memoryTypeBits } = arena.read("VkMemoryHostPointerPropertiesEXT", importing);
    allocate(maker, {
      buffer: handle,
      importBytes: bytes,
      typeBits: memoryTypeBits,
      properties: COHERENT,
      pNext: arena.struct("VkImportMemoryHostPointerInfoEXT", {
        handleType: IMPORTED,
        pHostPointer: pages.address,
      }),
      stack,
    });
    return new LiveBuffer(maker, { handle, bytes, words }, stack.move());
  });
}

/**
 * Makes a storage buffer of the device's own.
 *
 * @param place where: `host`, so that this thread reaches it too, or `device`
 */
export function ownBuffer(maker: BufferMaker, bytes: number, place: "host" | "device"): LiveBuffer {
  checkChoice("make a storage buffer", { place }, ["host", "device"]);
  const { device, vulkan } = maker;
  using stack = new DisposableStack();
  return vulkan.arena.scope(() => {
    const handle = createBuffer(maker, { bytes, pNext: 0n, stack });
    const properties = place === "host" ? COHERENT : ["deviceLocal"];
    const all = { buffer: handle, typeBits: 2 ** 32 - 1, properties, pNext: 0n, stack };
    const allocated = allocate(maker, all);
    if (place === "device") return new LiveBuffer(maker, { handle, bytes }, stack.move());
    const address = vulkan.handle((place) =>
      vulkan.call("vkMapMemory", device, allocated, 0n, BigInt(bytes), 0, place)
    );
    const pointer = Deno.UnsafePointer.create(address)!;
    const words = Deno.UnsafePointerView.getArrayBuffer(pointer, bytes);
    // Detached, so that nobody reads what the driver has taken back.
    stack.defer(() => words.detached || words.transfer(0));
    return new LiveBuffer(maker, { handle, bytes, words }, stack.move());
  });
}

interface BufferParts {
  readonly bytes: number;
  readonly pNext: bigint;
  readonly stack: DisposableStack;
}

function createBuffer(maker: BufferMaker, { bytes, pNext, stack }: BufferParts): bigint {
  const { device, storageBytesMax, vulkan } = maker;
  if (!Number.isInteger(bytes) || bytes < 4 || bytes % 4 !== 0 || bytes > storageBytesMax) {
    throw new RangeError(
      `Cannot make a storage buffer as its bytes must be a multiple of 4 from 4 to ${storageBytesMax}: ` +
        `current value is ${bytes}`,
    );
  }
  const usage = CONSTANTS.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const info = vulkan.arena.struct("VkBufferCreateInfo", { pNext, size: BigInt(bytes), usage });
  return vulkan.create("Buffer", { device, stack }, info);
}

interface MemoryParts {
  readonly buffer: bigint;
  /** The types that are allowed, a bit each, beside what the buffer allows. */
  readonly typeBits: number;
  readonly properties: readonly string[];
  readonly pNext: bigint;
  /** Of imported memory, its size. */
  readonly importBytes?: number;
  readonly stack: DisposableStack;
}

function allocate({ device, memoryTypes, vulkan }: BufferMaker, parts: MemoryParts): bigint {
  const { arena, symbols } = vulkan;
  const { buffer, properties, pNext, stack } = parts;
  const needs = arena.struct("VkMemoryRequirements");
  symbols.vkGetBufferMemoryRequirements(device, buffer, needs);
  const { size, memoryTypeBits } = arena.read("VkMemoryRequirements", needs);
  const fits = memoryTypes.map((type, index) =>
    memoryTypeBits & parts.typeBits & 2 ** index &&
    properties.every((one) => type.properties.includes(one))
  );
  // For the host, memory that the processor caches: it polls what is there.
  const cached = properties === COHERENT
    ? memoryTypes.findIndex((type, index) => fits[index] && type.properties.includes("hostCached"))
    : -1;
  const memoryTypeIndex = cached >= 0 ? cached : fits.findIndex(Boolean);
  if (memoryTypeIndex < 0) {
    throw notSupported(`the device has no memory that is ${properties.join(" and ")} for a buffer`);
  }
  const allocationSize = BigInt(parts.importBytes ?? size);
  if (allocationSize < size) throw notSupported(`the device wants ${size} bytes for these pages`);
  const info = arena.struct("VkMemoryAllocateInfo", { pNext, allocationSize, memoryTypeIndex });
  const memory = vulkan.handle((place) => vulkan.call("vkAllocateMemory", device, info, 0n, place));
  stack.defer(() => symbols.vkFreeMemory(device, memory, 0n));
  vulkan.call("vkBindBufferMemory", device, buffer, memory, 0n);
  return memory;
}
