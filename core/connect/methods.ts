import type { ErrorClass } from "../call/clone/tags.ts";

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
 * import { methodsOf } from "./methods.ts";
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

/**
 * Checks that options have no name that is none of theirs: what was misspelt would be missed in silence.
 *
 * @throws {TypeError} when one does
 *
 * @example
 * ```ts
 * import { checkNames } from "./methods.ts";
 * checkNames("connect", { workers: 2 }, ["workers", "limitBytes"]);
 * ```
 */
export function checkNames(what: string, options: object, names: readonly string[]): void {
  const wrong = Object.keys(options).find((name) => !names.includes(name));
  if (wrong === undefined) return;
  throw new TypeError(
    `Cannot ${what} as there is no option ${wrong}: the options are ${names.join(", ")}`,
  );
}

/**
 * Checks a list of classes of errors.
 *
 * @throws {TypeError} when it is none, or longer than can be told apart
 */
export function checkErrors(what: string, errors: readonly ErrorClass[]): void {
  const isClass = (one: unknown) =>
    one === Error || (one as { prototype?: unknown } | undefined)?.prototype instanceof Error;
  if (Array.isArray(errors) && errors.length <= ERROR_CLASSES_MAX && errors.every(isClass)) return;
  throw new TypeError(
    `Cannot ${what} as errors must be a list of at most ${ERROR_CLASSES_MAX} classes of errors, the same on both sides`,
  );
}

const ERROR_CLASSES_MAX = 200;

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
