import { madeOf, promised } from "../path/making.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import type { Scope } from "../path/scope.ts";
import { Func, Future, Item, Port, Unknown, type Value } from "../path/value.ts";
import type { ts } from "../program/compiler.ts";

/** What is said to be a port is one, where nobody knows better. */
export function* annotated(run: Run, value: Value, site: Site): Steps<Value> {
  if (!(value instanceof Unknown) || value.type() !== undefined) return value;
  const type = run.file.typeAt(site.node);
  const isKnown = run.file.reader.kindOf(type) !== undefined;
  return isKnown ? yield* madeOf(type, site, { isOwned: true }) : value;
}

/** What `await` gives, when it does. */
export function* awaited(
  run: Run,
  value: Value,
  { node, scope }: { readonly node: ts.Node; readonly scope: Scope },
): Steps<Value> {
  let future = value;
  if (value instanceof Unknown) {
    const make = () => madeOf(run.file.typeAt(node), { node, scope }, { isOwned: true });
    future = promised(run, make, { node, scope });
  } else if (value instanceof Item) {
    const then = yield* run.interpreter.member(value, "then", { node, scope });
    if (!(then instanceof Func)) return value;
    return new Unknown(() => run.file.typeAt(node));
  }
  if (!(future instanceof Future)) return value;
  const { frame } = scope;
  const block = frame.scope;
  run.suspended.add(frame);
  try {
    return yield { awaited: future };
  } finally {
    run.suspended.delete(frame);
    frame.scope = block;
    if (value instanceof Unknown || run.isLater) othersRan(frame.self);
  }
}

/** While code waits, others may have given a field another port: of a consumed one nobody knows. */
function othersRan(self: Value): void {
  if (!(self instanceof Item) || !self.type) return;
  for (const [name, value] of self.parts) {
    if (value instanceof Port && value.end && !self.fixed?.has(name)) self.parts.delete(name);
  }
}
