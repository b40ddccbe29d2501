/** Keys of objects, and the number that they have in the message. */
export interface Shape {
  readonly number: number;
  readonly keys: readonly string[];
}

/** Shapes that an object is compared with. */
const SHAPES_TRIED = 4;

/**
 * The shapes of a message so far: objects of one kind follow each other, and their keys are written once.
 *
 * @example
 * ```ts
 * import { Shapes } from "./shapes.ts";
 * const shapes = new Shapes();
 * if (shapes.find(["x", "y"])) throw new Error("none yet");
 * const shape = shapes.add(["x", "y"]);
 * if (shapes.find(["x", "y"]) !== shape || shape.number !== 0) throw new Error("the first");
 * ```
 */
export class Shapes {
  /** By their count of keys, the latest last. */
  readonly #byCount = new Map<number, Shape[]>();
  #count = 0;

  /** The shape with these keys, in this order; one that was long ago is not found. */
  find(keys: readonly string[]): Shape | undefined {
    const known = this.#byCount.get(keys.length);
    const last = known ? known.length - 1 : -1;
    for (let index = last; index >= 0 && index > last - SHAPES_TRIED; index--) {
      if (isSame(keys, known![index]!.keys)) return known![index];
    }
  }

  /** A new shape. */
  add(keys: readonly string[]): Shape {
    const shape: Shape = { number: this.#count++, keys };
    const known = this.#byCount.get(keys.length);
    if (known) known.push(shape);
    else this.#byCount.set(keys.length, [shape]);
    return shape;
  }

  /** Begins the next message; returns whether there was a shape. */
  reset(): boolean {
    if (this.#count === 0) return false;
    this.#byCount.clear();
    this.#count = 0;
    return true;
  }
}

function isSame(keys: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index++) {
    if (keys[index] !== others[index]) return false;
  }
  return true;
}

/** Whether these are its keys, of an object that inherits none that could be enumerated. */
export function hasKeys(value: object, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in value) if (key !== keys[index++]) return false;
  return index === keys.length;
}

/**
 * Whether an array has no holes, and nothing beside its elements. Engines count values without a text for each key.
 */
export function isDense(values: readonly unknown[]): boolean {
  const { length } = values;
  if (Object.values(values).length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (values[index] === undefined && !Object.hasOwn(values, index)) return false;
  }
  return true;
}

/** The way to a value, as code has it. */
export function wayText(steps: readonly (string | number)[]): string {
  return steps.map((key) =>
    typeof key === "number" || /^\d+$/.test(key)
      ? `[${key}]`
      : /^[\p{L}_$][\p{L}\d_$]*$/u.test(key)
      ? `.${key}`
      : `[${JSON.stringify(key)}]`
  ).join("");
}
