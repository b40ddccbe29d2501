/** An error whose class both sides have. */
export class KnownError extends RangeError {
  /** The name of the class, also in another thread. */
  override readonly name = "KnownError";
  /** Crosses with it. */
  readonly code = 7;
}
