import type { WaitOptions } from "../wait/deadline.ts";
import type { CallEnd } from "./call_end.ts";
import { checkNames } from "./methods.ts";

/** A function in another thread. */
export interface RemoteFunction<Values extends readonly unknown[], Result> {
  /**
   * Calls it. Blocks until it has returned, or the promise that it returned is kept.
   *
   * @throws what it threw
   * @throws {TypeError} when a value cannot be copied; on the main thread of a page, which may not block
   * @throws {WorkerEndedError} when the worker has ended, also in the middle of the call
   * @throws {DOMException} named `TimeoutError`, when it takes too long; its answer is dropped then
   */
  (...values: Values): Result;
  /** As a call, without blocking this thread. Any number may be under way. */
  async(...values: Values): Promise<Result>;
  /**
   * The same function with other limits: `math.add.with({ timeoutSeconds: 1 })(2, 3)`. After
   * `timeoutSeconds` the call throws a `TimeoutError`; the function runs on, and its answer is dropped. An
   * aborted `signal` makes the call throw its reason, but cannot end a call that blocks already, because
   * the event loop of this thread stands still.
   *
   * @throws {TypeError} when there is no such option
   */
  with(options: WaitOptions): RemoteFunction<Values, Result>;
}

/**
 * A function of the other side that came as an argument or in a result. It is called there, also while that side
 * blocks in a call. The other side keeps it until it is released here: by `using`, by `[Symbol.dispose]()`, when
 * nothing here refers to it any more, or with the connection.
 */
export type SentFunction<Values extends readonly unknown[], Result> =
  & RemoteFunction<Values, Result>
  & Disposable;

/** Which function is called, and over which line: chosen for each call. */
export interface RemoteTarget {
  readonly pick: () => CallEnd;
  readonly name: string;
  readonly index: number;
}

/** What limits each call, and what can be limited. */
export const LIMITS = ["timeoutSeconds", "signal"];

/** Makes a function of the other side callable. */
export function remoteFunction(
  target: RemoteTarget,
  limits: WaitOptions,
): RemoteFunction<unknown[], unknown> {
  const { pick } = target;
  const call = (...values: unknown[]) => pick().call(target, values, limits);
  return Object.assign(call, {
    async: (...values: unknown[]) => pick().callAsync(target, values, limits),
    with(options: WaitOptions) {
      checkNames(`call ${target.name}`, options, LIMITS);
      return remoteFunction(target, { ...limits, ...options });
    },
  });
}

/** What the other side keeps for a function that was sent. */
interface KeptThere {
  readonly end: CallEnd;
  readonly index: number;
  isReleased: boolean;
}

function release(kept: KeptThere): void {
  if (kept.isReleased) return;
  kept.isReleased = true;
  kept.end.release(kept.index);
}

/**
 * Functions that nobody refers to any more are released. What is held for that is no closure of `sentFunction`: all
 * of those share what one of them refers to, and so each would keep the function itself.
 */
const collected = new FinalizationRegistry<KeptThere>(release);

/** A function that was sent: `end` is where it is called, and told when it is not wanted any more. */
export function sentFunction(
  end: CallEnd,
  { name, index }: { readonly name: string; readonly index: number },
): SentFunction<unknown[], unknown> {
  const kept: KeptThere = { end, index, isReleased: false };
  const pick = () => {
    if (!kept.isReleased) return end;
    throw new TypeError(`Cannot call ${name} as it was released: the other side has forgotten it`);
  };
  const remote = remoteFunction({ pick, name, index }, {});
  const sent = Object.assign(remote, {
    [Symbol.dispose]() {
      collected.unregister(sent);
      release(kept);
    },
  });
  collected.register(sent, kept, sent);
  return sent;
}
