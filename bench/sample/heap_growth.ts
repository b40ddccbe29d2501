import process from "node:process";
import { allocatedBytes } from "../../scenarios/partner/heap.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import { type Clock, timeBatch, type WarmTrial } from "./take_samples.ts";

/**
 * The engine counts allocated bytes in coarse steps. Over fewer calls than this, one step more or
 * less is as large as one small object in each call.
 */
const HEAP_CALLS_MIN = 50_000;

export interface HeapGrowth {
  /** Of the measuring isolate. */
  readonly heapGrowthBytesPerCall: number;
  readonly partnerHeapGrowthBytesPerCall: number;
  readonly heapCallCount: number;
}

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
  const partnerGrownBytes = await startMeter(() => partner.allocatedBytes());
  trial.wake?.();
  let own: { readonly grownBytes: number; readonly callCount: number };
  try {
    own = await meterCalls(warmTrial, options);
  } finally {
    trial.rest?.();
  }
  return {
    heapGrowthBytesPerCall: own.grownBytes / own.callCount,
    partnerHeapGrowthBytesPerCall: await partnerGrownBytes() / own.callCount,
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
  const grownBytes = await startMeter(allocatedBytes);
  let callCount = 0;
  do {
    const wanted = Math.max(callsPerSample, callCount >>> 2);
    const batch = Math.min(wanted, callsInWindow - callCount);
    const running = trial.run(batch);
    if (running) await running;
    callCount += batch;
  } while (callCount < callsInWindow && clock() < end);
  return { grownBytes: await grownBytes(), callCount };
}

/** Tells the bytes that a heap has allocated since, without those that reading the count takes. */
async function startMeter(read: () => number | Promise<number>): Promise<() => Promise<number>> {
  const firstBytes = await read();
  const startBytes = await read();
  const bytesPerRead = startBytes - firstBytes;
  return async () => Math.max(0, await read() - startBytes - bytesPerRead);
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

const MICROSECONDS = 1e6;
/** As many batches as make a steady median; fewer where the time is over before. */
const BATCHES_MAX = 20;

/** Seconds that all threads of this process have had a processor, whichever it was. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS;
}

/**
 * The processor time of one call, of both sides together: a side that waits in a busy loop has it, too.
 * The trial is not sampled for its time meanwhile.
 *
 * @returns seconds a call, for each batch; one at least
 */
export async function measureCpuTime(
  { trial, callsPerSample }: WarmTrial,
  options: { readonly secondsMax: number; readonly clock: Clock; readonly cpuClock?: Clock },
): Promise<number[]> {
  const { secondsMax, clock, cpuClock = cpuSeconds } = options;
  const batch = { callCount: callsPerSample, clock: cpuClock };
  const end = clock() + secondsMax;
  const perCall: number[] = [];
  do {
    perCall.push(await timeBatch(trial, batch) / callsPerSample);
  } while (perCall.length < BATCHES_MAX && clock() < end);
  return perCall;
}
