/**
 * A name of the code in words: `portCount` as `port count`, `raw_readback` as `raw readback`.
 *
 * @example
 * ```ts
 * import { wordsOf } from "./words.ts";
 * if (wordsOf("portCount") !== "port count") throw new Error(wordsOf("portCount"));
 * ```
 */
export function wordsOf(name: string): string {
  return name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
