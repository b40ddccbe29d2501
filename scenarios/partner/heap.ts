import { getHeapStatistics } from "node:v8";

/**
 * Bytes that this isolate has allocated on its heap since it began, whatever the collector took
 * back meanwhile. V8 counts in steps of its allocation buffers, some hundred kilobytes: only a
 * difference over very many calls tells what one call allocates.
 *
 * @returns `NaN` when the engine does not count
 */
export function allocatedBytes(): number {
  // The type of node:v8 does not know the field yet.
  const statistics = getHeapStatistics() as { readonly total_allocated_bytes?: number };
  return statistics.total_allocated_bytes ?? NaN;
}
