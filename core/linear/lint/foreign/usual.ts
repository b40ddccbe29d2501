import { isTrue } from "../path/condition.ts";
import { Run } from "../path/run.ts";
import { Thrown } from "../path/thrown.ts";
import { Func, isThing, type Value } from "../path/value.ts";
import { READERS } from "../syntax/vocabulary.ts";

/** What everybody knows to throw: whoever catches that has to count on it. */
export const THROWERS = /^(?:JSON\.parse|URL|decodeURI\w*|atob|BigInt|fetch|Deno\.\w+|\w+\.json)$/;

/** Methods that tell listeners off. */
export const TELLING_OFF = /\.(?:off|remove\w*Listeners?|unsubscribe)$/;

/** Methods of a server that answer calls. */
export const SERVING = /\.run(?:All|Once)$/;

export function tellOff(run: Run, args: readonly Value[]): void {
  const works = args.filter((one) => one instanceof Func);
  for (const one of run.listeners) {
    if (works.length === 0 || works.includes(one.work as Func)) run.listeners.delete(one);
  }
}

/** Functions that only look at what they are given. */
export function isReader(name: string): boolean {
  return READERS.has(name) || /^(?:console\.|assert|WeakRef$)/.test(name);
}

/** What never throws, although the types of the platform are not read. */
export const SAFE = /^(?:console|crypto|performance)\./;

/** Functions that end the program. */
export const EXITS: ReadonlySet<string> = new Set(["Deno.exit", "process.exit"]);

/** What an assertion by a usual name says, although its types are not read. */
export function claim(run: Run, name: string, [one, other]: readonly Value[]): void {
  const isSo = /^(?:assert|invariant|ok)$/.test(name)
    ? isTrue(run, one)
    : name === "assertFalse"
    ? !isTrue(run, one)
    : /^assert(?:Strict)?Equals$/.test(name)
    ? isThing(one) || isThing(other) || one === other
    : true;
  if (!isSo) throw Thrown.foreign();
}
