/**
 * How results come back from the device.
 *
 * | name | what it does | on Deno |
 * | --- | --- | --- |
 * | `awaited` | maps the buffer and awaits the promise, as WebGPU says | about 11 ms, whatever the device does |
 * | `eager` | maps the buffer and reads it at once, without awaiting | some tens of microseconds |
 *
 * `eager` rests on what no specification promises: that the runtime waits for the device inside
 * `mapAsync`. It is for devices that have passed {@linkcode probeEagerReadback} in this process.
 */
export const READBACK_NAMES = ["eager", "awaited"] as const;
export type ReadbackName = typeof READBACK_NAMES[number];

/** Uses the bytes while they are mapped; they are gone when it returns. */
export type ReadbackUse = (words: Int32Array) => void;

/**
 * A buffer that the device copies into and the host reads.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { ReadbackBuffer } from "./readback.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined);
 * if (gpu) {
 *   const readback = await ReadbackBuffer.create(gpu.device, 256);
 *   const encoder = gpu.device.createCommandEncoder();
 *   encoder.clearBuffer(readback.buffer);
 *   gpu.device.queue.submit([encoder.finish()]);
 *   await readback.readAwaited(256, (words) => {
 *     if (words[0] !== 0) throw new Error("the buffer was cleared");
 *   });
 *   readback.destroy();
 * }
 * ```
 */
export class ReadbackBuffer {
  /** What the device copies into. Not while it is being read. */
  readonly buffer: GPUBuffer;
  #lateError: Error | undefined;
  #lastMapping: Promise<void> = Promise.resolve();

  private constructor(buffer: GPUBuffer) {
    this.buffer = buffer;
  }

  /**
   * Allocates the buffer and maps it once.
   *
   * The first mapping is awaited here whatever comes later: Deno 2.9.6 ends the process when
   * `getMappedRange` is called on a buffer of which no mapping was ever awaited.
   *
   * @param bytes a multiple of 4, of at least 4
   */
  static async create(device: GPUDevice, bytes: number): Promise<ReadbackBuffer> {
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: bytes, usage, label: "readback" });
    await buffer.mapAsync(GPUMapMode.READ);
    buffer.unmap();
    return new ReadbackBuffer(buffer);
  }

  /**
   * Reads the first `bytes` without awaiting. Blocks until the device is done.
   *
   * @throws {DOMException} when the runtime has not mapped the buffer in time, or an earlier
   * mapping failed after it was read
   */
  readEager(bytes: number, use: ReadbackUse): void {
    if (this.#lateError) throw this.#lateError;
    this.#lastMapping = this.buffer.mapAsync(GPUMapMode.READ, 0, bytes).catch((error: Error) => {
      this.#lateError ??= error;
    });
    this.#use(bytes, use);
  }

  /** Reads the first `bytes` when the promise of the mapping has resolved. */
  async readAwaited(bytes: number, use: ReadbackUse): Promise<void> {
    await this.buffer.mapAsync(GPUMapMode.READ, 0, bytes);
    this.#use(bytes, use);
  }

  /**
   * Lets the runtime settle the promises that eager reads have left behind: 10 ms on Deno.
   *
   * @throws {DOMException} when one of them failed
   */
  async settle(): Promise<void> {
    await this.#lastMapping;
    if (this.#lateError) throw this.#lateError;
  }

  destroy(): void {
    this.buffer.destroy();
  }

  #use(bytes: number, use: ReadbackUse): void {
    try {
      use(new Int32Array(this.buffer.getMappedRange(0, bytes)));
    } finally {
      this.buffer.unmap();
    }
  }
}
