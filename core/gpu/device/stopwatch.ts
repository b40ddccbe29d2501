import type { CopyOut } from "./readback.ts";

/**
 * Times one compute pass, or several that follow each other, by the device's own clock, where it has the feature `timestamp-query`.
 *
 * A software adapter uses the processor's clock. Browsers may round the times.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { Stopwatch } from "./stopwatch.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined);
 * const stopwatch = gpu && Stopwatch.create(gpu.device); // undefined without the feature
 * stopwatch?.destroy();
 * ```
 */
export class Stopwatch {
  /** Two timestamps of 8 bytes. */
  static readonly bytes = 16;
  /** For the pass that is timed. */
  readonly timestampWrites: GPUComputePassTimestampWrites;
  /** For the first of several passes that are timed as one. */
  readonly beginWrites: GPUComputePassTimestampWrites;
  /** For the last of them. */
  readonly endWrites: GPUComputePassTimestampWrites;
  readonly #querySet: GPUQuerySet;
  readonly #resolved: GPUBuffer;

  private constructor(device: GPUDevice) {
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#querySet = device.createQuerySet({ type: "timestamp", count: 2 });
    this.#resolved = device.createBuffer({ size: Stopwatch.bytes, usage });
    this.beginWrites = { querySet: this.#querySet, beginningOfPassWriteIndex: 0 };
    this.endWrites = { querySet: this.#querySet, endOfPassWriteIndex: 1 };
    this.timestampWrites = { ...this.beginWrites, ...this.endWrites };
  }

  /** `undefined` when the device cannot tell the time. */
  static create(device: GPUDevice): Stopwatch | undefined {
    return device.features.has("timestamp-query") ? new Stopwatch(device) : undefined;
  }

  /** Copies both timestamps out, behind the pass. */
  encodeOut(encoder: GPUCommandEncoder, copyOut: CopyOut, targetByte: number): void {
    encoder.resolveQuerySet(this.#querySet, 0, 2, this.#resolved, 0);
    copyOut(this.#resolved, 0, targetByte, Stopwatch.bytes);
  }

  destroy(): void {
    this.#querySet.destroy();
    this.#resolved.destroy();
  }
}

/** Seconds between two timestamps, which lie at `word` as four words. */
export function secondsBetween(words: Int32Array, word: number): number {
  const nanosecondsAt = (place: number) =>
    BigInt(words[place]! >>> 0) + (BigInt(words[place + 1]! >>> 0) << 32n);
  return Number(nanosecondsAt(word + 2) - nanosecondsAt(word)) / 1e9;
}
