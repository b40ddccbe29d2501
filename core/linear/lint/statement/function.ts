import {
  callProcedure,
  type Demand,
  DROP,
  ESCAPE,
  type Flow,
  KEEP,
  LOOK,
  RETURN,
} from "../flow/flow.ts";
import { ts } from "../program/compiler.ts";
import type { Binding, KnownInput, LocalFunction } from "../syntax/binding.ts";
import { placeOf } from "../flow/place.ts";
import * as s from "../syntax/syntax.ts";
import { isListenerName } from "../syntax/vocabulary.ts";
import { isLinearType, type Schedule, type Type } from "../types/value_type.ts";
import type { Procedure } from "../flow/graph.ts";
import { isCalledForNothing, servesCalls, treatmentOf } from "../types/callback.ts";

/** Follows a block in a scope of its own. */
export function followBlock(flow: Flow, block: ts.Block | ts.ModuleBlock): void {
  flow.withNames(block, () => flow.followStatements(block.statements));
}

/** The parameters of a function get what its callers give. */
function declareInputs(flow: Flow, local: LocalFunction): void {
  for (const [index, { name, initializer }] of s.parametersOf(local.node).entries()) {
    if (initializer) flow.follow(initializer, ESCAPE);
    followDefaults(flow, name);
    for (const id of s.boundIdentifiers(name)) {
      const binding = flow.scope.bindings.get(id);
      if (!binding) continue;
      const known = local.inputs[index];
      binding.isGiven = known?.isGiven === true || (index === 0 && mayRefuse(flow, local));
      declareInput(flow, binding, { known, local });
    }
  }
}

function declareInput(
  flow: Flow,
  binding: Binding,
  { known, local }: { readonly known: KnownInput | undefined; readonly local: LocalFunction },
): void {
  const { node } = binding;
  const type = flow.types.ofBinding(binding);
  binding.isLent = treatmentOf(flow.types.file, local.node) === "lends";
  binding.isReference = known?.isReference === true && known.type.kind === type?.kind &&
    !isLinearType(flow.types.valueAt(node));
  if (!isLinearType(type) || binding.isReference) return;
  const isLoan = type.isLoan || s.isGuard(local.node);
  flow.emit("define", binding, { node, isLoan, isNullable: type.isNullable });
}

/**
 * Whether what a function throws refuses a call: it is a handler, or looks like one, in a file that
 * calls nobody or in a table of functions of a file that registers handlers.
 */
function mayRefuse(flow: Flow, { node, isHandler, isStored }: LocalFunction): boolean {
  if (isHandler) return true;
  const [input, ...others] = s.parametersOf(node);
  if (!input || others.length > 0 || isSent(flow, input.name)) return false;
  const isClient = ["open", "openAsync", "tryOpen"].some((one) => flow.words.has(one));
  return !isClient || (isStored && flow.words.has("operatePort"));
}

/** Whether an annotation says that the packet is the other side's: a handler gets its own. */
function isSent(flow: Flow, input: ts.Node): boolean {
  const type = flow.types.file.typeAt(input);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((one) => one.symbol?.name === "SentPort");
}

/** The default values inside a pattern. */
export function followDefaults(flow: Flow, pattern: ts.Node): void {
  for (const { target, otherwise } of s.partsOf(pattern)) {
    if (otherwise) flow.follow(otherwise, ESCAPE);
    followDefaults(flow, target);
  }
}

/** The graph of a function's body, which is built when everything that runs before was. */
export function procedureOf(flow: Flow, local: LocalFunction): Procedure {
  if (!local.procedure) {
    local.procedure = flow.newProcedure(local.node, isAsync(local.node));
    flow.waiting.add(local);
  }
  return local.procedure;
}

function isAsync(node: ts.Node): boolean {
  return (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Async) !== 0;
}

/** Builds the bodies of functions, and again those of which more became known. */
export function buildFunctions(flow: Flow): void {
  for (const local of flow.waiting) {
    flow.waiting.delete(local); // a Set visits an element again that is added again
    buildFunction(flow, local, procedureOf(flow, local));
  }
}

function buildFunction(flow: Flow, local: LocalFunction, procedure: Procedure): void {
  procedure.reset();
  local.isHandler ||= servesCalls(flow.types, local);
  procedure.isHandler = local.isHandler;
  flow.inProcedure(procedure, local.scope.parent ?? local.scope, () => {
    flow.within({ kind: "function", returnTo: procedure.exit, local }, () => {
      flow.withNames(local.node, () => followInside(flow, local));
    });
    flow.block.next.push(procedure.exit);
  });
}

function followInside(flow: Flow, local: LocalFunction): void {
  declareInputs(flow, local);
  const { body } = local.node;
  if (ts.isBlock(body)) flow.followStatements(body.statements);
  else followResult(flow, body, local);
}

