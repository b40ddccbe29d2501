import { allocatedBytes } from "../scenarios/heap.ts";
import type { Partner } from "../scenarios/partner.ts";
import type { Clock } from "./clock.ts";
import type { Contestant } from "./sample.ts";

/**
 * The engine counts in steps of half a megabyte or so, which over fewer calls look like an
 * allocation in each.
 */
export const HEAP_CALLS_MIN = 300_000;

/** Bytes a call, on both sides. */
export interface HeapGrowth {
  readonly heapGrowthBytesPerCall: number;
  readonly partnerHeapGrowthBytesPerCall: number;
  readonly heapCallCount: number;
}

/** When to stop counting. */
export interface HeapOptions {
  readonly partner: Partner;
  readonly callsMax: number;
  readonly secondsMax: number;
  readonly clock: Clock;
}

/**
 * Counts what both isolates allocate over many calls of a warm trial.
 *
 * @returns nothing when there was no time for enough calls, or the engine does not count
 */
export async function measureHeapGrowth(
  contestant: Contestant,
  options: HeapOptions,
): Promise<HeapGrowth | undefined> {
  const { partner } = options;
  const partnerMeter = await HeapMeter.start(() => partner.allocatedBytes());
  const meter = await HeapMeter.start(allocatedBytes);
  const heapCallCount = await callAWhile(contestant, options);
  const grownBytes = await meter.grownBytes();
  const partnerGrownBytes = await partnerMeter.grownBytes();
  if (heapCallCount < HEAP_CALLS_MIN || Number.isNaN(grownBytes)) return undefined;
  return {
    heapGrowthBytesPerCall: grownBytes / heapCallCount,
    partnerHeapGrowthBytesPerCall: partnerGrownBytes / heapCallCount,
    heapCallCount,
  };
}

/** What a heap has allocated meanwhile, less what looking at it allocates. */
class HeapMeter {
  readonly #read: () => number | Promise<number>;
  readonly #startBytes: number;
  readonly #lookBytes: number;

  private constructor(
    read: () => number | Promise<number>,
    start: { readonly startBytes: number; readonly lookBytes: number },
  ) {
    this.#read = read;
    this.#startBytes = start.startBytes;
    this.#lookBytes = start.lookBytes;
  }

  static async start(read: () => number | Promise<number>): Promise<HeapMeter> {
    const firstBytes = await read();
    const startBytes = await read();
    return new HeapMeter(read, { startBytes, lookBytes: startBytes - firstBytes });
  }

  async grownBytes(): Promise<number> {
    return Math.max(0, await this.#read() - this.#startBytes - this.#lookBytes);
  }
}

/** In batches, because on a bad day a million calls take minutes. */
async function callAWhile(
  { trial, callsPerSample }: Contestant,
  { callsMax, secondsMax, clock }: HeapOptions,
): Promise<number> {
  const end = clock() + secondsMax;
  let callCount = 0;
  trial.wake?.();
  try {
    while (callCount < callsMax && clock() < end) {
      const batch = Math.min(callsPerSample, callsMax - callCount);
      await trial.run(batch);
      callCount += batch;
    }
  } finally {
    trial.rest?.();
  }
  return callCount;
}

/** A quarter of the engine's smallest object: one allocation in four calls is found. */
const ALLOCATION_BYTES_MIN = 4;

/** What contradicts a trial that is said to allocate nothing, in sentences. */
export function heapDoubts(growth: HeapGrowth): string[] {
  const sides = [
    ["The measuring side", growth.heapGrowthBytesPerCall],
    ["The partner", growth.partnerHeapGrowthBytesPerCall],
  ] as const;
  return sides.filter(([, bytes]) => bytes >= ALLOCATION_BYTES_MIN).map(([whose, bytes]) =>
    `${whose} allocated ${bytes.toFixed(1)} bytes a call, though the scenario claims none`
  );
}
