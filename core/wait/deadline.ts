/** Limits of a wait, or of several: a call that waits twice has one deadline. */
export interface WaitOptions {
  /** Gives up after this long, with a `TimeoutError`. Unlimited when absent. */
  readonly timeoutSeconds?: number;
  /**
   * Gives up with the signal's reason when it is aborted. An operation does nothing else when its signal
   * was aborted before. A blocking wait sees only a signal that was aborted before it began or by a
   * callback, because the event loop of a blocked worker stands still. Asynchronous waits see it at any
   * time.
   */
  readonly signal?: AbortSignal;
}

/** How long whoever is asked to leave a channel may take when nothing is said. */
export const LEAVE_TIMEOUT_SECONDS = 1;
/** How long a client may take for one step of its call when nothing is said. */
export const CLIENT_TIMEOUT_SECONDS = 5;
/** How long a handler that waits, or the start of a worker, may take when nothing is said. */
export const HANDLER_TIMEOUT_SECONDS = 30;

/** Under this key, options that were copied from a deadline refer to it. */
const ORIGIN = Symbol("portlab.deadline");

/** The longest time that timers and waits take, in milliseconds. */
const MILLISECONDS_MAX = 2 ** 31 - 1;

/**
 * Checks a timeout that a user gives.
 *
 * @param name the name of the option, for the message
 * @param seconds the timeout, which may be `Infinity`
 * @throws {RangeError} when `seconds` is not a number of at least 0
 */
export function checkTimeout(name: string, seconds: number): void {
  if (typeof seconds === "number" && seconds >= 0) return;
  throw new RangeError(
    `Cannot wait as ${name} must be a number of at least 0: current value is ${String(seconds)}`,
  );
}

/**
 * Limits whose time has begun to run. It may be passed wherever options are taken, also copied among other
 * options (`{ ...deadline, limitBytes }`), so that several operations share one deadline.
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
  /** The whole time; `Infinity` without a limit. */
  readonly timeoutSeconds: number;
  /** Ends the waits when it is aborted. */
  readonly signal?: AbortSignal;
  /** @internal A spread copies the limits and this reference, but not the private start of the time. */
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
   * The deadline of some options: the options themselves if they are one, or `undefined` without limits.
   *
   * @throws {RangeError} as the constructor
   * @throws the reason of a signal that was aborted before
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

  /** The time that is left, from 0 to the longest time of a timer. */
  get leftMilliseconds(): number {
    const left = this.#endMilliseconds - now();
    return Math.min(Math.max(left, 0), MILLISECONDS_MAX);
  }

  /**
   * Throws when the time is over or the signal was aborted.
   *
   * @param what the operation, for the message: completes "Cannot ..."
   * @param hint what the user can do about it, asked for when the time is over
   */
  check(what: string, hint?: () => string): void {
    this.signal?.throwIfAborted();
    if (now() < this.#endMilliseconds) return;
    const message = `Cannot ${what} within ${this.timeoutSeconds} s${hint?.() ?? ""}`;
    throw new DOMException(message, "TimeoutError");
  }

  /**
   * Tells once the time is over or the signal is aborted, if that comes before the returned function is called.
   *
   * @param what as of {@linkcode check}
   * @param fail is given what {@linkcode check} throws
   */
  watch(what: string, fail: (reason: unknown) => void): () => void {
    const look = () => {
      try {
        this.check(what);
      } catch (reason) {
        fail(reason);
      }
    };
    this.signal?.addEventListener("abort", look);
    // A timer may come a fraction of a millisecond early, and has no room for more than some weeks.
    const milliseconds = Math.min(Math.ceil(this.leftMilliseconds) + 1, MILLISECONDS_MAX);
    const isLimited = this.timeoutSeconds !== Infinity;
    const timer = isLimited ? setInterval(look, milliseconds) : undefined;
    return () => {
      clearInterval(timer);
      this.signal?.removeEventListener("abort", look);
    };
  }
}

function now(): number {
  return performance.now();
}
