import { closestString } from "@std/text/closest-string";

/**
 * The end of an error that refuses a name: all names that there are, and which one is the nearest to
 * what was given: one that contains it, or else the one with the fewest letters to change.
 *
 * @example
 * ```ts
 * import { knownNames } from "./nearest_name.ts";
 * const text = knownNames("laneCont", ["portCount", "laneCount"]);
 * if (text !== 'portCount, laneCount; the nearest is "laneCount"') throw new Error(text);
 * ```
 */
export function knownNames(given: string, names: readonly string[]): string {
  if (names.length === 0) return "none";
  if (given === "") return names.join(", ");
  const longer = names.filter((name) => name.toLowerCase().includes(given.toLowerCase()));
  const nearest = closestString(given, longer.length > 0 ? longer : names);
  return `${names.join(", ")}; the nearest is "${nearest}"`;
}
