import type { ErrorClass } from "../call/clone/tags.ts";
import { errorFrom } from "../call/error_report.ts";
import { limitOf } from "../call/limit.ts";
import {
  checkTimeout,
  Deadline,
  HANDLER_TIMEOUT_SECONDS,
  type WaitOptions,
} from "../wait/deadline.ts";
import { type AnyWorker, startThread, type Thread, threadOf } from "../worker/thread.ts";
import { CallEnd } from "./call_end.ts";
import { Line } from "./line/line.ts";
import { MESSAGE_LIMIT_BYTES } from "./line/line_end.ts";
import { checkErrors, checkNames } from "./methods.ts";
import {
  LIMITS,
  type RemoteFunction,
  remoteFunction,
  type SentFunction,
} from "./remote_function.ts";
import type { Kept } from "./keep_here.ts";
import type { RemoteIterator } from "./remote_iterator.ts";
import type { ConnectRequest, ServeReply } from "./serve.ts";

/** What a function in a worker is given here for what it takes there: a function for one that was sent. */
export type Sent<Value> = Value extends RemoteFunction<infer Values, infer Result>
  ? (...values: Values) => Result | PromiseLike<Result>
  : Value;

/** What is returned here for what a function in a worker returns. */
export type Received<Value> = Value extends Kept<infer Functions> ? RemoteFunctions<Functions>
  : Value extends
    AsyncIterator<infer Item, unknown, never> | AsyncIterable<infer Item> | Generator<infer Item>
    ? RemoteIterator<Item>
  : Value extends (...values: infer Values) => infer Result ? SentFunction<Values, Awaited<Result>>
  : Value;

/**
 * The functions of an object in a worker, but for those whose names begin with `_`. What a promise brings
 * there is returned here. Of a generic function `unknown` is left of its types, of overloads the last one.
 */
export type RemoteFunctions<Functions> = {
  readonly [
    Name in keyof Functions as Name extends `_${string}` ? never
      : Functions[Name] extends (...values: never) => unknown ? Name
      : never
  ]: Functions[Name] extends (...values: infer Values) => infer Result
    ? RemoteFunction<{ [Index in keyof Values]: Sent<Values[Index]> }, Received<Awaited<Result>>>
    : never;
};

/**
 * The functions that a worker serves, and the worker's end: `using` and `await using` end it with their
 * block. In Node the latter waits for the end of the thread.
 */
export type Connection<Functions> =
  & RemoteFunctions<Functions>
  & Disposable
  & { [Symbol.asyncDispose](): Promise<void> };

/**
 * How to connect. `timeoutSeconds` and `signal` limit each call, not the connection: see
 * {@linkcode RemoteFunction.with}, which replaces them for one function.
 */
export interface ConnectionOptions extends WaitOptions {
  /**
   * How many workers there are; 1 when absent. Each call goes to the one with the fewest under way, also of
   * calls that were given up. A worker that has ended gets none; when all have, calls throw a
   * `WorkerEndedError`.
   */
  readonly workers?: number;
  /** How long a worker may take to start, in seconds; 30 when absent. */
  readonly startTimeoutSeconds?: number;
  /** The most bytes of a result, whose call fails with a `LengthRefusedError` else; 1 GiB when absent. */
  readonly limitBytes?: number;
  /**
   * Classes of errors: what is thrown there as one of them is an instance of the same here, and the other way round
   * from callbacks. Built-in classes need no mention. `serve` is given the same list, in the same order; of other
   * classes an `Error` arrives with the name and the properties.
   */
  readonly errors?: readonly ErrorClass[];
  /**
   * Whether the program goes on while the workers run; true when absent. Of workers that the caller has
   * started this is not asked, nor on pages.
   */
  readonly keepsAlive?: boolean;
}

/** A module that calls `serve`, a worker of it, or a function that starts one. */
export type WorkerSource = URL | string | AnyWorker | (() => AnyWorker);

/**
 * Starts a worker, and makes the functions that its module serves callable as if they were here: they block
 * where this thread may block, and do not by `.async`. `serve` is the other side.
 *
 * @param source the module's URL. Bundlers find a worker only where it is started literally: give them
 * `() => new Worker(new URL("./math_worker.ts", import.meta.url), { type: "module" })`. A worker is ended with
 * the connection, whoever has started it
 * @param options `timeoutSeconds` and `signal` limit every call
 * @throws {TypeError} when this page has no shared memory, the source is none, a URL is not absolute, one
 * worker is to be several, or there is no such option
 * @throws {RangeError} when an option is out of range
 * @throws {Error} when the worker cannot be loaded, or does not serve in time, with the module's URL
 *
 * @example
 * ```ts
 * import { connect } from "./connect.ts";
 * const program = `
 *   import { serve } from "${new URL("./serve.ts", import.meta.url)}";
 *   serve({ add: (left, right) => left + right });`;
 * interface Functions {
 *   add(left: number, right: number): number;
 * }
 * using math = await connect<Functions>(`data:text/javascript,${encodeURIComponent(program)}`);
 * if (math.add(2, 3) !== 5) throw new Error("2 + 3");
 * if (await math.add.async(2, 3) !== 5) throw new Error("2 + 3");
 * ```
 */
