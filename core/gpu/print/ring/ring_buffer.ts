import { dispatchNumber } from "./dispatch_numbers.ts";
import { FILTER_WORDS, filterWords, type PrintfFilter } from "./printf_filter.ts";

/** Words before the filter: the number of words requested, and of calls lost. */
const COUNTER_WORDS = 2;

/** The size of a ring of which nothing is said, and the size up to which it grows. */
export const RING_BYTES = 1 << 18;
export const GROWN_RING_BYTES = 1 << 24;

/** @throws {RangeError} when a ring cannot have one of the sizes */
export function checkRingBytes(
  what: string,
  { bytes, bytesMax }: { readonly bytes: number; readonly bytesMax: number },
  largest: number,
): void {
  for (const [name, value, min] of [["bytes", bytes, 16], ["bytesMax", bytesMax, bytes]] as const) {
    if (Number.isInteger(value) && value % 4 === 0 && value >= min && value <= largest) continue;
    throw new RangeError(
      `Cannot ${what} as ${name} must be a multiple of 4 from ${min} to ${largest}: current value is ${value}`,
    );
  }
}

/** The size by which all calls would have found room, of which some were lost. */
export function grownBytes(
  bytes: number,
  { lostCount, count }: { readonly lostCount: number; readonly count: number },
  bytesMax: number,
): number {
  const wanted = bytes * (1 + lostCount / Math.max(1, count));
  return Math.min(2 ** Math.ceil(Math.log2(wanted)), bytesMax);
}

/** Words before the records: counters, filter, and the count of each call. */
export function ringHeadWords(callCount: number): number {
  return COUNTER_WORDS + FILTER_WORDS + Math.max(1, callCount);
}

/** What a ring's bindings are made of. */
export interface RingBindingsShape {
  readonly binding: number;
  readonly visibility: GPUShaderStageFlags;
  /** Whether the number of the dispatch follows at the next binding. */
  readonly hasDispatch: boolean;
  readonly callCount: number;
}

/**
 * The memory of a ring on the device, and its bindings:
 *
 * ```text
 * used, lost   2 words     shaders count, a reading clears
 * filter       4 words     the host writes
 * counts       1 a call    shaders count, a reading clears where the filter is per frame
 * records      the rest    shaders write
 * ```
 */
export class RingBuffer {
  readonly buffer: GPUBuffer;
  /** Bytes of counters and records, as a user asks for them. */
  readonly bytes: number;
  readonly #device: GPUDevice;
  readonly #shape: RingBindingsShape;
  #isPerRun = false;

  constructor(device: GPUDevice, shape: RingBindingsShape, bytes: number) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.#device = device;
    this.#shape = shape;
    this.bytes = bytes;
    const size = bytes + (ringHeadWords(shape.callCount) - COUNTER_WORDS) * 4;
    this.buffer = device.createBuffer({ size, usage, label: "printf" });
  }

  /** For a bind group layout. */
  get layoutEntries(): readonly GPUBindGroupLayoutEntry[] {
    const { binding, visibility, hasDispatch } = this.#shape;
    const ring = { binding, visibility, buffer: { type: "storage" as const } };
    const next = { binding: binding + 1, visibility, buffer: { type: "uniform" as const } };
    return hasDispatch ? [ring, next] : [ring];
  }

  /** For a bind group of the dispatch of a number. */
  entries(number: number): readonly GPUBindGroupEntry[] {
    const { binding, hasDispatch } = this.#shape;
    const ring = { binding, resource: { buffer: this.buffer } };
    if (!hasDispatch) return [ring];
    return [ring, { binding: binding + 1, resource: dispatchNumber(this.#device, number) }];
  }

  /**
   * Sets what is taken, from the next submit on.
   *
   * @throws {TypeError} when the filter asks for something else
   * @throws {RangeError} when a number is none of a lane, workgroup or pixel
   */
  setFilter(filter: PrintfFilter): void {
    const words = filterWords(filter);
    const { queue } = this.#device;
    this.#isPerRun = filter.per === "run";
    queue.writeBuffer(this.buffer, COUNTER_WORDS * 4, words);
    const counts = new Uint32Array(Math.max(1, this.#shape.callCount));
    queue.writeBuffer(this.buffer, (COUNTER_WORDS + FILTER_WORDS) * 4, counts);
  }

  /** Empties the ring, and begins to count its calls anew where the filter says so. */
  encodeClear(encoder: GPUCommandEncoder): void {
    encoder.clearBuffer(this.buffer, 0, COUNTER_WORDS * 4);
    if (this.#isPerRun) return;
    const countsByte = (COUNTER_WORDS + FILTER_WORDS) * 4;
    encoder.clearBuffer(this.buffer, countsByte, Math.max(1, this.#shape.callCount) * 4);
  }
}
