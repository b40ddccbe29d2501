/**
 * A length that the other side announced and this side does not take. A handler that lets it pass
 * refuses the call with status `lengthRefused`.
 */
export class LengthRefusedError extends RangeError {
  /** The name of the class, also in another isolate. */
  override readonly name = "LengthRefusedError";
}

/**
 * Checks a limit before anything is received: one that is no number would let every length pass.
 *
 * @throws {RangeError} when it is not a number of at least 0
 *
 * @example
 * ```ts
 * import { checkLimit } from "./limit.ts";
 * checkLimit(4096);
 * ```
 */
export function checkLimit(limitBytes: number): void {
  if (typeof limitBytes === "number" && limitBytes >= 0) return;
  throw new RangeError(
    `Cannot receive bytes as limitBytes must be a number of at least 0: current value is ${limitBytes}`,
  );
}
