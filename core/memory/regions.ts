/**
 * Regions begin at multiples of this: two cache lines, because prefetchers of common processors pull
 * lines in pairs. The buffer itself may begin anywhere in a line.
 */
export const REGION_BYTES = 128;

/**
 * Hands out regions of a shared memory one behind the other, each on its own cache lines.
 *
 * @example
 * ```ts
 * import { Regions } from "./regions.ts";
 * const regions = new Regions();
 * const first = regions.take(1);
 * const second = regions.take(1);
 * if (first !== 0 || second !== 32) throw new Error("128 bytes apart");
 * ```
 */
export class Regions {
  /** Where the next region begins; the size of the memory once all were taken. */
  nextByte = 0;

  /** The first word of a new region of `wordCount` words. */
  take(wordCount: number): number {
    const word = this.nextByte / 4;
    this.nextByte += Math.ceil((wordCount * 4) / REGION_BYTES) * REGION_BYTES;
    return word;
  }
}

/**
 * Checks a count that a caller gives for a layout.
 *
 * @throws {RangeError} when it is not an integer from 1 to `countMax`
 */
export function checkCount(name: string, count: number, countMax: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= countMax) return;
  throw new RangeError(
    `Cannot lay out a channel as ${name} must be an integer from 1 to ${countMax}: current value is ${count}`,
  );
}
