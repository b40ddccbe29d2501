import { nameHint } from "../../text/nearest.ts";

/** A method, bound to its object. */
export type BoundMethod = (...values: unknown[]) => unknown;

/** What every object and every function has: a function's text, for example, is nobody's affair. */
const OF_ALL: readonly (object | null)[] = [Object.prototype, Function.prototype, null];

/**
 * The methods of an object that others may call: its own and those of its classes, but for
 * constructors, accessors, names that begin with `_`, what stands behind another member of the same
 * name, and what every object or function has.
 *
 * @example
 * ```ts
 * import { methodsOf } from "./object_methods.ts";
 * const methods = methodsOf({ add: (a: number, b: number) => a + b, _hidden() {} });
 * if ([...methods.keys()].join() !== "add") throw new Error("one method");
 * ```
 */
export function methodsOf(object: object): ReadonlyMap<string, BoundMethod> {
  const methods = new Map<string, BoundMethod>();
  for (const [name, value] of membersOf(object)) {
    const isOpen = typeof value === "function" && name !== "constructor" && !name.startsWith("_");
    if (isOpen) methods.set(name, value.bind(object));
  }
  return methods;
}

/** Members by name, as they are found in the object; no value for an accessor, which is not run. */
function membersOf(object: object): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  for (let owner = object; !OF_ALL.includes(owner); owner = Object.getPrototypeOf(owner)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (!members.has(name)) members.set(name, value);
    }
  }
  return members;
}

/** Calls the methods of an object as somebody else asks. */
export class ObjectMethods {
  readonly #name: string;
  readonly #methods: ReadonlyMap<string, BoundMethod>;

  constructor(name: string, methods: ReadonlyMap<string, BoundMethod>) {
    this.#name = name;
    this.#methods = methods;
  }

  /**
   * Calls a method.
   *
   * @param request should be the method's name and its arguments
   * @throws {RangeError} when there is no such method, with the nearest name
   * @throws {TypeError} when the request is something else
   */
  call(request: unknown): unknown {
    const [method, ...values] = Array.isArray(request) ? request as unknown[] : [];
    if (typeof method !== "string") {
      throw new TypeError(`Cannot call ${this.#name} as the request names no method`);
    }
    const work = this.#methods.get(method);
    if (work) return work(...values);
    const hint = nameHint(method, this.#methods.keys());
    throw new RangeError(`Cannot call ${this.#name}.${method}: ${hint}`);
  }
}
