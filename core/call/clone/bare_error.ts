import type { ErrorClass } from "./tags.ts";

/**
 * An error of a class without a field of its own: those that crossed will be there. A user's constructor is not run.
 *
 * @example
 * ```ts
 * import { bareError } from "./bare_error.ts";
 * const error = bareError(RangeError);
 * if (!(error instanceof RangeError) || Object.hasOwn(error, "stack")) throw new Error("bare");
 * ```
 */
export function bareError(Class: ErrorClass): Error {
  const error = Class === AggregateError ? new AggregateError([]) : new Error();
  for (const field of Object.getOwnPropertyNames(error)) Reflect.deleteProperty(error, field);
  return Object.setPrototypeOf(error, Class.prototype);
}

/** Sets a field whatever its name is: an assignment to some would do something else. */
export function define(target: object, key: string, value: unknown): void {
  const enumerable = true;
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

/** As {@linkcode define}, of a field that is not enumerated. */
export function defineHidden(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}
