/**
 * Regions begin at multiples of this many bytes: two cache lines, because prefetchers of common processors
 * fetch lines in pairs. The buffer itself may begin anywhere in a line.
 */
export const REGION_BYTES = 128;

/** The next multiple, at or above the value. Right beyond 32 bits, too. */
export function alignUp(value: number, alignBytes: number): number {
  return Math.ceil(value / alignBytes) * alignBytes;
}

/** Allots consecutive regions of a shared memory, each on its own cache lines. */
export class Regions {
  /** The start of the next region; after the last one, the size of the memory. */
  nextByte = 0;

  /** The first word of a new region of `wordCount` words. */
  take(wordCount: number): number {
    const word = this.nextByte / 4;
    this.nextByte += alignUp(wordCount * 4, REGION_BYTES);
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
 * Where each port has its value in a region of words. The word is `index * stride >> down` words after the
 * region's first; the value in it is `word >>> (index & shiftMask) & valueMask`. These are numbers and not
 * methods, so that a look at a port takes the same few instructions in every region.
 */
export interface PortPlaces {
  /** Words from one port to the next. */
  readonly stride: number;
  /** Each word has `1 << down` ports. */
  readonly down: number;
  /** 31 where ports share words, with a bit each; otherwise 0. */
  readonly shiftMask: number;
  /** The part of the shifted word that is this port's: 1, or -1 for all of it. */
  readonly valueMask: number;
}

/** Places of values that have a word, a cache line of 64 bytes, or a bit each. */
export const PORT_PLACES = {
  word: { stride: 1, down: 0, shiftMask: 0, valueMask: -1 },
  padded: { stride: 16, down: 0, shiftMask: 0, valueMask: -1 },
  bit: { stride: 1, down: 5, shiftMask: 31, valueMask: 1 },
} as const satisfies Readonly<Record<string, PortPlaces>>;

/** The first of some ports of 32, of which each has a bit: `place` times 32, and the lowest bit that is set. */
export function lowestPort(place: number, bits: number): number {
  return place * 32 + 31 - Math.clz32(bits & -bits);
}

/** A bit for each port of a place, that is of 32 ports, of so many in all. */
export function portBits(place: number, portCount: number): number {
  const count = portCount - place * 32;
  return count < 32 ? -1 >>> 32 - count : -1;
}

/** How many bits of a word are set. */
export function bitCount(bits: number): number {
  const pairs = bits - (bits >>> 1 & 0x55555555);
  const fours = (pairs & 0x33333333) + (pairs >>> 2 & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of words of a region for this many ports. */
export function placesWordCount({ stride, down }: PortPlaces, portCount: number): number {
  return Math.ceil((portCount * stride) / 2 ** down);
}

/** The index of a port's word in its region. */
export function placeWord({ stride, down }: PortPlaces, index: number): number {
  return index * stride >> down;
}

/** The value of a port in a word that was read. */
export function placeValue(
  { shiftMask, valueMask }: PortPlaces,
  index: number,
  word: number,
): number {
  return word >>> (index & shiftMask) & valueMask;
}
