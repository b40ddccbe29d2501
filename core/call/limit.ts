/** The most bytes that arrive when nothing is said: a mebibyte. */
export const LIMIT_BYTES = 1 << 20;

/** What a receiver takes. */
export interface LimitOptions {
  /** The most bytes that are taken from the other side; a mebibyte when absent. */
  readonly limitBytes?: number;
}

/**
 * A length that the other side announced and this side does not take. A handler that lets it pass
 * refuses the call with status `lengthRefused`.
 */
export class LengthRefusedError extends RangeError {
  /** The name of the class, also in another isolate. */
  override readonly name = "LengthRefusedError";
}

/**
 * The limit of some options, checked before anything is received: one that is no number would let every
 * length pass.
 *
 * @throws {RangeError} when it is not a number of at least 0
 */
export function limitOf({ limitBytes = LIMIT_BYTES }: LimitOptions): number {
  if (typeof limitBytes === "number" && limitBytes >= 0) return limitBytes;
  throw new RangeError(
    `Cannot receive bytes as limitBytes must be a number of at least 0: current value is ${limitBytes}`,
  );
}

/** What to add to a refusal of more bytes than any memory has: the other side sent no length at all. */
export function lengthHint(lengthBytes: number): string {
  return lengthBytes < 2 ** 48
    ? ""
    : ": what came first is no length, but perhaps a packet of words";
}
