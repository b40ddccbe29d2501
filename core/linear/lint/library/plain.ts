import { foreignCall } from "../foreign/foreign.ts";
import { foundOut } from "../path/condition.ts";
import type { Site, Steps } from "../path/run.ts";
import { Abandoned } from "../path/thrown.ts";
import { isThing, List, Native, type Plain, Unknown, type Value } from "../path/value.ts";

/** How many elements are gone on with. */
const LENGTH_MAX = 64;

/** A property of a text or a number, which is what it is in the language itself. */
export function plainMember(owner: Plain, name: string): Value {
  const value: unknown = Reflect.get(Object(owner), name);
  return typeof value === "function" ? pure(owner, value) : lifted(value);
}

/** The functions and constants of an object of the language that has nothing else. */
export function pureSpace(owner: typeof Math | NumberConstructor | StringConstructor): Native {
  const made = pure(undefined, owner);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (name === "random" || name === "prototype") continue;
    made.parts.set(name, typeof value === "function" ? pure(owner, value) : value);
  }
  return made;
}

/** Works out what is known; what is not has the type that the function gives. */
// deno-lint-ignore ban-types -- whatever stands there
function pure(self: unknown, work: Function | typeof Math): Native {
  return new Native((_, given, site) => {
    const args = given.map(foundOut);
    if (typeof work !== "function") return foreignCall(given, site);
    if (!args.some(isThing)) return worked(() => work.apply(self, args));
    return /^(?:max|min)$/.test(work.name)
      ? bounded(work.name, args, site)
      : foreignCall(given, site);
  });
}

/** `Math.max(a, 1)` is not less than 1, and `Math.min(a, 1)` no more. */
function* bounded(name: string, args: readonly Value[], site: Site): Steps<Value> {
  const { run } = site.scope;
  const made = yield* foreignCall(args, site);
  for (const one of args) {
    const pair = name === "max" ? [made, one] as const : [one, made] as const;
    run.answer("<", ...pair).truth = false;
  }
  return made;
}

// deno-lint-ignore require-yield
function* worked(work: () => unknown): Steps<Value> {
  try {
    return lifted(work());
  } catch {
    throw new Abandoned(true); // a program that was checked does not want that
  }
}

function lifted(value: unknown): Value {
  if (Array.isArray(value)) return new List(value.slice(0, LENGTH_MAX).map(lifted));
  return typeof value === "object" && value !== null ? new Unknown() : value as Plain;
}
