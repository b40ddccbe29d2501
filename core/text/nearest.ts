/** Letters that are compared: who asks decides how long a name is, and pays nothing. */
const LETTERS = 64;
/** A name that takes more changes than these, or than half of its letters, is another name. */
const CHANGES_MAX = 3;
/** Names that a hint lists. */
const LISTED_MAX = 12;

/**
 * The name that is meant by another: one that contains it, or else the one with the fewest letters to
 * change, add, leave out or swap. Only the first 64 letters count, and their case does not.
 *
 * @returns `undefined` when nothing is near: more than three changes are, or than half of the letters
 *
 * @example
 * ```ts
 * import { nearest } from "./nearest.ts";
 * if (nearest("hipot", ["sum", "hypot"]) !== "hypot") throw new Error("one letter away");
 * if (nearest("colour", ["sum", "hypot"]) !== undefined) throw new Error("nothing is near");
 * ```
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.slice(0, LETTERS).toLowerCase();
  const letterCount = wanted.replace(/^-+/, "").length;
  const changesMax = Math.min(CHANGES_MAX, Math.floor(letterCount / 2));
  const near = [...names].map((one) => {
    const text = one.slice(0, LETTERS).toLowerCase();
    const isLonger = letterCount > 1 && text.includes(wanted);
    return { one, isLonger, changes: changesBetween(wanted, text) };
  }).sort((left, right) => left.changes - right.changes);
  const found = near.find(({ one }) => one === name) ?? near.find(({ isLonger }) => isLonger) ??
    near.find(({ changes }) => changes <= changesMax);
  return found?.one;
}

/**
 * The end of an error that refuses a name: which one may be meant, or else which there are.
 *
 * @example
 * ```ts
 * import { nameHint } from "./nearest.ts";
 * const names = ["sum", "hypot"];
 * if (nameHint("hipot", names) !== "did you mean hypot") throw new Error("one letter away");
 * if (nameHint("colour", names) !== "there are sum, hypot") throw new Error("nothing is near");
 * ```
 */
export function nameHint(name: string, names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return "there are none";
  const near = nearest(name, all);
  if (near !== undefined) return `did you mean ${near}`;
  const rest = all.length > LISTED_MAX ? ` and ${all.length - LISTED_MAX} more` : "";
  return `there are ${all.slice(0, LISTED_MAX).join(", ")}${rest}`;
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
