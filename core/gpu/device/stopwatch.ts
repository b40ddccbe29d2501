import type { CopyOut } from "./readback.ts";

/**
 * Times one or several consecutive compute passes by the device's own clock, which requires the feature
 * `timestamp-query`.
 *
 * A software adapter uses the processor's clock. Browsers may round the times.
 */
export class Stopwatch {
  /** Two timestamps of 8 bytes. */
  static readonly bytes = 16;
  /** For a single timed pass. */
  readonly timestampWrites: GPUComputePassTimestampWrites;
  /** For the first of several passes timed together. */
  readonly beginWrites: GPUComputePassTimestampWrites;
  /** For the last of several passes timed together. */
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

  /** Creates a stopwatch, if the device supports timestamps. */
  static create(device: GPUDevice): Stopwatch | undefined {
    return device.features.has("timestamp-query") ? new Stopwatch(device) : undefined;
  }

  /** Copies both timestamps out, after the pass. */
  encodeOut(encoder: GPUCommandEncoder, copyOut: CopyOut, targetByte: number): void {
    encoder.resolveQuerySet(this.#querySet, 0, 2, this.#resolved, 0);
    copyOut(this.#resolved, 0, targetByte, Stopwatch.bytes);
  }

  destroy(): void {
    this.#querySet.destroy();
    this.#resolved.destroy();
  }
}

/** Computes the seconds between the two timestamps in the four words at `word`. */
export function secondsBetween(words: Int32Array, word: number): number {
  const nanosecondsAt = (place: number) =>
    BigInt(words[place]! >>> 0) + (BigInt(words[place + 1]! >>> 0) << 32n);
  return Number(nanosecondsAt(word + 2) - nanosecondsAt(word)) / 1e9;
}
