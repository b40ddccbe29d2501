/** A name that takes more changes than these, or than half of its letters, is another name. */
const CHANGES_MAX = 3;

/**
 * The end of an error that refuses a name: all names that there are, and which one is the nearest to
 * what was given: one that contains it, or else the one with the fewest letters to change. None is
 * where nothing is near.
 *
 * @example
 * ```ts
 * import { knownNames } from "./nearest_name.ts";
 * const text = knownNames("laneCont", ["portCount", "laneCount"]);
 * if (text !== 'portCount, laneCount; the nearest is "laneCount"') throw new Error(text);
 * if (knownNames("colour", ["portCount"]) !== "portCount") throw new Error("nothing is near");
 * ```
 */
export function knownNames(given: string, names: readonly string[]): string {
  if (names.length === 0) return "none";
  const nearest = nearestName(given, names);
  return names.join(", ") + (nearest === undefined ? "" : `; the nearest is "${nearest}"`);
}

function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const letterCount = wanted.replace(/^-+/, "").length;
  const changesMax = Math.min(CHANGES_MAX, Math.floor(letterCount / 2));
  const near = names.map((name) => ({ name, changes: changesBetween(wanted, name.toLowerCase()) }))
    .sort((left, right) => left.changes - right.changes);
  const longer = letterCount < 2
    ? []
    : near.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (longer[0] ?? near.find(({ changes }) => changes <= changesMax))?.name;
}

/**
 * Letters to add, leave out, replace or swap with their neighbour. (Optimal string alignment, after
 * F. Damerau, A technique for computer detection and correction of spelling errors, 1964.)
 */
function changesBetween(source: string, target: string): number {
  if (Math.abs(source.length - target.length) > CHANGES_MAX) return Infinity;
  const rows = [Array.from({ length: target.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= source.length; row++) {
    rows[row] = [row];
    for (let at = 1; at <= target.length; at++) {
      const isOther = source[row - 1] === target[at - 1] ? 0 : 1;
      const isSwapped = source[row - 1] === target[at - 2] && source[row - 2] === target[at - 1];
      rows[row]![at] = Math.min(
        rows[row - 1]![at]! + 1,
        rows[row]![at - 1]! + 1,
        rows[row - 1]![at - 1]! + isOther,
        isSwapped ? rows[row - 2]![at - 2]! + 1 : Infinity,
      );
    }
  }
  return rows[source.length]![target.length]!;
}
