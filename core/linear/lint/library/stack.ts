import { awaited } from "../expression/awaiting.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Future, Item, Native, type Value } from "../path/value.ts";
import { dispose } from "../statement/block.ts";

/** What a stack does at its end, in the order in which it was told. */
type Ends = (() => Steps<void>)[];

/** `new DisposableStack()` and `new AsyncDisposableStack()`. */
export function newStack(isAsync: boolean, ends: Ends = [], held: Value[] = []): Item {
  const stack = new Item();
  const method = (name: string, run: Native["run"]) => stack.parts.set(name, new Native(run, held));
  // deno-lint-ignore require-yield
  method("use", function* (_, [value], site) {
    held.push(value);
    ends.push(() => dispose(value, site, "dispose()"));
    return value;
  });
  // deno-lint-ignore require-yield
  method("adopt", function* (run, [value, work], site) {
    held.push(value, work);
    ends.push(() => callBack(run, work, [value], site));
    return value;
  });
  // deno-lint-ignore require-yield
  method("defer", function* (run, [work], site) {
    held.push(work);
    ends.push(() => callBack(run, work, [], site));
    return undefined;
  });
  // deno-lint-ignore require-yield
  method("move", function* () {
    return newStack(isAsync, ends.splice(0), held.splice(0));
  });
  const end: Native["run"] = function* (run) {
    held.length = 0;
    const all = function* (): Steps<Value> {
      for (const one of ends.splice(0).reverse()) yield* one();
      return undefined;
    };
    return isAsync ? run.start(all()) : yield* all();
  };
  method("dispose", end);
  method("disposeAsync", end);
  method(isAsync ? "Symbol.asyncDispose" : "Symbol.dispose", end);
  return stack;
}

function* callBack(run: Run, work: Value, args: readonly Value[], site: Site): Steps<void> {
  const result = yield* run.interpreter.call(work, args, { ...site, isInner: true });
  if (result instanceof Future) yield* awaited(run, result, site);
}
