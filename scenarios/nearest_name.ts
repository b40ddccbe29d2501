import { nearest } from "../core/text/nearest.ts";

/**
 * The end of an error that refuses a name: all names that there are, and which one is the nearest to
 * what was given, where one is near.
 */
export function knownNames(given: string, names: readonly string[]): string {
  if (names.length === 0) return "none";
  const near = nearest(given, names);
  return names.join(", ") + (near === undefined ? "" : `; the nearest is "${near}"`);
}
