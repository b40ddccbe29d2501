/** Keys of objects, and the number that they have in the message. */
export interface Shape {
  number: number;
  readonly keys: readonly string[];
}

/** The last shapes of the message, with which an object is compared. */
const SHAPES_TRIED = 8;
/** What is kept of a message. */
const SHAPES_KEPT = 64;

/**
 * The shapes of a message so far: objects of one kind follow each other, and their keys are written once.
 *
 * @example
 * ```ts
 * import { Shapes } from "./shapes.ts";
 * const shapes = new Shapes();
 * if (shapes.find(["x", "y"])) throw new Error("none yet");
 * const shape = shapes.add({ number: 0, keys: ["x", "y"] });
 * if (shapes.find(["x", "y"]) !== shape || !shapes.has(shape)) throw new Error("the first");
 * ```
 */
export class Shapes {
  readonly #all: Shape[] = [];
  #count = 0;

  /** The shape with these keys, in this order; one that was long ago is not found. */
  find(keys: readonly string[]): Shape | undefined {
    const first = Math.max(0, this.#count - SHAPES_TRIED);
    for (let index = this.#count - 1; index >= first; index--) {
      const shape = this.#all[index]!;
      if (shape.keys.length === keys.length && isSame(keys, shape.keys)) return shape;
    }
  }

  /** Whether the message has this shape; it may be one of an earlier message. */
  has(shape: Shape): boolean {
    return shape.number < this.#count && this.#all[shape.number] === shape;
  }

  /** Gives a shape the next number of this message. */
  add(shape: Shape): Shape {
    shape.number = this.#count;
    this.#all[this.#count++] = shape;
    return shape;
  }

  /** Begins the next message. */
  reset(): void {
    if (this.#count > SHAPES_KEPT) this.#all.length = SHAPES_KEPT;
    this.#count = 0;
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
