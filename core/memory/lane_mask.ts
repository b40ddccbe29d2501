/**
 * Which lanes of a wave take part: bit `i` of `lo` is lane `i`, bit `i` of `hi` is lane `32 + i`.
 * Both are unsigned 32-bit. Two words, because neither JavaScript's bit operators nor WGSL have
 * 64-bit integers.
 */
export interface LaneMask {
  /** Lanes 0 to 31. */
  readonly lo: number;
  /** Lanes 32 to 63. */
  readonly hi: number;
}

/** The largest number of lanes of a wave: those of a wavefront of AMD's CDNA. */
export const LANE_COUNT_MAX = 64;

/**
 * The mask in which lanes 0 to `laneCount - 1` take part.
 *
 * @throws {RangeError} when the count is not an integer from 0 to 64
 *
 * @example
 * ```ts
 * import { fullMask } from "./lane_mask.ts";
 * if (fullMask(33).hi !== 1) throw new Error("lane 32 is the first bit of hi");
 * ```
 */
export function fullMask(laneCount: number): LaneMask {
  if (!Number.isInteger(laneCount) || laneCount < 0 || laneCount > LANE_COUNT_MAX) {
    throw new RangeError(
      `Cannot build a lane mask as laneCount must be an integer from 0 to 64: current value is ${laneCount}`,
    );
  }
  return { lo: lowBits(Math.min(laneCount, 32)), hi: lowBits(Math.max(laneCount - 32, 0)) };
}

function lowBits(count: number): number {
  return count === 0 ? 0 : 0xffffffff >>> (32 - count);
}

/**
 * The mask of the given lanes, in any order.
 *
 * @throws {RangeError} when a lane is not an integer from 0 to 63
 *
 * @example
 * ```ts
 * import { lanesOf, laneMask } from "./lane_mask.ts";
 * if (lanesOf(laneMask(3, 17, 31)).length !== 3) throw new Error("three lanes");
 * ```
 */
export function laneMask(...lanes: readonly number[]): LaneMask {
  let lo = 0;
  let hi = 0;
  for (const lane of lanes) {
    checkLane(lane);
    if (lane < 32) lo |= 1 << lane;
    else hi |= 1 << (lane - 32);
  }
  return { lo: lo >>> 0, hi: hi >>> 0 };
}

function checkLane(lane: number): void {
  if (Number.isInteger(lane) && lane >= 0 && lane < LANE_COUNT_MAX) return;
  throw new RangeError(
    `Cannot build a lane mask as a lane must be an integer from 0 to 63: current value is ${lane}`,
  );
}

/** Whether the lane takes part. False for numbers that are not lanes, as 64. */
export function hasLane(mask: LaneMask, lane: number): boolean {
  if (lane >>> 0 !== lane || lane >= LANE_COUNT_MAX) return false;
  return ((lane < 32 ? mask.lo >>> lane : mask.hi >>> (lane - 32)) & 1) === 1;
}

/** The lanes that take part, in ascending order. */
export function lanesOf(mask: LaneMask): number[] {
  const lanes: number[] = [];
  for (let lane = 0; lane < LANE_COUNT_MAX; lane++) if (hasLane(mask, lane)) lanes.push(lane);
  return lanes;
}

/**
 * Why a mask cannot be used on a channel of `laneCount` lanes, or `undefined` when it can.
 * Both sides ask: the client before it opens a port, the server because it does not trust the client.
 */
export function maskProblem(mask: LaneMask, laneCount: number): string | undefined {
  if (!isWord(mask?.lo) || !isWord(mask?.hi)) return "its words are not 32-bit integers";
  if ((mask.lo | mask.hi) === 0) return "it names no lane";
  const full = fullMask(laneCount);
  if ((mask.lo & ~full.lo) === 0 && (mask.hi & ~full.hi) === 0) return undefined;
  return `it names lanes beyond the channel's ${laneCount}`;
}

export function maskText(mask: LaneMask): string {
  const wordText = (word: unknown) =>
    Number.isInteger(word) ? `0x${(word as number).toString(16)}` : String(word);
  return `{ lo: ${wordText(mask?.lo)}, hi: ${wordText(mask?.hi)} }`;
}

/** Signed or unsigned: bit operators return signed words, literals are unsigned. */
function isWord(value: unknown): boolean {
  return typeof value === "number" && (value === (value | 0) || value === value >>> 0);
}

/** The smallest lane above `lane` that takes part, or 64 when there is none. Does not allocate. */
export function laneAfter(lo: number, hi: number, lane: number): number {
  if (lane < 31) {
    const rest = lo & (-1 << (lane + 1));
    if (rest !== 0) return 31 - Math.clz32(rest & -rest);
  }
  const rest = lane < 32 ? hi : lane >= 63 ? 0 : hi & (-1 << (lane - 31));
  return rest === 0 ? LANE_COUNT_MAX : 63 - Math.clz32(rest & -rest);
}
