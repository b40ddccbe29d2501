/**
 * A broken invariant: a bug in the calling program or in this library, which never catches it.
 *
 * @example
 * ```ts
 * import { InvariantError } from "./assert.ts";
 * const error = new InvariantError("the port is open");
 * if (error.message !== "Invariant broken: the port is open") throw error;
 * ```
 */
export class InvariantError extends Error {
  /** The class's name, which survives a transfer to another isolate. */
  override readonly name: string = "InvariantError";

  /** Of what should have been true, said positively: "the port is open". */
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
 */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}
