import type { Deadline } from "./deadline.ts";

/**
 * A line in which asynchronous operations of one thread wait, first come, first served. Only whoever is in front
 * looks for what all of them want: if each did at each wake, the time would grow with the square of their
 * number.
 */
export class WaitingLine {
  /** Those behind the one in front, in order: a call lets that one go on. */
  readonly #others = new Set<() => void>();
  #hasFront = false;

  /** Whether nobody waits. */
  get isEmpty(): boolean {
    return !this.#hasFront;
  }

  /**
   * Joins the line; nothing is returned to who is in front at once. Call {@linkcode leave} when that one
   * has what it wanted, or gives up.
   *
   * @param what the operation, for the message: completes "Cannot ..."
   * @throws {DOMException} at the deadline, and the reason of a signal that was aborted: then it has left
   */
  join(deadline: Deadline | undefined, what: string): Promise<void> | undefined {
    if (this.#hasFront) return this.#stand(deadline, what);
    this.#hasFront = true;
  }

  /** Lets the next one come to the front. */
  leave(): void {
    const [next] = this.#others;
    this.#hasFront = next !== undefined;
    if (!next) return;
    this.#others.delete(next);
    next();
  }

  async #stand(deadline: Deadline | undefined, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#others.add(resolve);
    const stop = deadline?.watch(what, (reason) => {
      this.#others.delete(resolve);
      reject(reason);
    });
    try {
      await promise;
    } finally {
      stop?.();
    }
  }
}
