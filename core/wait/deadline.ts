/** Limits of one wait. */
export interface WaitOptions {
  /** Gives up after this long, with a `TimeoutError`. Unlimited when absent. */
  readonly timeoutSeconds?: number;
  /**
   * Gives up when aborted, with the signal's reason. While a worker blocks, its event loop stands
   * still: a blocking wait sees a signal that was aborted before it began or by a callback, the
   * asynchronous waits see it at any time.
   */
  readonly signal?: AbortSignal;
}

/**
 * A function that throws when a wait has to end: at its deadline or on its signal.
 *
 * @throws {RangeError} when the timeout is not a number of at least 0
 */
export function deadlineGuard(what: string, options: WaitOptions): () => void {
  const { timeoutSeconds = Infinity, signal } = options;
  if (!(timeoutSeconds >= 0)) {
    throw new RangeError(
      `Cannot ${what} as timeoutSeconds must be at least 0: current value is ${timeoutSeconds}`,
    );
  }
  const deadlineMilliseconds = performance.now() + timeoutSeconds * 1000;
  return () => {
    signal?.throwIfAborted();
    if (performance.now() < deadlineMilliseconds) return;
    throw new DOMException(`Cannot ${what} within ${timeoutSeconds} s`, "TimeoutError");
  };
}
