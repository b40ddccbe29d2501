import { construct } from "../expression/class.ts";
import { inputsOf, letGo } from "../foreign/handover.ts";
import { exhausted } from "../library/iteration.ts";
import { declared } from "../path/module.ts";
import { heldIn, spread } from "../path/reach.ts";
import { ts } from "../program/compiler.ts";
import { Run, type Steps } from "../path/run.ts";
import type { Scope } from "../path/scope.ts";
import { Func, isLinear, Item, List, Port, Table, type Value } from "../path/value.ts";
import * as s from "../syntax/syntax.ts";

/** How many methods are called, one after the other. */
export const CALLS_MAX = 3;

/** Names of methods that end something: what comes after them is the affair of whoever calls. */
const LAST =
  /^(?:abort|cancel|clear|close|commit|complete|destroy|dispose|drain|end|finish|flush|reset|shut|stop)/i;

/**
 * Makes an object of a class, and calls some of its methods, as somebody else would.
 *
 * @returns what they were called with
 */
export function useObject(run: Run, node: ts.ClassLikeDeclaration): readonly Value[] {
  const methods = methodsOf(node);
  if (methods.length === 0) return [];
  run.isAnyNumber = true;
  const made = run.start(makeObject(run, node));
  run.drain();
  const self = made.value;
  if (!(self instanceof Item)) return [];
  const given: Value[] = [];
  while (run.round < CALLS_MAX) {
    const way = run.choose(methods.length + (run.round > 0 ? 1 : 0));
    const method = methods[way];
    if (!method) break;
    run.round++;
    const name = s.nameOf(method.name);
    const call = run.start(callMethod(run, self, { name, node, given }));
    run.pause();
    if (call.error || !isHolding(run, [self])) break;
    noteStale(run, method, [self]);
  }
  return given;
}

/** What anybody may call who has an object of a class. */
export function methodsOf({ members }: ts.ClassLikeDeclaration): readonly ts.MethodDeclaration[] {
  return members.filter(ts.isMethodDeclaration).filter(isPublic);
}

function* makeObject(run: Run, node: ts.ClassLikeDeclaration): Steps<Value> {
  const site = { node, scope: run.moduleOf(run.file.source), isInner: true };
  const maker = node.members.find((one) => ts.isConstructorDeclaration(one) && one.body);
  const made = yield* declared(run, node, site);
  if (!(made instanceof Item)) return undefined;
  const func = maker && new Func(maker as Func["node"], site.scope);
  const inputs = func ? yield* inputsOf(run, func, { site, isOwned: true }) : [];
  const self = yield* construct(made, inputs, site);
  run.escaped.add(self);
  return self;
}

function* callMethod(
  run: Run,
  self: Item,
  { name, node, given }: {
    readonly name: string;
    readonly node: ts.Node;
    readonly given: Value[];
  },
): Steps<Value> {
  const site = { node, scope: run.moduleOf(run.file.source), isInner: true };
  const method = yield* run.interpreter.member(self, name, site);
  if (!(method instanceof Func)) return undefined;
  const inputs = yield* inputsOf(run, method, { site, isOwned: true });
  for (const one of inputs) if (!isLinear(one)) letGo(run, one);
  given.push(...inputs);
  const result = yield* run.interpreter.call(method, inputs, { ...site, self });
  run.escaped.add(yield* exhausted(run, result));
  return undefined;
}

/** Whether an object has ports, or something is still to happen. */
export function isHolding(run: Run, from: Iterable<Value | Scope>): boolean {
  if (run.intervals.size > 0 || run.listeners.size > 0 || run.tasks.length > 0) return true;
  const held = spread(from);
  return run.linear.some((one) => held.has(one));
}

/** What keeps in a list what it has consumed will come to it again, unless that was its end. */
export function noteStale(
  run: Run,
  called: Func["node"],
  from: Iterable<Value | Scope>,
): void {
  const isLast = LAST.test(s.nameOf(ts.getNameOfDeclaration(called)));
  if (isLast && called.parameters.length === 0) return; // one that is told what ends only that
  const listed = new Set<unknown>();
  for (const one of spread(from)) {
    if (!(one instanceof List || one instanceof Table)) continue;
    for (const held of heldIn(one)) listed.add(held);
  }
  for (const one of run.linear) {
    if (one instanceof Port && one.end?.round === run.round && listed.has(one)) {
      one.end = { ...one.end, round: 0 };
    }
  }
}

/** Whether anybody may call a method. */
function isPublic(member: ts.ClassElement): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static;
  return (ts.getCombinedModifierFlags(member) & hidden) === 0 &&
    member.name !== undefined && ts.isIdentifier(member.name);
}
