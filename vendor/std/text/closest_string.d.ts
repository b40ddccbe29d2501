export interface ClosestStringOptions {
  caseSensitive?: boolean;
  compareFn?: (a: string, b: string) => number;
}
export declare function closestString(
  givenWord: string,
  possibleWords: readonly string[],
  options?: ClosestStringOptions,
): string;
