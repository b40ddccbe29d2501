/** A constructor whose instances an assertion may look for. */
// deno-lint-ignore no-explicit-any
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;
// deno-lint-ignore no-explicit-any
type AnyClass<T> = abstract new (...args: any[]) => T;

export declare class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

export declare function assert(expr: unknown, msg?: string): asserts expr;
export declare function assertFalse(expr: unknown, msg?: string): asserts expr is
  | 0
  | false
  | ""
  | null
  | undefined;
export declare function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;
export declare function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;
export declare function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;
export declare function assertGreater<T>(actual: T, expected: T, msg?: string): void;
export declare function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;
export declare function assertLess<T>(actual: T, expected: T, msg?: string): void;
export declare function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;
export declare function assertInstanceOf<T>(
  actual: unknown,
  expectedType: AnyClass<T>,
  msg?: string,
): asserts actual is T;
export declare function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: AnyClass<T>,
  msg?: string,
): asserts actual is Exclude<A, T>;
export declare function assertMatch(actual: string, expected: RegExp, msg?: string): void;
export declare function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
export declare function assertStringIncludes(actual: string, expected: string, msg?: string): void;
export declare function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void;
export declare function assertObjectMatch(
  actual: Record<PropertyKey, unknown>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;
export declare function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: ErrorClass<E>,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;
export declare function assertThrows(fn: () => unknown, msg?: string): unknown;
export declare function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export declare function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export declare function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export declare function equal(left: unknown, right: unknown): boolean;
export declare function fail(msg?: string): never;
export declare function unimplemented(msg?: string): never;
export declare function unreachable(reason?: string): never;
