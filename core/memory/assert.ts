/**
 * A broken invariant: a bug in the program that calls, or in this library. Never caught here.
 *
 * @example
 * ```ts
 * import { InvariantError } from "./assert.ts";
 * const error = new InvariantError("the port is open");
 * if (error.message !== "Invariant broken: the port is open") throw error;
 * ```
 */
export class InvariantError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name: string = "InvariantError";

  /** Says what should have been true, positively: "the port is open". */
  constructor(invariant: string) {
    super(`Invariant broken: ${invariant}`);
  }
}

/**
 * Throws unless the condition holds.
 *
 * @param condition what must be true
 * @param invariant the invariant, said positively: "the port is open"
 * @throws {InvariantError} when the condition is false
 *
 * @example
 * ```ts
 * import { assert } from "./assert.ts";
 * assert(1 < 2, "one is less than two");
 * ```
 */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}
