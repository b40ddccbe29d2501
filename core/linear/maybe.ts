import { InvariantError } from "../memory/assert.ts";

/**
 * A port, or none. `value` is there only after a look at `present`; before that the access does not
 * compile. Disposing of a `Maybe` closes the port that nobody took.
 *
 * @typeParam T what it holds, if anything
 *
 * @example
 * ```ts
 * import { absent, type Maybe, present } from "./maybe.ts";
 * function closeIfOpen(maybe: Maybe<Disposable>): boolean {
 *   if (!maybe.present) return false;
 *   maybe.value[Symbol.dispose]();
 *   return true;
 * }
 * if (closeIfOpen(absent) || !closeIfOpen(present(new DisposableStack()))) throw new Error("maybe");
 * ```
 */
export type Maybe<T> = Present<T> | Absent;

/** A {@linkcode Maybe} that holds a value. */
export interface Present<T> extends Disposable {
  /** Look here first. */
  readonly present: true;
  /** What it holds. */
  readonly value: T;
}

/** A {@linkcode Maybe} that holds nothing. */
export interface Absent extends Disposable {
  /** Look here first. */
  readonly present: false;
}

/** Makes a {@linkcode Maybe} that holds a value. */
export function present<T extends Disposable>(value: T): Maybe<T> {
  return new Holding(value);
}

class Holding<T extends Disposable> implements Present<T> {
  readonly present = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  /** Read where `using` begins: what the port was then is what the block's end closes. */
  get [Symbol.dispose](): () => void {
    return disposerOf(this.value);
  }
}

class Empty implements Absent {
  readonly present = false;

  get value(): never {
    throw new InvariantError("the Maybe whose value is taken holds one");
  }

  [Symbol.dispose](): void {}
}

/** Bound, so that no frame of its own stands between the block's end and the port that names it. */
function disposerOf(value: Disposable): () => void {
  return value[Symbol.dispose].bind(value);
}

/** The {@linkcode Maybe} that holds nothing. */
export const absent: Maybe<never> = new Empty();

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
 * import { type Either, either } from "./maybe.ts";
 * const look = either<{ readonly polls: 1 }, { readonly reply: 42 }>(true, { reply: 42 });
 * const answer = look.arrived ? look.value.reply : look.value.polls;
 * if (answer !== 42) throw new Error("it arrived");
 * ```
 */
export type Either<Waiting, Arrived> =
  | { readonly arrived: false; readonly value: Waiting }
  | { readonly arrived: true; readonly value: Arrived };

export function either<Waiting, Arrived>(
  arrived: boolean,
  value: Waiting | Arrived,
): Either<Waiting, Arrived> {
  return { arrived, value } as Either<Waiting, Arrived>;
}
