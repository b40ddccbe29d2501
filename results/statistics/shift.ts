import { mean, median, sampleVariance } from "simple-statistics";
// @ts-types="./jstat.d.ts"
import jStat from "jstat";

/** Two sets of values that are compared with each other only. */
export interface Stratum {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The range of a shift. */
export interface ShiftRange {
  readonly lo: number;
  readonly hi: number;
  /**
   * `ranks` assume nothing but that a change moves all values alike; `t` that they scatter like a bell.
   */
  readonly by: "ranks" | "t";
}

/** Beyond this many values on a side the distribution of ranks is normal to three digits. */
const EXACT_VALUES_MAX = 25;

/** A value that lies further from the median of its side than so many deviations is of no bell. */
const BELL_DEVIATIONS = 4;
/** For normal values: standard deviation, divided by the median absolute deviation (MAD). */
const DEVIATION_OF_MAD = 1.4826;

/**
 * By how much the values after lie above those before: the range that misses the truth on either side
 * with at most the probability `tail`.
 *
 * It runs between two of the differences of each value after to each before, within its stratum, by
 * their order: the exact distribution of Wilcoxon's and Mann and Whitney's statistic says which (J.
 * Hodges and E. Lehmann, Estimates of location based on rank tests, 1963; over strata the statistics add
 * up, P. van Elteren, 1960), and between two ranks it is interpolated (T. Hettmansperger and S. Sheather,
 * 1986). A wild value moves it by a rank, however wild it is.
 *
 * Where no value is wild, Welch's t test finds a little more, and few values, such as three and three,
 * have too few orders to be that sure. There the range is that of the test, of the stratum with the most
 * pairs. The choice depends on how the values of each side scatter, and not on what lies between the
 * sides (R. Hogg, Adaptive robust procedures, 1974).
 *
 * @param tail more than 0 and less than 0.5
 * @returns nothing where no stratum has two values on each side
 */
export function shiftRange(strata: readonly Stratum[], tail: number): ShiftRange | undefined {
  const sizes = strata.map(({ before, after }) => [before.length, after.length] as const);
  const rank = rankOf(sizes, tail);
  const [largest, other] = strata.filter(({ before, after }) =>
    before.length > 1 && after.length > 1
  )
    .sort((left, right) => pairCount(right) - pairCount(left));
  if (largest && (rank < 0 || (other === undefined && isBell(largest)))) {
    return welchRange(largest, tail);
  }
  if (rank < 0) return undefined;
  const differences = strata.flatMap(({ before, after }) =>
    after.flatMap((one) => before.map((other) => one - other))
  ).sort((left, right) => left - right);
  const lo = quantileAt(differences, rank);
  return { lo, hi: quantileAt(differences, differences.length - 1 - rank), by: "ranks" };
}

function isBell({ before, after }: Stratum): boolean {
  const distances = [before, after].flatMap((values) => {
    const center = median([...values]);
    return values.map((value) => Math.abs(value - center));
  });
  return Math.max(...distances) <= BELL_DEVIATIONS * DEVIATION_OF_MAD * median(distances);
}

function pairCount({ before, after }: Stratum): number {
  return before.length * after.length;
}

/** The value at a rank, which may lie between two. */
function quantileAt(sorted: readonly number[], rank: number): number {
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}

type Sizes = readonly (readonly [before: number, after: number])[];

/** The rank of the difference at which the range begins, 0 for the least; -1 where none is sure. */
function rankOf(sizes: Sizes, tail: number): number {
  if (sizes.flat().some((size) => size > EXACT_VALUES_MAX)) return normalRank(sizes, tail);
  const chances = sizes.map(([before, after]) => rankChances(before, after))
    .reduce(convolved, [1]);
  let [rank, left] = [-1, tail];
  for (const chance of chances) {
    if (chance > left) return rank < 0 ? rank : rank + left / chance;
    left -= chance;
    rank++;
  }
  return rank;
}

function normalRank(sizes: Sizes, tail: number): number {
  const center = sizes.reduce((sum, [before, after]) => sum + before * after / 2, 0);
  const variance = sizes.reduce(
    (sum, [before, after]) => sum + before * after * (before + after + 1) / 12,
    0,
  );
  const reach = jStat.normal.inv(1 - tail, 0, 1) * Math.sqrt(variance);
  return Math.max(-1, center - reach - 1);
}

const known = new Map<string, readonly number[]>();

/**
 * How likely it is, among equals, that so many of the pairs have the value before above the one after: for
 * each number of pairs from 0. The largest of all values is one before with their share, and is then
 * above all values after; or it is one after, and above none that counts.
 */
function rankChances(before: number, after: number): readonly number[] {
  if (before === 0 || after === 0) return [1];
  const key = `${before} ${after}`;
  const found = known.get(key);
  if (found) return found;
  const chances: number[] = Array(before * after + 1).fill(0);
  const [withBefore, withAfter] = [rankChances(before - 1, after), rankChances(before, after - 1)];
  const share = before / (before + after);
  withBefore.forEach((chance, count) => chances[count + after]! += share * chance);
  withAfter.forEach((chance, count) => chances[count]! += (1 - share) * chance);
  known.set(key, chances);
  return chances;
}

function convolved(left: readonly number[], right: readonly number[]): number[] {
  const sums: number[] = Array(left.length + right.length - 1).fill(0);
  left.forEach((one, at) => right.forEach((other, by) => sums[at + by]! += one * other));
  return sums;
}

/** B. Welch, The generalization of Student's problem, 1947. */
function welchRange({ before, after }: Stratum, tail: number): ShiftRange {
  const center = mean([...after]) - mean([...before]);
  const [first, second] = [before, after].map((values) =>
    sampleVariance([...values]) / values.length
  );
  const error = Math.sqrt(first! + second!);
  const share = first! / (first! + second!);
  const freedom = 1 / (share ** 2 / (before.length - 1) + (1 - share) ** 2 / (after.length - 1));
  const width = error === 0 ? 0 : jStat.studentt.inv(1 - tail, freedom) * error;
  return { lo: center - width, hi: center + width, by: "t" };
}
