/**
 * Holds what arrives until somebody asks for it. One consumer at a time.
 *
 * @example
 * ```ts
 * import { MessageQueue } from "./message_queue.ts";
 * const queue = new MessageQueue<string>();
 * queue.push("hello");
 * if (await queue.next(10) !== "hello") throw new Error("it was waiting");
 * if (await queue.next(10) !== undefined) throw new Error("nothing came in 10 ms");
 * ```
 */
export class MessageQueue<T> {
  readonly #waiting: T[] = [];
  #failure: Error | undefined;
  #wake: () => void = () => {};

  push(message: T): void {
    this.#waiting.push(message);
    this.#wake();
  }

  /** No more will come: who waits, now or later, gets this error once the queue is empty. */
  fail(reason: Error): void {
    this.#failure ??= reason;
    this.#wake();
  }

  /** The next message, or `undefined` where none comes within the time. */
  async next(milliseconds: number): Promise<T | undefined> {
    if (this.#waiting.length === 0 && !this.#failure) await this.#change(milliseconds);
    if (this.#waiting.length > 0) return this.#waiting.shift();
    if (this.#failure) throw this.#failure;
    return undefined;
  }

  async #change(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
