/**
 * Ends one asynchronous wait from outside, as an `AbortController` does; but creating one of those takes
 * longer than the rest of such a wait. Used by waiters: see `WaitGuard`.
 */
export class WaitEnd {
  #reason: Error | undefined;
  #wake: (() => void) | undefined;

  /** Whether the wait was ended. The port may then belong to another call. */
  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Sets the function that is called when the wait ends, or removes it. */
  onEnd(wake: (() => void) | undefined): void {
    this.#wake = wake;
  }

  /** Ends the wait, which throws this error. */
  end(reason: Error): void {
    this.#reason ??= reason;
    this.#wake?.();
  }

  /**
   * Does nothing while the wait may go on.
   *
   * @throws the reason, when it was ended
   */
  check(): void {
    if (this.#reason) throw this.#reason;
  }
}
