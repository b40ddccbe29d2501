import { ts } from "../program/compiler.ts";
import { Run } from "./run.ts";
import { Scope } from "./scope.ts";
import {
  Cursor,
  Func,
  Future,
  isThing,
  Item,
  List,
  Look,
  Native,
  Table,
  Unknown,
  type Value,
} from "./value.ts";

/** What an exception of code from elsewhere has made unreachable is nobody's fault. */
export function excuse(run: Run, scope: Scope): void {
  const seen = reachable(run, [scope]);
  for (const one of run.linear) if (!seen.has(one)) one.isOwned = false;
}

/** What is lost when the program throws is not lost by that. */
export function noteGone(run: Run, scope: Scope): void {
  const seen = reachable(run, [scope]);
  for (const one of run.linear) if (!seen.has(one)) one.isGone = true;
}

/** Everything that code can still come to, from some values and blocks on, and from what waits. */
export function reachable(run: Run, from: Iterable<Value | Scope>): ReadonlySet<unknown> {
  return spread([
    ...from,
    ...run.escaped,
    ...run.intervals,
    ...[...run.listeners].map(({ work }) => work),
    ...run.tasks.flatMap(({ holds }) => holds),
    ...[...run.suspended].map(({ scope }) => scope),
    ...run.isLater ? run.modules.values() : [],
  ]);
}

/** Everything that can be come to from some values and blocks on. */
export function spread(from: Iterable<Value | Scope>): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const waiting = [...from];
  for (let one = waiting.pop(); waiting.length > 0 || isHolder(one); one = waiting.pop()) {
    if (!isHolder(one) || seen.has(one)) continue;
    seen.add(one);
    waiting.push(...heldBy(one));
  }
  return seen;
}

function isHolder(one: Value | Scope): one is Exclude<Value | Scope, string | number | undefined> {
  return one instanceof Scope || isThing(one);
}

function heldBy(one: unknown): Iterable<Value | Scope> {
  if (one instanceof Scope) {
    const { calledFrom, self } = one.frame;
    const values = [...one.variables.values()].map(({ value }) => value);
    return [
      ...values,
      self,
      ...one.around ? [one.around] : [],
      ...calledFrom ? [calledFrom.scope] : [],
    ];
  }
  if (one instanceof Func) return heldByFunc(one);
  if (one instanceof List) return [...one.items, ...one.found.values()];
  if (one instanceof Table) return [...one.entries.keys(), ...one.entries.values()];
  if (one instanceof Item) {
    const accessors = [...one.accessors.values()].flatMap(({ get, set }) => [get, set]);
    return [...one.parts.values(), ...accessors, one.base, one.made?.methods];
  }
  if (one instanceof Unknown || one instanceof Native) return one.held;
  if (one instanceof Future) return [one.value, one.error?.value];
  if (one instanceof Cursor) return one.holds();
  return one instanceof Look ? [one.port] : [];
}

function* heldByFunc({ node, scope, self }: Func): Iterable<Value> {
  yield self;
  yield scope.frame.self;
  for (const name of namesIn(node)) yield scope.find(name)?.value;
}

const names = new WeakMap<ts.Node, ReadonlySet<string>>();

/** The names that stand in a function and come from outside of it. */
export function namesIn(node: ts.Node): ReadonlySet<string> {
  const known = names.get(node);
  if (known) return known;
  const found = new Set<string>();
  const visit = (one: ts.Node): void => {
    if (one !== node && ts.isFunctionLike(one)) {
      for (const name of namesIn(one)) found.add(name);
      return;
    }
    if (ts.isIdentifier(one)) found.add(one.text);
    if (ts.isTypeNode(one) && !ts.isExpressionWithTypeArguments(one)) return;
    if (ts.isPropertyAccessExpression(one)) visit(one.expression);
    else ts.forEachChild(one, visit);
  };
  visit(node);
  if (ts.isFunctionLike(node)) { for (const name of ownNames(node)) found.delete(name); }
  names.set(node, found);
  return found;
}

/** The names that a function has everywhere in it: those of inner blocks may be others outside. */
function* ownNames(node: ts.SignatureDeclaration): Iterable<string> {
  const body = "body" in node ? node.body : undefined;
  const statements: readonly ts.Statement[] = body && ts.isBlock(body) ? body.statements : [];
  const declarations = statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  for (const { name } of [...node.parameters ?? [], ...declarations]) yield* namesOf(name);
}

function* namesOf(name: ts.BindingName): Iterable<string> {
  if (ts.isIdentifier(name)) return yield name.text;
  for (const one of name.elements) if (ts.isBindingElement(one)) yield* namesOf(one.name);
}

/** What lies in the lists and tables of an object, at any depth. */
export function* heldIn(value: Value, isListed = false, depth = 0): Iterable<Value> {
  if (isListed) yield value;
  if (depth > 5) return;
  const parts = value instanceof List
    ? value.items
    : value instanceof Table
    ? value.entries.values()
    : value instanceof Item
    ? value.parts.values()
    : [];
  const isWithin = isListed || value instanceof List || value instanceof Table;
  for (const one of parts) yield* heldIn(one, isWithin, depth + 1);
}
