/**
 * The result of a synchronous callback: anything that cannot be awaited. An `async` function does not fit,
 * because after its first `await` it would work on the packet of another call.
 */
export type SyncResult =
  | void
  | null
  | undefined
  | number
  | string
  | boolean
  | bigint
  | symbol
  | (object & { readonly then?: never });

/**
 * Rejects the result of a callback that is asynchronous after all, when a cast hid that from the compiler. A
 * later rejection of its promise is ignored, as this error is reported already.
 *
 * @param what the callback, for the message
 * @throws {TypeError} when the result is a promise, or anything else with a `then` method
 */
export function refusePromise(result: unknown, what: string): void {
  if (typeof result !== "object" || result === null) return;
  const { then } = result as { readonly then?: unknown };
  if (typeof then !== "function") return;
  Promise.resolve(result).catch(() => {});
  throw new TypeError(
    `Cannot work on a packet with ${what} that returns a promise: it must be synchronous`,
  );
}

/** Whether a value can be awaited for another one, by its `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/**
 * Checks that a service is a function when it is set, and not only at its first call.
 *
 * @param what what it serves, for the message
 * @throws {TypeError} when it is not a function
 */
export function checkService(what: string, work: unknown): void {
  if (typeof work === "function") return;
  throw new TypeError(
    `Cannot serve ${what} as there must be a function: current value is ${String(work)}`,
  );
}

/**
 * Calls a listener whose errors must not reach the caller. They are thrown again on the event loop, as those
 * of an event listener are. The runtime then reports an `error` event of the global scope; Deno and Node
 * end the thread unless that is prevented. An asynchronous listener that rejects causes an
 * `unhandledrejection`.
 */
export function tellListener<News>(listener: (news: News) => unknown, news: News): void {
  try {
    listener(news);
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0);
  }
}