/** The value that a function gives back. */
export function followResult(
  flow: Flow,
  value: ts.Node,
  local: LocalFunction | undefined,
): void {
  const demand = resultDemand(flow, local);
  const place = demand === RETURN ? placeOf(flow, value) : undefined;
  // A variable from outside goes on holding what is returned from it.
  const isShared = place && !place.binding.isFixed && !flow.procedure.owns(place.binding);
  flow.follow(value, isShared ? ESCAPE : demand);
}

/** What becomes of the value that a function returns. */
function resultDemand(flow: Flow, local: LocalFunction | undefined): Demand {
  if (!local || s.isGenerator(local.node)) return ESCAPE;
  const isDropped = local.isHandler || local.dropsResult ||
    local.node.type?.kind === ts.SyntaxKind.VoidKeyword || isCalledForNothing(flow.types, local);
  return isDropped ? DROP : RETURN;
}

/** A function is made: from here on it may run at any time, if somebody has it. */
export function followFunction(flow: Flow, local: LocalFunction): void {
  const isKnown = local.procedure !== undefined;
  const procedure = procedureOf(flow, local);
  if (isKnown) flow.waiting.add(local); // the code around it is built again
  flow.emitProcedure("create", procedure);
}

/** A function goes to code that runs it on a schedule. */
export function handOver(flow: Flow, local: LocalFunction, schedule: Schedule): void {
  const procedure = procedureOf(flow, local);
  if (["later", "kept", "listed", "watched"].includes(schedule)) {
    return flow.emitProcedure("scheduled", procedure, { isKept: true, schedule });
  }
  if (schedule === "unknown" || s.isGenerator(local.node)) {
    return flow.emitProcedure("later", procedure);
  }
  if (schedule === "once") return callProcedure(flow, procedure);
  if (schedule === "ever") return runForEver(flow, procedure);
  const round = flow.newBlock();
  const after = flow.newBlock();
  flow.continueIn(round);
  round.next.push(after);
  flow.continueIn(flow.newBlock());
  callProcedure(flow, procedure);
  flow.block.next.push(round);
  flow.block = after;
}

/** Beside the path that goes on here, another one runs the procedure and never comes back. */
function runForEver(flow: Flow, procedure: Procedure): void {
  const round = flow.newBlock();
  const after = flow.newBlock();
  flow.block.next.push(round, after);
  flow.block = round;
  flow.within({ kind: "catch", entry: flow.newBlock() }, () => callProcedure(flow, procedure));
  flow.block.next.push(round);
  flow.block = after;
  flow.emitProcedure("later", procedure);
}

/** Somebody gets a function or a class, and may run what is in it. */
export function handOn(flow: Flow, type: Type | undefined, isKept = false): void {
  if (type?.kind === "function") {
    return flow.emitProcedure("later", procedureOf(flow, type.local), { isKept });
  }
  if (type?.kind !== "class") return;
  for (const local of type.functions()) handOver(flow, local, "unknown");
}

/** Follows the methods and initialisers of a class. */
export function followClass(flow: Flow, node: ts.ClassLikeDeclaration): void {
  const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  if (base?.types[0]) flow.follow(base.types[0].expression, LOOK);
  followDecorators(flow, node);
  for (const member of node.members) followMember(flow, member);
}

function followMember(flow: Flow, member: ts.ClassElement): void {
  followDecorators(flow, member);
  if (ts.isClassStaticBlockDeclaration(member)) return followBlock(flow, member.body);
  const value = ts.isPropertyDeclaration(member) ? member.initializer : member;
  const node = value && s.bare(value);
  if (node && s.isFunction(node)) followFunction(flow, flow.types.functionAt(node));
  else if (value && value !== member) flow.follow(value, ESCAPE);
}

function followDecorators(flow: Flow, node: ts.Node): void {
  const decorators = ts.canHaveDecorators(node) ? ts.getDecorators(node) ?? [] : [];
  for (const { expression } of decorators) flow.follow(expression, ESCAPE);
}

/** What is said to be `never` tells that no run comes here. */
export function followCast(flow: Flow, expression: ts.Node, demand: Demand): void {
  const cast = s.plain(expression);
  const isNever = s.isCast(cast) && cast.type.kind === ts.SyntaxKind.NeverKeyword;
  if (isNever && isImpossible(cast, demand)) flow.stop();
}

/**
 * Whether `never` says that no run comes here. The compiler sees to it that it is so of `satisfies`;
 * `as never`, where somebody goes on with the value, only makes a value fit.
 */
function isImpossible(cast: ts.Node, { act, by }: Demand): boolean {
  return ts.isSatisfiesExpression(cast) || act === "drop" || by === "return";
}

/** `button.onclick = () => ...`: what a listener returns is nobody's. */
export function followListener(flow: Flow, name: string, value: ts.Node): void {
  const node = s.bare(value);
  if (isListenerName(name) && s.isFunction(node)) {
    flow.types.teachUse(flow.types.functionAt(node), "dropsResult");
  }
  flow.follow(value, KEEP);
}