export async function connect<Functions extends object>(
  source: WorkerSource,
  options: ConnectionOptions = {},
): Promise<Connection<Functions>> {
  checkNames("connect", options, OPTIONS);
  checkErrors("connect", options.errors ?? []);
  const {
    workers = 1,
    startTimeoutSeconds = HANDLER_TIMEOUT_SECONDS,
    limitBytes = MESSAGE_LIMIT_BYTES,
  } = options;
  const { timeoutSeconds = Infinity } = options;
  checkTimeout("startTimeoutSeconds", startTimeoutSeconds);
  checkTimeout("timeoutSeconds", timeoutSeconds);
  limitOf({ limitBytes });
  if (!Number.isInteger(workers) || workers < 1) {
    throw new RangeError(
      `Cannot connect as workers must be an integer of at least 1: current value is ${workers}`,
    );
  }
  const start = starterOf(source, options);
  const name = typeof source === "string" || source instanceof URL ? nameOf(source) : "the worker";
  const starts: Started[] = [];
  try {
    while (starts.length < workers) {
      starts.push(new Started(start, name, { limitBytes, errors: options.errors }));
    }
    const names = await Promise.all(starts.map((one) => one.ready(startTimeoutSeconds)));
    return connectionOf<Functions>(starts, names[0]!, options);
  } catch (error) {
    await Promise.all(starts.map((one) => one.terminate()));
    throw error;
  }
}

const NAME_CHARS = 200;
const OPTIONS = ["workers", "startTimeoutSeconds", "limitBytes", "errors", "keepsAlive", ...LIMITS];

/** A URL may be the whole program. */
function nameOf(url: URL | string): string {
  const text = String(url);
  return text.length > NAME_CHARS ? `${text.slice(0, NAME_CHARS)}...` : text;
}

type Start = (listener: Parameters<typeof threadOf>[1]) => Thread;

function starterOf(source: WorkerSource, options: ConnectionOptions): Start {
  const { keepsAlive = true, workers = 1 } = options;
  if (typeof source === "function") return (listener) => threadOf(startBy(source), listener);
  if (typeof source === "string" || source instanceof URL) {
    if (!URL.canParse(String(source))) {
      throw new TypeError(
        `Cannot connect as the URL of a worker must be absolute, as that of new URL("./math_worker.ts", import.meta.url): current value is ${source}`,
      );
    }
    return (listener) => startThread(source, { ...listener, keepsAlive });
  }
  if (workers === 1) return (listener) => threadOf(source, listener);
  throw new TypeError("Cannot make several workers of one: give a function that starts one");
}

function startBy(source: () => AnyWorker): AnyWorker {
  try {
    return source();
  } catch (cause) {
    if ("Worker" in globalThis || !(cause instanceof ReferenceError)) throw cause;
    throw new TypeError(
      'Cannot start the worker as there is no Worker here: give the URL of the module, or write import { Worker } from "node:worker_threads"',
      { cause },
    );
  }
}

let connectionCount = 0;

/** A worker that was started, and its line. */
class Started {
  readonly calls: CallEnd;
  readonly #thread: Thread;
  readonly #name: string;
  readonly #line = Line.create();
  readonly #id = connectionCount++;
  readonly #names = Promise.withResolvers<readonly string[]>();

  constructor(
    start: Start,
    name: string,
    options: { readonly limitBytes: number; readonly errors: readonly ErrorClass[] | undefined },
  ) {
    this.#name = name;
    this.calls = new CallEnd(this.#line, { side: "client", ...options });
    this.#names.promise.catch(() => {});
    this.#thread = start({
      receive: (message) => this.#receive(message as ServeReply | null | undefined),
      fail: (error, isDead) => this.#fail(error, isDead),
    });
    this.#offer();
  }

  #offer(): void {
    const { buffer } = this.#line;
    this.#thread.postMessage(
      { kind: "portlab.connect", id: this.#id, buffer } satisfies ConnectRequest,
      [],
    );
  }

  /** What the worker posts by itself is nobody's here. */
  #receive(message: ServeReply | null | undefined): void {
    if (message?.kind === "portlab.ready") this.#offer();
    else if (message?.kind === "portlab.served" && message.id === this.#id) {
      this.calls.carryBy(message.port);
      this.#names.resolve(message.names);
    } else if (message?.kind === "portlab.failed" && message.id === this.#id) {
      this.#names.reject(errorFrom(message.error));
    }
  }

  /** A worker of a page that throws goes on, once it serves. */
  #fail(error: Error, isDead: boolean): void {
    this.#names.reject(
      new Error(`Cannot connect to ${this.#name}: ${error.message}`, { cause: error }),
    );
    if (isDead) this.calls.finish(error);
  }

  /** The names of the functions that it serves. */
  async ready(timeoutSeconds: number): Promise<readonly string[]> {
    const late = () =>
      this.#names.reject(
        new Error(
          `Cannot connect to ${this.#name} as it did not serve within ${timeoutSeconds} s: the module must call serve(functions)`,
        ),
      );
    const timer = setTimeout(late, new Deadline({ timeoutSeconds }).leftMilliseconds);
    try {
      return await this.#names.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async terminate(): Promise<void> {
    this.calls.end("the connection was ended");
    await this.#thread.terminate();
  }
}

function connectionOf<Functions>(
  workers: readonly Started[],
  names: readonly string[],
  limits: WaitOptions,
): Connection<Functions> {
  const end = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  const clients = workers.map(({ calls }) => calls);
  const least = () => {
    let [best, bestLoad] = [clients[0]!, Infinity];
    for (const client of clients) {
      const { load } = client;
      if (load < bestLoad) [best, bestLoad] = [client, load];
    }
    return best;
  };
  const pick = clients.length === 1 ? () => clients[0]! : least;
  const functions = names.map((name, index) =>
    [name, remoteFunction({ pick, name, index }, limits)] as const
  );
  return Object.freeze({
    ...Object.fromEntries(functions),
    [Symbol.dispose]: () => void end(),
    [Symbol.asyncDispose]: end,
  }) as Connection<Functions>;
}
