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

/**
 * Where each port has its value in a region of words: the word is `index << up >> down` words behind the
 * region's first, and the value in it `word >>> (index & shiftMask) & valueMask`. Numbers and no
 * methods, so that a look at a port is the same few instructions whatever its region is like.
 */
export interface PortPlaces {
  /** More than one word a port: `1 << up`. */
  readonly up: number;
  /** More than one port a word: `1 << down`. */
  readonly down: number;
  /** 31 where ports share words, a bit each; else 0. */
  readonly shiftMask: number;
  /** What of the shifted word is this port's: 1, or -1 for all of it. */
  readonly valueMask: number;
}

/** The places of values that have a word each, a cache line of 64 bytes each, or a bit each. */
export const PORT_PLACES = {
  word: { up: 0, down: 0, shiftMask: 0, valueMask: -1 },
  padded: { up: 4, down: 0, shiftMask: 0, valueMask: -1 },
  bit: { up: 0, down: 5, shiftMask: 31, valueMask: 1 },
} as const satisfies Readonly<Record<string, PortPlaces>>;

/**
 * How many words a region has for so many ports.
 *
 * @example
 * ```ts
 * import { PORT_PLACES, placesWordCount } from "./regions.ts";
 * if (placesWordCount(PORT_PLACES.bit, 33) !== 2) throw new Error("32 bits a word");
 * ```
 */
export function placesWordCount({ up, down }: PortPlaces, portCount: number): number {
  return Math.ceil((portCount * 2 ** up) / 2 ** down);
}

/** The word of a port, counted from the first of its region. */
export function placeWord({ up, down }: PortPlaces, index: number): number {
  return index << up >> down;
}

/** What a word that was read holds for a port. */
export function placeValue(
  { shiftMask, valueMask }: PortPlaces,
  index: number,
  word: number,
): number {
  return word >>> (index & shiftMask) & valueMask;
}
