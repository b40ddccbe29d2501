import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { fill } from "./making.ts";
import { Run, type Site, type Steps } from "./run.ts";
import { Abandoned } from "./thrown.ts";
import type { Scope } from "./scope.ts";
import { isLinear, Item, List, Unknown, type Value } from "./value.ts";

/** Gives the names of a declaration their values. */
export function* bind(target: ts.BindingName, value: Value, site: Site): Steps<void> {
  const { run } = site.scope;
  if (ts.isIdentifier(target)) {
    site.scope.variables.set(target.text, { value, node: target });
    named(value, target, run.file.source);
    return;
  }
  if (value === undefined || value === null) throw new Abandoned(true);
  const taken: string[] = [];
  const { elements } = target;
  const isArray = ts.isArrayBindingPattern(target);
  const whole = isArray ? yield* listed(value, elements.length, site) : value;
  for (const [index, element] of elements.entries()) {
    if (!ts.isBindingElement(element)) continue;
    const key = isArray
      ? index
      : yield* keyOf(run, element.propertyName ?? element.name, site.scope);
    taken.push(String(key));
    const part = element.dotDotDotToken
      ? rest(whole, isArray ? index : taken)
      : yield* partOf(whole, key, { node: element.name, scope: site.scope });
    const given = part === undefined && element.initializer
      ? yield* run.interpreter.evaluate(run, element.initializer, site.scope)
      : part;
    yield* bind(element.name, given, site);
  }
}

/** Notes the first name of what must be consumed. */
export function named(value: Value, name: ts.Node, source: ts.SourceFile): void {
  if (!isLinear(value) || !ts.isIdentifier(name)) return;
  const isHere = (one: ts.Node | undefined) => one?.getSourceFile() === source;
  if (!value.name || (!isHere(value.name) && isHere(name))) value.name = name;
}

/** A part of what is taken apart. */
export function* partOf(whole: Value, key: string | number, site: Site): Steps<Value> {
  const { run } = site.scope;
  if (typeof key === "string") {
    return yield* run.interpreter.member(whole, key, { ...site, isPattern: true });
  }
  if (whole instanceof List) return (yield* fill(run, whole, site))[key];
  return yield* run.interpreter.member(whole, `${key}`, site);
}

/** What a pattern takes of an iterator, which ends with that. */
export function* listed(value: Value, count: number, site: Site): Steps<Value> {
  const { run } = site.scope;
  if (value instanceof List || value instanceof Unknown) return value;
  const cursor = yield* run.interpreter.iterate(value, site);
  const items: Value[] = [];
  while (items.length < count) {
    const turn = yield* cursor.next(undefined);
    if (turn.isDone) return new List(items);
    items.push(turn.value);
  }
  yield* cursor.close();
  return new List(items);
}

/** What is left of a whole. */
export function rest(whole: Value, taken: number | readonly string[]): Value {
  if (typeof taken === "number") {
    return whole instanceof List ? new List(whole.items.slice(taken), whole.filling) : new List();
  }
  const item = new Item();
  if (whole instanceof Item) {
    for (const [key, value] of whole.parts) if (!taken.includes(key)) item.parts.set(key, value);
  }
  return item;
}

/** The name of a property, where it is declared. */
export function* keyOf(run: Run, name: ts.Node, scope: Scope): Steps<string> {
  if (!ts.isComputedPropertyName(name)) return s.keyName(name);
  return run.keyOf(yield* run.interpreter.evaluate(run, name.expression, scope));
}

/** The name of a property, where it is used. */
export function* partKey(run: Run, node: s.Access, scope: Scope): Steps<string | Unknown> {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  const key = yield* run.interpreter.evaluate(run, node.argumentExpression, scope);
  return key instanceof Unknown ? key : run.keyOf(key);
}
