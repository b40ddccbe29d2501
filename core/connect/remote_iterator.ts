import type { SentFunction } from "./remote_function.ts";

type Step = "next" | "return" | "throw";
type Steps = SentFunction<[step: Step, value?: unknown], IteratorResult<unknown, unknown>>;

/**
 * What the other side iterates: each member is asked for when it is wanted, so that a slow reader slows the
 * writer. `for await` does not block this thread, `for` does, whichever kind of iterator it is there. The other
 * side keeps it until it has ended, as by leaving the loop, or is released.
 */
export class RemoteIterator<Item>
  implements AsyncIterableIterator<Item>, Iterable<Item>, Disposable {
  readonly #steps: Steps;
  #isOver = false;

  /** @internal */
  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** The next member. Any number may be asked for at once. */
  next(value?: unknown): Promise<IteratorResult<Item>> {
    return this.#take("next", value);
  }

  /** Ends it, and returns when it has ended there. */
  return(value?: unknown): Promise<IteratorResult<Item>> {
    return this.#take("return", value);
  }

  /** Throws an error where it waits. */
  throw(error?: unknown): Promise<IteratorResult<Item>> {
    return this.#take("throw", error);
  }

  /** Itself: it is iterated once. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Blocks for each member. */
  *[Symbol.iterator](): Generator<Item, void> {
    try {
      while (!this.#isOver) {
        const { done, value } = this.#checked(() => this.#steps("next"));
        if (!done) yield value;
      }
    } finally {
      if (!this.#isOver) this.#checked(() => this.#steps("return"));
      this[Symbol.dispose]();
    }
  }

  /** Releases it: the other side ends it if it has not ended. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#steps[Symbol.dispose]();
  }

  /** As {@linkcode return}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #take(step: Step, value: unknown): Promise<IteratorResult<Item>> {
    if (this.#isOver) {
      if (step === "throw") throw value;
      return { done: true, value };
    }
    try {
      const result = await this.#steps.async(step, value) as IteratorResult<Item>;
      if (result.done) this[Symbol.dispose]();
      return result;
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  #checked(take: () => IteratorResult<unknown, unknown>): IteratorResult<Item> {
    try {
      const result = take() as IteratorResult<Item>;
      if (result.done) this.#isOver = true;
      return result;
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }
}
