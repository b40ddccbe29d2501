import { namesIn } from "../path/reach.ts";
import { foreignCall } from "../foreign/foreign.ts";
import { letGo } from "../foreign/handover.ts";
import { kept, placeOf } from "../path/misuse.ts";
import { hasBodies, hasPorts } from "../path/module.ts";
import { bind } from "../path/pattern.ts";
import { type Request, Run, type Site, type Steps } from "../path/run.ts";
import { Abandoned, Closed } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import {
  Cursor,
  Func,
  isLinear,
  Item,
  List,
  Native,
  type Turn,
  Unknown,
  type Value,
} from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { within } from "./block.ts";
import { executeAll, type Outcome } from "./statement.ts";

/** Functions in functions that are followed. */
const DEPTH_MAX = 24;
/** How much a function of a module without ports may do. */
const GUEST_STEPS_MAX = 500;

/** Calls something. */
export function* call(
  callee: Value,
  args: readonly Value[],
  { self, ...site }: Site,
): Steps<Value> {
  const { run } = site.scope;
  if (callee instanceof Native) return yield* callee.run(run, args, site, self);
  if (callee === undefined || callee === null) throw new Abandoned(true);
  if (!(callee instanceof Func)) return yield* foreignCall(args, site, callee);
  if (!callee.node.body || !isFollowed(run, callee.node)) {
    return yield* foreignCall(args, site, callee);
  }
  if (site.scope.frame.depth > DEPTH_MAX) {
    for (const one of args) letGo(run, one);
    return new Unknown(() => run.file.typeAt(site.node));
  }
  return yield* runBody(callee, args, { site, self: self ?? callee.self });
}

/** Whether a function is followed: not one of the library, nor one that does too much. */
function isFollowed(run: Run, node: ts.Node): boolean {
  return hasBodies(run, node.getSourceFile()) && !run.known.heavy.has(node);
}

/** Runs the body of a function, now or when its generator is asked. */
export function* runBody(
  func: Func,
  args: readonly Value[],
  { site, self }: { readonly site: Site; readonly self: Value },
): Steps<Value> {
  const { run } = site.scope;
  const { node } = func;
  run.known.visited.add(node);
  run.ran.add(node);
  const { frame: around } = site.scope;
  const frame = {
    run,
    self: ts.isArrowFunction(node) ? func.scope.frame.self : self,
    func,
    calledFrom: site,
    depth: around.depth + 1,
    calledStep: run.stepCount,
    guards: around.guards > 0 ? 1 : 0,
  };
  const scope = new Scope(func.scope, frame);
  const caller = around.scope;
  const isAsync =
    (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Async) !== 0;
  const body = bodyOf(run, func, args, scope);
  if ("asteriskToken" in node && node.asteriskToken) {
    return generatorOf(body, { scope, isAsync });
  }
  const { guest } = run;
  if (!guest && !hasPorts(run, node.getSourceFile())) {
    run.guest = { node, stepsEnd: run.stepCount + GUEST_STEPS_MAX };
  }
  const result = isAsync ? scope.frame.promise = run.start(body) : yield* body;
  run.guest = guest;
  around.scope = caller;
  return result;
}

function* bodyOf(run: Run, { node }: Func, args: readonly Value[], scope: Scope): Steps<Value> {
  const outcome = yield* within(node.body!, scope, (inner) => bodyIn(node, args, inner));
  const result = outcome?.kind === "return" ? outcome.value : undefined;
  handBack(run, result, scope);
  return result;
}

function* bodyIn(node: Func["node"], args: readonly Value[], scope: Scope): Steps<Outcome> {
  const { run } = scope;
  yield* bindAll(run, node.parameters, args, scope);
  if (!ts.isArrowFunction(node) && namesIn(node).has("arguments")) {
    scope.variables.set("arguments", { value: new List([...args]), node: undefined });
  }
  const { body } = node;
  if (body && ts.isBlock(body)) return yield* executeAll(run, body.statements, scope);
  const value = body && (yield* run.interpreter.evaluate(run, body, scope));
  if (body) kept(value, body);
  return { kind: "return", value, node: body ?? node };
}

/** What a function gives is from now on what its call has made. */
function handBack(run: Run, value: Value, { frame: { calledFrom } }: Scope): void {
  if (!isLinear(value) || !calledFrom || calledFrom.isInner) return;
  value.madeAt = placeOf(run, calledFrom) ?? value.madeAt;
  value.madeIn = calledFrom.node.getSourceFile();
  delete value.name;
  delete value.left;
}

/** Gives parameters what a call brings. */
function* bindAll(
  run: Run,
  parameters: readonly ts.ParameterDeclaration[],
  args: readonly Value[],
  scope: Scope,
): Steps<void> {
  const own = (parameters ?? []).filter(({ name }) => s.nameOf(name) !== "this");
  for (const [index, parameter] of own.entries()) {
    const { name, initializer, dotDotDotToken } = parameter;
    const given = dotDotDotToken ? new List(args.slice(index)) : args[index];
    const value = given === undefined && initializer
      ? yield* run.interpreter.evaluate(run, initializer, scope)
      : given;
    const before = isLinear(value) ? value.name : undefined;
    yield* bind(name, value, { node: name, scope });
    if (isLinear(value) && !isTaking(run, parameter) && scope.frame.calledFrom?.isInner !== true) {
      scope.borrowed = (scope.borrowed ?? new Set()).add(s.nameOf(name));
      if (before) value.name = before;
      else delete value.name;
    }
    if (ts.isParameterPropertyDeclaration(parameter, parameter.parent)) {
      const { self } = scope.frame;
      if (self instanceof Item) self.parts.set(s.nameOf(name), value);
      kept(value, name);
    }
  }
}

/** Whether a parameter says that it takes a port. */
function isTaking(
  { file: { reader, checker } }: Run,
  { type, name }: ts.ParameterDeclaration,
): boolean {
  return type !== undefined && reader.kindOf(checker.getTypeAtLocation(name)) !== undefined;
}

/** A generator that runs when it is asked. */
function generatorOf(
  body: Steps<Value>,
  { scope, isAsync }: { readonly scope: Scope; readonly isAsync: boolean },
): Cursor {
  let isOver = false;
  const go = (resume: () => IteratorResult<Request, Value>) =>
    advance(body, resume, () => isOver = true);
  return new Cursor((sent) => go(() => body.next(sent)), {
    close: () => left(go(() => body.throw(new Closed()))),
    raise: (error) => go(() => body.throw(error)),
    isAsync,
    holds: () => isOver ? [] : [scope.frame.scope],
  });
}

/** Runs a generator to its next `yield`, or to its end. */
function* advance(
  body: Steps<Value>,
  resume: () => IteratorResult<Request, Value>,
  end: () => void,
): Steps<Turn> {
  try {
    let answer = resume();
    while (!answer.done && "awaited" in answer.value) {
      const request: Request = answer.value;
      let value: Value;
      try {
        value = yield request;
      } catch (error) {
        answer = body.throw(error);
        continue;
      }
      answer = body.next(value);
    }
    if (!answer.done) return { isDone: false, value: (answer.value as { yielded: Value }).yielded };
    end();
    return { isDone: true, value: answer.value };
  } catch (error) {
    end();
    throw error;
  }
}

/** Goes through what a generator does that is left early. */
function* left(steps: Steps<Turn>): Steps<void> {
  try {
    yield* steps;
  } catch (error) {
    if (!(error instanceof Closed)) throw error;
  }
}
