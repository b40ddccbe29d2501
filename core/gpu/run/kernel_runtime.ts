import type { Channel } from "../../toggle/channel.ts";
import type { EpochServer, RunOptions } from "../epochs/kernel.ts";
import type { KernelText } from "../kernel/kernel_text.ts";
import type { KernelHeap } from "../heap/device_heap.ts";
import type { KernelShape } from "../wgsl/kernel_shape.ts";
import type { KernelReport } from "./run_options.ts";

/** A buffer of a kernel: bytes of zeros that are made for it, or one of the device's that the caller has. */
export interface BoundBuffer {
  readonly type: GPUBufferBindingType;
  readonly given: number | object;
}

/** What a kernel is made of, whatever runs it. */
export interface CompileOptions extends KernelShape {
  readonly source: string | KernelText;
  /** Of which the kernel's waves are the only clients. */
  readonly channel: Channel;
  readonly waveCount: number;
  /** The i-th is `@group(1) @binding(i)`. */
  readonly buffers: readonly BoundBuffer[];
  readonly heapBytes?: number | undefined;
  readonly timed?: boolean | undefined;
  /** Functions of the device that serve the kernel, where the host does not. */
  readonly server?: string | undefined;
  /** Bytes of a lane in a packet, where they were asked for. */
  readonly laneBytes?: number | undefined;
}

/** A compiled kernel, with the buffers that were made for it. */
export interface CompiledKernel {
  /** Throws a `TypeError` if it has none. */
  readonly heap: KernelHeap;
  /** Bytes that a lane keeps while it waits for the host. */
  readonly frameBytes: number;
  /** Writes whole words to the beginning of a buffer. */
  write(binding: number, bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer): void;
  /** Copies a buffer. */
  read(binding: number): Promise<ArrayBuffer>;
  /** Runs the kernel from its beginning until all waves have finished. */
  runAsync(
    server: EpochServer,
    options: RunOptions & { readonly roundsMax?: number },
  ): Promise<KernelReport>;
  /** Frees it and what was made for it. */
  destroy(): void;
}

/**
 * Runs kernels: by epochs, live, or beside their server in one dispatch. All of what a run is stands on this:
 * texts, functions, libraries, heap, programs. So a further runtime needs nothing but this, and a page loads
 * nothing of what calls Vulkan.
 */
export interface KernelRuntime {
  /** Options of a run that mean nothing here, each with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** The most storage buffers of a kernel, those that are not the author's included. */
  readonly storageBuffersMax: number;
  /** Whether it is a buffer of this device's, which stays there. */
  isBuffer(value: unknown): boolean;
  /** @throws {DOMException} when the device is lost */
  checkAlive(): void;
  /** Compiles a kernel. */
  compile(options: CompileOptions): Promise<CompiledKernel>;
}
