import type { PortWaiter, WaitGuard } from "./inbox_waiter.ts";

/** A waiter for a thread that may not block, the main thread of a page: its blocking wait throws. */
export class AsyncOnlyWaiter implements PortWaiter {
  readonly isAsyncOnly = true;
  readonly #waiter: PortWaiter;

  /** @param waiter does the asynchronous waits */
  constructor(waiter: PortWaiter) {
    this.#waiter = waiter;
  }

  wait(): never {
    return refuseToBlock();
  }

  waitAsync(index: number, foreign: number, guard: WaitGuard): Promise<void> {
    return this.#waiter.waitAsync(index, foreign, guard);
  }
}

/**
 * Rejects an operation that blocks, in a thread that may not.
 *
 * @throws {TypeError} always, with what to do instead
 */
export function refuseToBlock(): never {
  throw new TypeError(
    "Cannot block as this is the main thread of a page: use callAsync(), openAsync(), recvAsync() " +
      "or runAsync(), or move the client or the server to a worker",
  );
}
