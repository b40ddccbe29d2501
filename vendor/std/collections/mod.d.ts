export declare function associateBy<T>(
  array: Iterable<T>,
  selector: (element: T) => string,
): Record<string, T>;
export declare function chunk<T>(array: readonly T[], size: number): T[][];
export declare function distinct<T>(array: Iterable<T>): T[];
export declare function distinctBy<T, D>(array: Iterable<T>, selector: (element: T) => D): T[];
export declare function mapValues<T, O>(
  record: Readonly<Record<string, T>>,
  transformer: (value: T, key: string) => O,
): Record<string, O>;
export declare function maxBy<T>(
  array: Iterable<T>,
  selector: (element: T) => number | string | bigint | Date,
): T | undefined;
export declare function maxOf<T>(
  array: Iterable<T>,
  selector: (element: T) => number,
): number | undefined;
export declare function minBy<T>(
  array: Iterable<T>,
  selector: (element: T) => number | string | bigint | Date,
): T | undefined;
export declare function minOf<T>(
  array: Iterable<T>,
  selector: (element: T) => number,
): number | undefined;
export declare function partition<T>(
  array: Iterable<T>,
  predicate: (element: T) => boolean,
): [T[], T[]];
export declare function permutations<T>(array: Iterable<T>): T[][];
export declare function slidingWindows<T>(
  array: readonly T[],
  size: number,
  options?: { step?: number; partial?: boolean },
): T[][];
export declare function sortBy<T>(
  array: Iterable<T>,
  selector: (element: T) => number | string | bigint | Date,
  options?: { order?: "asc" | "desc" },
): T[];
export declare function sumOf<T>(array: Iterable<T>, selector: (element: T) => number): number;
export declare function zip<T, U>(left: readonly T[], right: readonly U[]): [T, U][];
