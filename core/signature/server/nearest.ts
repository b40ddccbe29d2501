/** Letters that are compared: who asks decides how long a name is, and pays nothing. */
const LETTERS = 64;

/**
 * The name that is most like another: by the fewest letters to change, add or leave out (Levenshtein).
 *
 * Only the first 64 letters count.
 *
 * @returns `undefined` when there is no name
 *
 * @example
 * ```ts
 * import { nearest } from "./nearest.ts";
 * if (nearest("hipot", ["sum", "hypot"]) !== "hypot") throw new Error("one letter away");
 * ```
 */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const one of names) {
    const distance = editDistance(name.slice(0, LETTERS), one.slice(0, LETTERS));
    if (distance < bestDistance) [best, bestDistance] = [one, distance];
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let index = 0; index < left.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < right.length; column++) {
      const change = row[column]! + (left[index] === right[column] ? 0 : 1);
      next.push(Math.min(change, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}
