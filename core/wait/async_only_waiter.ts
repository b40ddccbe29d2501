import type { PortWaiter, WaitGuard } from "./inbox_waiter.ts";

/** Waits for a thread that may not block, the main thread of a page: its blocking wait is refused. */
export class AsyncOnlyWaiter implements PortWaiter {
  readonly isAsyncOnly = true;
  readonly #waiter: PortWaiter;

  /** @param waiter does the waiting that is allowed */
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
 * For the operations that block, in a thread that may not.
 *
 * @throws {TypeError} with what can be done instead
 */
export function refuseToBlock(): never {
  throw new TypeError(
    "Cannot block as this is the main thread of a page: use callAsync(), openAsync(), recvAsync() " +
      "or serveAsync(), or move the client or the server to a worker",
  );
}
