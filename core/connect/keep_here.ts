import { methodsOf } from "./methods.ts";

/** The functions of an object that stays in its thread. */
export type Kept<Functions> =
  & {
    readonly [Name in keyof Functions as Name extends `_${string}` ? never : Name]: Functions[Name];
  }
  & {
    /** Only the compiler sees it. */
    readonly "[kept]": Functions;
  };

/**
 * Gives the methods of an object to the other thread, and keeps the object here: `return keepHere(new Counter())`.
 * There they are functions as those of the connection. Without this its fields are copied, and its methods lost.
 *
 * @throws {TypeError} when the object has no methods
 *
 * @example
 * ```ts
 * import { keepHere } from "./keep_here.ts";
 * class Counter {
 *   #count = 0;
 *   add(by: number): number {
 *     return this.#count += by;
 *   }
 * }
 * const { add } = keepHere(new Counter());
 * if (add(2) !== 2 || add(3) !== 5) throw new Error("the methods are bound");
 * ```
 */
export function keepHere<Functions extends object>(object: Functions): Kept<Functions> {
  const methods = methodsOf(object);
  if (methods.size > 0) return Object.fromEntries(methods) as unknown as Kept<Functions>;
  throw new TypeError("Cannot keep the object here as it has no methods that could be called");
}
