/** The grid of a program: all of its threads run `main`; 2 097 120 at most. */
export interface ProgramGrid {
  /** Threads of a block. */
  readonly threadCount: number;
  /** Blocks of as many threads. */
  readonly blockCount: number;
}

/** How a grid is divided. */
export interface ProgramWaves {
  /** Threads of all blocks. */
  readonly total: number;
  readonly laneCount: number;
  /** The last one may have lanes that are no threads. */
  readonly waveCount: number;
}

/** Lanes of a wave at most, as on most devices. */
const LANE_COUNT_MAX = 32;
const WAVE_COUNT_MAX = 65535;

/**
 * The waves of a grid, of 32 lanes where it has as many threads. Blocks have no part in them: threads of
 * a program have no memory of their block.
 *
 * @throws {RangeError} when a count is none, or there are more threads than 65535 waves have
 */
export function wavesOf({ threadCount, blockCount }: ProgramGrid): ProgramWaves {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 1;
  const total = threadCount * blockCount;
  const totalMax = LANE_COUNT_MAX * WAVE_COUNT_MAX;
  if (isCount(threadCount) && isCount(blockCount) && total <= totalMax) {
    const laneCount = Math.min(LANE_COUNT_MAX, total);
    return { total, laneCount, waveCount: Math.ceil(total / laneCount) };
  }
  throw new RangeError(
    `Cannot run the program as its blocks and their threads must be integers of at least 1, and at most ${totalMax} threads in all: current value is ${blockCount} blocks of ${threadCount}`,
  );
}
