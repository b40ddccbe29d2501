import { allocatedBytes } from "../../scenarios/partner/heap.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { Clock } from "./clock.ts";
import type { Contestant } from "./take_samples.ts";

/**
 * The engine counts in coarse steps, which over fewer calls than these would hide a small object a
 * call, or look like one.
 */
export const HEAP_CALLS_MIN = 50_000;

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
 * A call that allocates shows in each of these; a compilation, a collection or a step of the
 * engine's own count, which may be half a megabyte, does not.
 */
const WINDOWS = 5;

/**
 * Counts what both isolates allocate over many calls of a warm trial: the least of some windows.
 *
 * @returns nothing when there was no time for enough calls, or the engine does not count
 */
export async function measureHeapGrowth(
  contestant: Contestant,
  options: HeapOptions,
): Promise<HeapGrowth | undefined> {
  const windows: HeapGrowth[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    windows.push(await measureWindow(contestant, options));
  }
  const heapCallCount = windows.reduce((sum, window) => sum + window.heapCallCount, 0);
  const grown = windows.map((window) => window.heapGrowthBytesPerCall);
  if (heapCallCount < HEAP_CALLS_MIN || grown.some(Number.isNaN)) return undefined;
  return {
    heapGrowthBytesPerCall: Math.min(...grown),
    partnerHeapGrowthBytesPerCall: Math.min(
      ...windows.map((window) => window.partnerHeapGrowthBytesPerCall),
    ),
    heapCallCount,
  };
}

async function measureWindow(contestant: Contestant, options: HeapOptions): Promise<HeapGrowth> {
  const { trial } = contestant;
  const { partner } = options;
  const partnerMeter = await HeapMeter.start(() => partner.allocatedBytes());
  trial.wake?.();
  let own: { readonly grownBytes: number; readonly callCount: number };
  try {
    own = await meterCalls(contestant, options);
  } finally {
    trial.rest?.();
  }
  return {
    heapGrowthBytesPerCall: own.grownBytes / own.callCount,
    partnerHeapGrowthBytesPerCall: await partnerMeter.grownBytes() / own.callCount,
    heapCallCount: own.callCount,
  };
}

/** In batches, because on a bad day a million calls take minutes. */
async function meterCalls(
  { trial, callsPerSample }: Contestant,
  { callsMax, secondsMax, clock }: HeapOptions,
): Promise<{ readonly grownBytes: number; readonly callCount: number }> {
  const callsInWindow = Math.ceil(callsMax / WINDOWS);
  const end = clock() + secondsMax / WINDOWS;
  const meter = await HeapMeter.start(allocatedBytes);
  let callCount = 0;
  do {
    const batch = Math.min(callsPerSample, callsInWindow - callCount);
    const running = trial.run(batch);
    if (running) await running;
    callCount += batch;
  } while (callCount < callsInWindow && clock() < end);
  return { grownBytes: await meter.grownBytes(), callCount };
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
