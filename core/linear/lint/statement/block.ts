import { awaited } from "../expression/awaiting.ts";
import { inside, isThere } from "../expression/look.ts";
import { consume, isMisplaced } from "../path/misuse.ts";
import { spread } from "../path/reach.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Closed, Thrown } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import {
  Func,
  Future,
  isLinear,
  Item,
  List,
  Look,
  Native,
  Port,
  Table,
  type Value,
} from "../path/value.ts";
import type { ts } from "../program/compiler.ts";
import type { Outcome } from "./statement.ts";

/** Ends a block: what `using` declares is closed, and what names hold goes out of sight. */
export function* leave(
  run: Run,
  scope: Scope,
  { node, place }: { readonly node: ts.Node; readonly place: ts.Node },
): Steps<void> {
  for (const { value, node: name, waits } of scope.disposed?.toReversed() ?? []) {
    yield* dispose(value, { node: name, scope });
    if (waits && value instanceof Item) yield* awaited(run, undefined, { node: name, scope });
  }
  for (const [name, { value }] of scope.variables) {
    const isOpen = isLinear(value) && !(value instanceof Port && value.end);
    if (!isOpen || scope.borrowed?.has(name)) continue;
    const isHere = node.getSourceFile() === place.getSourceFile();
    value.left = { node: isHere ? node : place, isOverwritten: false };
  }
}

/** What a generator loses whose consumer breaks off is its consumer's, too. */
function noteClosed({ variables }: Scope): void {
  for (const { value } of variables.values()) if (isLinear(value)) value.isShared = true;
}

/** What `using` does at the end of its block. */
export function* dispose(value: Value, site: Site, by = "`using`"): Steps<void> {
  const { run } = site.scope;
  const kind = by === "`using`" ? "using" : "consumed";
  if (value instanceof Port) {
    if (value.end) return;
    consume(value, { by, kind }, site);
    const { self, calledFrom } = site.scope.frame;
    const isOutside = value.keptAt && spread([self, calledFrom?.scope]).has(value);
    if (isOutside) isMisplaced(run, value, site);
  } else if (value instanceof Look) {
    // Whatever is in it is closed, and nobody has looked.
    if (value.truth === undefined) value.port ??= inside(run, value);
    const isOpen = value.truth === undefined || isThere(run, value);
    if (isOpen && value.port && !value.port.end) consume(value.port, { by, kind }, site);
  } else if (value instanceof Item || value instanceof Table || value instanceof List) {
    const names = ["Symbol.dispose", "Symbol.asyncDispose"];
    for (const name of names) {
      const work = yield* run.interpreter.member(value, name, site);
      if (!(work instanceof Func || work instanceof Native)) continue;
      const result = yield* run.interpreter.call(work, [], { ...site, isInner: true, self: value });
      if (result instanceof Future) yield* awaited(run, result, site);
      return;
    }
  }
}

/** Runs something in a block of its own, and closes what the block ends. */
export function* within(
  node: ts.Node,
  scope: Scope,
  work: (inner: Scope) => Steps<Outcome>,
): Steps<Outcome> {
  const { run } = scope;
  const inner = new Scope(scope);
  let outcome: Outcome;
  let error: Thrown | Closed | undefined;
  try {
    outcome = yield* work(inner);
  } catch (caught) {
    if (!(caught instanceof Thrown || caught instanceof Closed)) throw caught;
    error = caught;
  }
  scope.frame.scope = inner;
  const thrownAt = error instanceof Thrown && error.from?.frame === scope.frame
    ? error.from.node
    : undefined;
  if (inner.variables.size > 0) {
    yield* leave(run, inner, { node: outcome?.node ?? thrownAt ?? node, place: node });
  }
  scope.frame.scope = scope;
  if (error instanceof Closed) noteClosed(inner);
  if (error) throw error;
  return outcome;
}
