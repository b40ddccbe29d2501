import { knownNames } from "./nearest_name.ts";
import type { Trial } from "./scenario.ts";

/** What a {@linkcode trial} needs besides its work. */
export interface TrialOptions<State, Result> {
  /** Prepares what the work is given. Once, outside of the timed part; may be asynchronous. */
  readonly setup?: () => State | Promise<State>;
  /**
   * Takes each result, within the timed part: to check it, say. Without it results are kept in a way
   * that allocates nothing, so that the engine cannot leave the work out.
   */
  readonly sink?: (result: Awaited<Result>) => void;
  /** Releases what `setup` has made, once, behind the last call. */
  readonly dispose?: (state: State) => void | Promise<void>;
}

/**
 * A trial that repeats some work: what `setup` of most scenarios returns. The work gets what the option
 * `setup` has made, and nothing else. Where it returns a promise, each call is awaited before the next,
 * which costs about 100 ns by itself.
 *
 * Arithmetic that is the same in each call may be done once by the engine: let it depend on something
 * that changes, as `(state) => Math.sqrt(state.next++)` does.
 *
 * @throws {TypeError} when the work or an option is no function, or an option has another name
 *
 * @example
 * ```ts
 * import { trial } from "./trial.ts";
 * const texts: string[] = [];
 * await using made = await trial((bytes) => bytes.fill(1), {
 *   setup: () => new Uint8Array(64),
 *   dispose: (bytes) => void texts.push(`${bytes[0]}`),
 * });
 * await made.run(1000); // the lab does this, and takes the time
 * await made[Symbol.asyncDispose]();
 * if (texts[0] !== "1") throw new Error("a thousand times");
 * ```
 */
export async function trial<Result, State = undefined>(
  work: (state: State) => Result,
  options: TrialOptions<State, Result> = {},
): Promise<Trial> {
  checkFunctions(work, options);
  const { setup, sink, dispose } = options;
  const state = await setup?.() as State;
  const all = sink ? sinkAll(sink) : keepAll;
  let isDisposed = false;
  return {
    run(callCount) {
      const first = work(state);
      if (isPromise(first)) return awaitAll({ work, state, first, sink }, callCount);
      if (sink) sink(first as Awaited<Result>);
      else lastResults.other = first;
      all(work, state, callCount);
    },
    async [Symbol.asyncDispose]() {
      if (isDisposed) return;
      isDisposed = true;
      await dispose?.(state);
    },
  };
}

const OPTION_NAMES = ["setup", "sink", "dispose"];

function checkFunctions(work: unknown, options: object): void {
  if (typeof work !== "function") {
    throw new TypeError(
      `Cannot make a trial as its work must be a function, such as () => copy(): it is ${
        work === null ? "null" : typeof work
      }`,
    );
  }
  for (const [name, option] of Object.entries(options)) {
    if (!OPTION_NAMES.includes(name)) {
      throw new TypeError(
        `Cannot make a trial as it has no option "${name}": options are ${
          knownNames(name, OPTION_NAMES)
        }`,
      );
    }
    if (option === undefined || typeof option === "function") continue;
    throw new TypeError(
      `Cannot make a trial as its ${name} must be a function: it is ${typeof option}`,
    );
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/** Where results end, out of the engine's sight: what is stored here may be read by anybody. */
export const lastResults: { sum: number; other: unknown } = { sum: 0, other: undefined };

/** All calls but the first. Numbers are added up, as to store one would allocate it. */
function keepAll<State>(work: (state: State) => unknown, state: State, callCount: number): void {
  let sum = 0;
  let other: unknown;
  for (let call = 1; call < callCount; call++) {
    const result = work(state);
    if (typeof result === "number") sum += result;
    else other = result;
  }
  refusePromise(other);
  lastResults.sum = sum;
  if (other !== undefined) lastResults.other = other;
}

function sinkAll<Result>(sink: (result: Awaited<Result>) => void): typeof keepAll {
  return (work, state, callCount) => {
    for (let call = 1; call < callCount; call++) {
      const result = work(state);
      refusePromise(result);
      sink(result as Awaited<Result>);
    }
  };
}

function refusePromise(result: unknown): void {
  if (!isPromise(result)) return;
  throw new TypeError(
    "Cannot measure the work as it returned a promise after another result: it must return one in " +
      "each call, or in none",
  );
}

async function awaitAll<State, Result>(
  { work, state, first, sink }: {
    readonly work: (state: State) => Result;
    readonly state: State;
    readonly first: Result;
    readonly sink: ((result: Awaited<Result>) => void) | undefined;
  },
  callCount: number,
): Promise<void> {
  let result = await first;
  sink?.(result);
  for (let call = 1; call < callCount; call++) {
    result = await work(state);
    sink?.(result);
  }
  lastResults.other = result;
}
