import { assert } from "../memory/assert.ts";

/**
 * What one look can find: a port that still waits, or one whose packet has arrived. `arrived` tells
 * them apart; before that only what both can do compiles. Exactly one port is in it, and is
 * consumed through it.
 *
 * @typeParam Waiting the port as it was
 * @typeParam Arrived the port when the packet is back
 *
 * @example
 * ```ts
 * import { type Either, either } from "./either.ts";
 * const look = either<{ readonly polls: 1 }, { readonly reply: 42 }>(true, { reply: 42 });
 * const answer = look.arrived ? look.value.reply : look.value.polls;
 * if (answer !== 42) throw new Error("it arrived");
 * ```
 */
export type Either<Waiting, Arrived> =
  | { readonly arrived: false; readonly value: Waiting }
  | { readonly arrived: true; readonly value: Arrived };

/** Makes an {@linkcode Either}. */
export function either<Waiting, Arrived>(
  arrived: boolean,
  value: Waiting | Arrived,
): Either<Waiting, Arrived> {
  return { arrived, value } as Either<Waiting, Arrived>;
}

/** As {@linkcode either}; refuses to give its value before somebody looked at `arrived`. */
export function guardedEither<Waiting, Arrived>(
  arrived: boolean,
  value: Waiting | Arrived,
): Either<Waiting, Arrived> {
  return new Guarded(arrived, value) as Either<Waiting, Arrived>;
}

class Guarded<T> {
  readonly #arrived: boolean;
  readonly #value: T;
  #wasLookedAt = false;

  constructor(arrived: boolean, value: T) {
    this.#arrived = arrived;
    this.#value = value;
  }

  get arrived(): boolean {
    this.#wasLookedAt = true;
    return this.#arrived;
  }

  get value(): T {
    assert(this.#wasLookedAt, "'arrived' was looked at before the value of the Either is taken");
    return this.#value;
  }
}
