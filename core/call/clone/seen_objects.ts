/** So many are compared one by one: a table makes garbage with every message, and most have few objects. */
const FEW = 8;

/**
 * The objects of a message so far, by the order in which they came.
 *
 * @example
 * ```ts
 * import { SeenObjects } from "./seen_objects.ts";
 * const seen = new SeenObjects();
 * const object = {};
 * if (seen.add(object) !== -1 || seen.add({}) !== -1 || seen.add(object) !== 0) throw new Error("the first");
 * ```
 */
export class SeenObjects {
  readonly #few: (object | undefined)[] = Array.from({ length: FEW }, () => undefined);
  #numbers: Map<object | undefined, number> | undefined;
  #count = 0;

  /** The number that an object has already; -1 when it is new, and has the next one from now on. */
  add(value: object): number {
    const count = this.#count;
    const few = this.#few;
    if (this.#numbers === undefined) {
      for (let number = 0; number < count; number++) if (few[number] === value) return number;
      if (count === FEW) this.#numbers = new Map(few.map((one, number) => [one, number]));
      else few[count] = value;
    }
    if (this.#numbers !== undefined) {
      const known = this.#numbers.get(value);
      if (known !== undefined) return known;
      this.#numbers.set(value, count);
    }
    this.#count++;
    return -1;
  }

  /** Begins the next message, and keeps no object of this one. */
  reset(): void {
    const count = Math.min(this.#count, FEW);
    for (let number = 0; number < count; number++) this.#few[number] = undefined;
    this.#numbers = undefined;
    this.#count = 0;
  }
}
