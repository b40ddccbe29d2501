import { mean, median } from "simple-statistics";

/** A place in a series from which on its values are others. */
export interface ChangePoint {
  /** Index of the first value behind the change. */
  readonly at: number;
  /** The typical value behind the change, in that before it. */
  readonly ratio: number;
}

/** With fewer values nobody knows how far they scatter. */
export const HISTORY_MIN = 6;
/** Values on each side of a change: fewer that are off are outliers. */
const SIDE_MIN = 3;
/** Neighbours of normal noise differ by this many standard deviations in the median. */
const DIFFERENCE_IN_DEVIATIONS = 0.954;
/** Less than this share is no change worth a mark, however quiet a series is. */
const SHARE_MIN = 0.01;
/**
 * How much better two levels must fit than one, in squared deviations: chosen by simulation, so that at
 * most 2 % of series without a change get a mark (`change_points_test.ts`).
 */
const GAIN_MIN = { first: 14, perLog: 8 } as const;

/**
 * Where a series of positive values changes its level, by binary segmentation of their logarithms: the
 * split that fits best is taken where it fits well enough, and both sides are searched in turn. Each value
 * is the median of its neighbours there, of 5 of up to 15 values, and of 13 of 200: a tenth of the runs that
 * were disturbed make no change, as there is hardly a place with more of them than of others. So a change is
 * seen from 3 values behind it on, and from 7 in 200. The noise is that of neighbouring values, so that the
 * changes themselves do not count as noise.
 * (A. Scott and M. Knott, 1974; for benchmarks D. Daly and others, 2020.)
 *
 * @returns in the order of the series; none for fewer than {@linkcode HISTORY_MIN} values
 * @throws {RangeError} when a value is not positive
 */
export function changePoints(values: readonly number[]): ChangePoint[] {
  const wrong = values.find((value) => !(value > 0 && value < Infinity));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot find changes as every value must be positive: current value is ${wrong}`,
    );
  }
  if (values.length < HISTORY_MIN) return [];
  const logs = values.map(Math.log);
  const noise = Math.max(noiseOf(logs), SHARE_MIN / 4);
  const gainMin = (GAIN_MIN.first + GAIN_MIN.perLog * Math.log(logs.length)) *
    (1 + HISTORY_MIN / logs.length); // the noise of a short series is hardly known
  const places = splits(withoutSpikes(logs), {
    begin: 0,
    end: logs.length,
    enough: gainMin * noise ** 2,
  });
  return places.map((place, index) => {
    const [begin, end] = [places[index - 1] ?? 0, places[index + 1] ?? logs.length];
    const [before, after] = [median(logs.slice(begin, place)), median(logs.slice(place, end))];
    const near = logs.slice(begin, end).map((value) =>
      Math.abs(value - after) < Math.abs(value - before)
    );
    return { at: begin + bestSplit(near), ratio: Math.exp(after - before) };
  }).filter(({ ratio }) => Math.abs(Math.log(ratio)) >= SHARE_MIN);
}

/** The place with most values on their own side of it, before which few are near to what comes behind. */
function bestSplit(isBehind: readonly boolean[]): number {
  const rightAt = (at: number) =>
    isBehind.filter((behind, place) => behind === (place >= at)).length;
  const rights = isBehind.map((_, at) => rightAt(at));
  return rights.indexOf(Math.max(...rights));
}

function withoutSpikes(logs: readonly number[]): number[] {
  const reach = Math.max(2, Math.floor(Math.log2(logs.length)) - 1);
  const last = logs.length - 1 - 2 * reach;
  return logs.map((_, at) => {
    const begin = Math.max(0, Math.min(last, at - reach));
    return median(logs.slice(begin, begin + 2 * reach + 1));
  });
}

function noiseOf(logs: readonly number[]): number {
  const steps = logs.slice(1).map((value, index) => Math.abs(value - logs[index]!));
  return median(steps) / DIFFERENCE_IN_DEVIATIONS;
}

interface Stretch {
  readonly begin: number;
  readonly end: number;
  readonly enough: number;
}

function splits(logs: readonly number[], { begin, end, enough }: Stretch): number[] {
  const part = logs.slice(begin, end);
  const gains = part.map((_, at) =>
    at < SIDE_MIN || part.length - at < SIDE_MIN ? 0 : gainOf(part, at)
  );
  const best = gains.indexOf(Math.max(...gains));
  if (part.length < 2 * SIDE_MIN || gains[best]! < enough) return [];
  const at = begin + best;
  return [
    ...splits(logs, { begin, end: at, enough }),
    at,
    ...splits(logs, { begin: at, end, enough }),
  ];
}

/** How much less a split leaves of the squared distances to the level. */
function gainOf(part: readonly number[], at: number): number {
  const [before, after] = [part.slice(0, at), part.slice(at)];
  return (before.length * after.length / part.length) * (mean(after) - mean(before)) ** 2;
}
