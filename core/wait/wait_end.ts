/**
 * Ends one asynchronous wait from outside: what an `AbortController` does, whose making takes longer than
 * the rest of such a wait. For waiters of one's own: see `WaitGuard`.
 *
 * @example
 * ```ts
 * import { WaitEnd } from "./wait_end.ts";
 * const end = new WaitEnd();
 * let woken = false;
 * end.onEnd(() => woken = true);
 * end.end(new Error("called off"));
 * if (!woken || !end.isOver) throw new Error("ended");
 * ```
 */
export class WaitEnd {
  #reason: Error | undefined;
  #wake: (() => void) | undefined;

  /** Whether the wait was ended; the port may be somebody else's then. */
  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Has this called when the wait ends; nothing takes the place of what was there. */
  onEnd(wake: (() => void) | undefined): void {
    this.#wake = wake;
  }

  /** Ends the wait, with an error for who waits. */
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
