import { mean, median, sum, sumNthPowerDeviations } from "simple-statistics";
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
const BELL_DEVIATIONS = 5;
/** For normal values: standard deviation, divided by the median absolute deviation (MAD). */
export const DEVIATION_OF_MAD = 1.4826;

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
 * have too few orders to be that sure. There the range is that of the test, over strata as in an analysis
 * of variance. The choice depends on how the values of each side scatter, and not on what lies between the
 * sides (R. Hogg, Adaptive robust procedures, 1974).
 *
 * @param tail more than 0 and less than 0.5
 * @returns nothing where no stratum has two values on each side
 */
export function shiftRange(strata: readonly Stratum[], tail: number): ShiftRange | undefined {
  const sizes = strata.map(({ before, after }) => [before.length, after.length] as const);
  const rank = rankOf(sizes, tail);
  const byTest = rank < 0 || isBell(strata) ? welchRange(strata, tail) : undefined;
  if (byTest) return byTest;
  if (rank < 0) return undefined;
  const differences = strata.flatMap(({ before, after }) =>
    after.flatMap((one) => before.map((other) => one - other))
  ).sort((left, right) => left - right);
  const lo = quantileAt(differences, rank);
  return { lo, hi: quantileAt(differences, differences.length - 1 - rank), by: "ranks" };
}

/** Whether no value is wild, by the scatter of its own side and by that of all. */
function isBell(strata: readonly Stratum[]): boolean {
  const sides = (["before", "after"] as const).map((side) =>
    // A value alone, or two, lie as near to their middle as can be.
    strata.map(({ [side]: values }) => values).filter(({ length }) => length > 2)
      .flatMap((values) => {
        const center = median([...values]);
        return values.map((value) => Math.abs(value - center));
      })
  ).filter(({ length }) => length > 0);
  if (sides.length === 0) return false;
  const scatter = median(sides.flat());
  return sides.every((distances) =>
    Math.max(...distances) <=
      BELL_DEVIATIONS * DEVIATION_OF_MAD * Math.max(scatter, median(distances))
  );
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

/**
 * B. Welch, The generalization of Student's problem, 1947; each stratum counts as much as its sizes say of
 * the shift, and each side has one variance within all strata.
 */
function welchRange(strata: readonly Stratum[], tail: number): ShiftRange | undefined {
  const shared = strata.filter(({ before, after }) => before.length > 0 && after.length > 0);
  const weights = shared.map(({ before, after }) =>
    before.length * after.length / (before.length + after.length)
  );
  const weight = sum(weights);
  const center = sum(
    shared.map(({ before, after }, at) => weights[at]! * (mean([...after]) - mean([...before]))),
  ) / weight;
  const parts = (["before", "after"] as const).map((side) => {
    const freedom = sum(strata.map(({ [side]: values }) => Math.max(0, values.length - 1)));
    const squares = sum(
      strata.flatMap(({ [side]: values }) =>
        values.length === 0 ? [] : sumNthPowerDeviations([...values], 2)
      ),
    );
    const share = sum(shared.map(({ [side]: values }, at) => weights[at]! ** 2 / values.length));
    return { freedom, variance: squares / freedom * share / weight ** 2 };
  });
  if (shared.length === 0 || parts.some(({ freedom }) => freedom === 0)) return undefined;
  const variance = sum(parts.map((part) => part.variance));
  const freedom = 1 / sum(parts.map((part) => (part.variance / variance) ** 2 / part.freedom));
  const width = variance === 0 ? 0 : jStat.studentt.inv(1 - tail, freedom) * Math.sqrt(variance);
  return { lo: center - width, hi: center + width, by: "t" };
}
