import type { Callable } from "./tags.ts";

/** What is asked for its members one by one. */
export interface Iterated {
  [Symbol.asyncIterator]?(): object;
  [Symbol.iterator]?(): object;
}

/** An iterator, whose members may be promises. */
type Steps = { readonly [step in "next" | "return" | "throw"]?: Callable };

/** Whether it is iterated asynchronously, or is an iterator itself: what can be begun again is data, or refused. */
export function isIterated(value: object): value is Iterated {
  const { next, [Symbol.asyncIterator]: begin, [Symbol.iterator]: beginAtOnce } = value as
    & Iterated
    & Steps;
  return typeof begin === "function" ||
    (typeof next === "function" && typeof beginAtOnce === "function");
}

/**
 * The steps of an iteration as one function, by the name of the step.
 *
 * @example
 * ```ts
 * import { stepsOf } from "./iterated.ts";
 * const take = stepsOf([7].values());
 * if ((take("next") as IteratorResult<number>).value !== 7) throw new Error("the first");
 * ```
 */
export function stepsOf(value: Iterated): Callable {
  const steps: Steps = (value[Symbol.asyncIterator] ?? value[Symbol.iterator]!).call(value);
  return (step, member) => {
    if (step !== "next" && step !== "return" && step !== "throw") {
      throw new RangeError("Cannot iterate as there is no such step");
    }
    const method = steps[step];
    if (typeof method === "function") return method.call(steps, member);
    if (step === "throw") throw member;
    return { done: true, value: member };
  };
}
