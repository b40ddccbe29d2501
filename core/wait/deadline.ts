/** Limits of one wait, or of several: a call that waits twice has one deadline. */
export interface WaitOptions {
  /** Gives up after this long, with a `TimeoutError`. Unlimited when absent. */
  readonly timeoutSeconds?: number;
  /**
   * Gives up when aborted, with the signal's reason; an operation that is given a signal that was
   * aborted before does nothing else. While a worker blocks, its event loop stands still: a blocking
   * wait sees a signal that was aborted before it began or by a callback, the asynchronous waits see
   * it at any time.
   */
  readonly signal?: AbortSignal;
}

/** Where a deadline is found in options that were copied from it. */
const ORIGIN = Symbol("portlab.deadline");

/** The longest time that timers and waits take, in milliseconds. */
const MILLISECONDS_MAX = 2 ** 31 - 1;

/**
 * Checks a time before anything waits for it.
 *
 * @param name of the option, for the message
 * @throws {RangeError} when it is not a number of at least 0
 *
 * @example
 * ```ts
 * import { checkTimeout } from "./deadline.ts";
 * checkTimeout("startTimeoutSeconds", Infinity);
 * ```
 */
export function checkTimeout(name: string, seconds: number): void {
  if (typeof seconds === "number" && seconds >= 0) return;
  throw new RangeError(
    `Cannot wait as ${name} must be a number of at least 0: current value is ${String(seconds)}`,
  );
}

/**
 * Limits that have begun to run. Where options are taken, one of these may be given too, or its copy
 * among other options (`{ ...deadline, limitBytes }`), so that several operations share one deadline.
 *
 * @example
 * ```ts
 * import { Deadline } from "./deadline.ts";
 * const deadline = new Deadline({ timeoutSeconds: 60 });
 * deadline.check("wait"); // throws in a minute
 * if (deadline.leftMilliseconds > 60_000) throw new Error("at most a minute is left");
 * ```
 */
export class Deadline implements WaitOptions {
  /** The whole time, `Infinity` without a limit. */
  readonly timeoutSeconds: number;
  /** Ends the waits when it is aborted. */
  readonly signal?: AbortSignal;
  /** @internal A spread copies the limits and this, and not the time that has begun to run. */
  readonly [ORIGIN]: Deadline = this;
  readonly #endMilliseconds: number;

  /**
   * Starts the time.
   *
   * @throws {RangeError} when the timeout is not a number of at least 0
   */
  constructor({ timeoutSeconds = Infinity, signal }: WaitOptions) {
    checkTimeout("timeoutSeconds", timeoutSeconds);
    this.timeoutSeconds = timeoutSeconds;
    if (signal) this.signal = signal;
    this.#endMilliseconds = now() + timeoutSeconds * 1000;
  }

  /**
   * The deadline of some options: their own if they are one, none where there are no limits.
   *
   * @throws {RangeError} as the constructor
   * @throws the reason of a signal that was aborted before: nothing is to begin then
   */
  static of(options: WaitOptions | undefined): Deadline | undefined {
    if (options === undefined) return undefined;
    options.signal?.throwIfAborted();
    if (options instanceof Deadline) return options;
    const { timeoutSeconds, signal, [ORIGIN]: origin } = options as Partial<Deadline>;
    if (timeoutSeconds === undefined && signal === undefined) return undefined;
    const isCopy = origin?.timeoutSeconds === timeoutSeconds && origin?.signal === signal;
    return isCopy && origin ? origin : new Deadline(options);
  }

  /** What is left, from 0 to what timers take. */
  get leftMilliseconds(): number {
    const left = this.#endMilliseconds - now();
    return Math.min(Math.max(left, 0), MILLISECONDS_MAX);
  }

  /**
   * Throws when the time is over or the signal was aborted.
   *
   * @param what completes "Cannot ..."
   */
  check(what: string): void {
    this.signal?.throwIfAborted();
    if (now() < this.#endMilliseconds) return;
    throw new DOMException(`Cannot ${what} within ${this.timeoutSeconds} s`, "TimeoutError");
  }
}

function now(): number {
  return performance.now();
}
