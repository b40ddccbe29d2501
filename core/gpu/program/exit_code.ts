/** Two threads whose results differ. */
export interface Disagreement {
  /** The first thread, from 0, whose result is not that of thread 0. */
  readonly threadIndex: number;
  /** What that thread returned. */
  readonly result: number;
  /** What thread 0 returned. */
  readonly first: number;
}

/**
 * The exit code of threads, as LLVM's loader makes it: all their results, combined by OR. Of that the
 * system keeps the lowest eight bits.
 *
 * @returns 0 to 255
 *
 * @example
 * ```ts
 * import { exitCode } from "./exit_code.ts";
 * if (exitCode([0, 1, 4]) !== 5 || exitCode([-1]) !== 255 || exitCode([256]) !== 0) {
 *   throw new Error("the lowest eight bits");
 * }
 * ```
 */
export function exitCode(results: Iterable<number>): number {
  let combined = 0;
  for (const result of results) combined |= result;
  return combined & 0xff;
}

/** The first threads that disagree, `undefined` where all have the same result. */
export function disagreement(results: ArrayLike<number>): Disagreement | undefined {
  const first = results[0]!;
  for (let threadIndex = 1; threadIndex < results.length; threadIndex++) {
    const result = results[threadIndex]!;
    if (result !== first) return { threadIndex, result, first };
  }
  return undefined;
}
