import { allocatedBytes } from "../scenarios/heap.ts";
import type { Partner } from "../scenarios/partner.ts";
import type { Trial } from "../scenarios/scenario.ts";

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

/** Counts what both isolates allocate over many calls of a warm trial. */
export async function measureHeapGrowth(
  trial: Trial,
  options: { readonly partner: Partner; readonly callCount: number },
): Promise<HeapGrowth> {
  const { partner, callCount } = options;
  const partnerBefore = await partner.allocatedBytes();
  trial.wake?.();
  const before = allocatedBytes();
  try {
    await trial.run(callCount);
  } finally {
    trial.rest?.();
  }
  const grown = allocatedBytes() - before;
  const partnerGrown = await partner.allocatedBytes() - partnerBefore;
  return {
    heapGrowthBytesPerCall: grown / callCount,
    partnerHeapGrowthBytesPerCall: partnerGrown / callCount,
    heapCallCount: callCount,
  };
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
