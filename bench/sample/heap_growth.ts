import { allocatedBytes } from "../../scenarios/partner/heap.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { Clock } from "./batch.ts";
import type { WarmTrial } from "./take_samples.ts";

/**
 * The engine counts allocated bytes in coarse steps. Over fewer calls than this, one step more or
 * less is as large as one small object in each call.
 */
export const HEAP_CALLS_MIN = 50_000;

/** What both sides allocate for each call. */
export interface HeapGrowth {
  /** Of the measuring isolate. */
  readonly heapGrowthBytesPerCall: number;
  readonly partnerHeapGrowthBytesPerCall: number;
  /** Calls that were counted. */
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
 * Windows of calls, of which the one with the least growth counts. A call that allocates does so in
 * every window. A compilation, a collection or a step of the engine's count, which may be half a
 * megabyte, happens in some of them only.
 */
const WINDOWS = 5;

/**
 * Counts what both isolates allocate over many calls of a warm trial.
 *
 * @returns nothing when there was no time for enough calls, or the engine does not count
 */
export async function measureHeapGrowth(
  warmTrial: WarmTrial,
  options: HeapOptions,
): Promise<HeapGrowth | undefined> {
  const windows: HeapGrowth[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    windows.push(await measureWindow(warmTrial, options));
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

async function measureWindow(warmTrial: WarmTrial, options: HeapOptions): Promise<HeapGrowth> {
  const { trial } = warmTrial;
  const { partner } = options;
  const partnerMeter = await HeapMeter.start(() => partner.allocatedBytes());
  trial.wake?.();
  let own: { readonly grownBytes: number; readonly callCount: number };
  try {
    own = await meterCalls(warmTrial, options);
  } finally {
    trial.rest?.();
  }
  return {
    heapGrowthBytesPerCall: own.grownBytes / own.callCount,
    partnerHeapGrowthBytesPerCall: await partnerMeter.grownBytes() / own.callCount,
    heapCallCount: own.callCount,
  };
}

/**
 * Runs the calls in batches, because on a busy machine a million calls take minutes. Each batch has at
 * least a quarter of the calls before it, so that there are few: a batch allocates some objects of
 * its own, such as a time, which would show where a sample has few calls.
 */
async function meterCalls(
  { trial, callsPerSample }: WarmTrial,
  { callsMax, secondsMax, clock }: HeapOptions,
): Promise<{ readonly grownBytes: number; readonly callCount: number }> {
  const callsInWindow = Math.ceil(callsMax / WINDOWS);
  const end = clock() + secondsMax / WINDOWS;
  const meter = await HeapMeter.start(allocatedBytes);
  let callCount = 0;
  do {
    const wanted = Math.max(callsPerSample, callCount >>> 2);
    const batch = Math.min(wanted, callsInWindow - callCount);
    const running = trial.run(batch);
    if (running) await running;
    callCount += batch;
  } while (callCount < callsInWindow && clock() < end);
  return { grownBytes: await meter.grownBytes(), callCount };
}

/** Bytes that a heap has allocated since the start, without those that reading the count takes. */
class HeapMeter {
  readonly #read: () => number | Promise<number>;
  readonly #startBytes: number;
  readonly #bytesPerRead: number;

  private constructor(
    read: () => number | Promise<number>,
    start: { readonly startBytes: number; readonly bytesPerRead: number },
  ) {
    this.#read = read;
    this.#startBytes = start.startBytes;
    this.#bytesPerRead = start.bytesPerRead;
  }

  static async start(read: () => number | Promise<number>): Promise<HeapMeter> {
    const firstBytes = await read();
    const startBytes = await read();
    return new HeapMeter(read, { startBytes, bytesPerRead: startBytes - firstBytes });
  }

  async grownBytes(): Promise<number> {
    return Math.max(0, await this.#read() - this.#startBytes - this.#bytesPerRead);
  }
}

/** A quarter of the engine's smallest object, so that one allocation in four calls is found. */
const ALLOCATION_BYTES_MIN = 4;

/** One sentence for each side that allocates, for a trial that should allocate nothing. */
export function heapWarnings(growth: HeapGrowth): string[] {
  const sides = [
    ["The measuring side", growth.heapGrowthBytesPerCall],
    ["The partner", growth.partnerHeapGrowthBytesPerCall],
  ] as const;
  return sides.filter(([, bytes]) => bytes >= ALLOCATION_BYTES_MIN).map(([whose, bytes]) =>
    `${whose} allocated ${
      bytes.toFixed(1)
    } bytes a call, although the scenario says that it allocates nothing`
  );
}
