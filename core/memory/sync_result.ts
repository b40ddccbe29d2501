/**
 * What a synchronous callback may return: anything that cannot be awaited. An `async` function does
 * not fit, because what it does after its first `await` would happen to a packet of another call.
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
 * Refuses a callback that turned out to be asynchronous, where a cast hid that from the compiler. If its
 * promise is rejected later, that is dropped: the refusal was reported already.
 *
 * @param what the callback, for the message
 * @throws {TypeError} when the result is a promise, or anything else with a `then` method
 *
 * @example
 * ```ts
 * import { refusePromise } from "./sync_result.ts";
 * refusePromise(42, "fill");
 * ```
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

/**
 * Checks that a service is a function when it is set, and not when the first call comes.
 *
 * @param what what is to be served, for the message
 * @throws {TypeError} when it is none
 *
 * @example
 * ```ts
 * import { checkService } from "./sync_result.ts";
 * checkService("opcode 40000", () => {});
 * ```
 */
export function checkService(what: string, work: unknown): void {
  if (typeof work === "function") return;
  throw new TypeError(
    `Cannot serve ${what} as there must be a function: current value is ${String(work)}`,
  );
}

/**
 * Tells a listener, who must not be able to end whoever tells: what it throws is thrown once more when
 * the event loop turns, where nobody catches it, as what a listener of an event throws. The runtime
 * reports it then: by an `error` event of the global scope, and Deno and Node end the thread if nobody
 * prevents that. The rejection of a listener that is asynchronous is an `unhandledrejection`.
 *
 * @example
 * ```ts
 * import { tellListener } from "./sync_result.ts";
 * const reported = new Promise<unknown>((resolve) => {
 *   addEventListener("error", (event) => {
 *     event.preventDefault();
 *     resolve(event.error);
 *   }, { once: true });
 * });
 * const mistake = new Error("of the listener");
 * tellListener(() => {
 *   throw mistake;
 * }, "news");
 * if (await reported !== mistake) throw new Error("it was reported");
 * ```
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
