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
import * as s from "../syntax/syntax.ts";
import { isListenerName } from "../syntax/vocabulary.ts";
import { isLinearType, type Schedule, type Type } from "../types/value_type.ts";
import type { Procedure } from "../flow/graph.ts";
import { isCalledForNothing, servesCalls, treatmentAt } from "../types/callback.ts";

/** Follows a block in a scope of its own. */
export function followBlock(flow: Flow, block: s.SyntaxNode): void {
  const scope = flow.types.blockScope(block, flow.scope);
  flow.withScope(scope, () => flow.followStatements(s.children(block, "body")), block);
}

/** The parameters of a function get what its callers give. */
function declareInputs(flow: Flow, local: s.LocalFunction): void {
  for (const [index, pattern] of s.parametersOf(local.node).entries()) {
    followDefaults(flow, pattern);
    for (const id of s.boundIdentifiers(pattern)) {
      const binding = flow.scope.bindings.get(s.word(id, "name"));
      if (!binding) continue;
      const known = local.inputs[index];
      binding.isGiven = known?.isGiven === true || (index === 0 && mayRefuse(flow, local));
      declareInput(flow, binding, { known, local });
    }
  }
}

function declareInput(
  flow: Flow,
  binding: s.Binding,
  { known, local }: { readonly known: s.KnownInput | undefined; readonly local: s.LocalFunction },
): void {
  const { node } = binding;
  const type = flow.types.ofBinding(binding);
  binding.isLent = treatmentAt(flow.types.file, local.node) === "lends";
  binding.isReference = known?.isReference === true && known.type.kind === type?.kind &&
    !isLinearType(flow.types.declaredType(binding));
  if (!isLinearType(type) || binding.isReference) return;
  const isLoan = type.isLoan || s.returnType(local.node) === "TSTypePredicate";
  flow.emit("define", binding, { node, isLoan, isNullable: type.isNullable });
}

/**
 * Whether what a function throws refuses a call: it is a handler, or looks like one, in a file that
 * calls nobody or in a table of functions of a file that registers handlers.
 */
function mayRefuse(flow: Flow, { node, isHandler, isStored }: s.LocalFunction): boolean {
  if (isHandler) return true;
  const [input, ...others] = s.parametersOf(node);
  if (!input || others.length > 0 || isSent(flow, input)) return false;
  const isClient = ["open", "openAsync", "tryOpen"].some((one) => flow.words.has(one));
  return !isClient || (isStored && flow.words.has("operatePort"));
}

/** Whether an annotation says that the packet is the other side's: a handler gets its own. */
function isSent(flow: Flow, input: s.SyntaxNode): boolean {
  const type = flow.types.file.typeAt(input);
  const parts = type?.isUnion() ? type.types : [type];
  return parts.some((one) => one?.symbol?.name === "SentPort");
}

/** The default values inside a pattern. */
export function followDefaults(flow: Flow, pattern: s.SyntaxNode): void {
  if (pattern.type === "Identifier") return;
  const otherwise = pattern.type === "AssignmentPattern" ? s.child(pattern, "right") : undefined;
  if (otherwise) flow.follow(otherwise, ESCAPE);
  const inner = s.child(pattern, "left") ?? s.child(pattern, "parameter") ??
    s.child(pattern, "argument");
  if (inner) followDefaults(flow, inner);
  for (const one of [...s.children(pattern, "properties"), ...s.children(pattern, "elements")]) {
    followDefaults(flow, s.child(one, "value") ?? one);
  }
}

/** The graph of a function's body, which is built when everything that runs before was. */
export function procedureOf(flow: Flow, local: s.LocalFunction): Procedure {
  if (!local.procedure) {
    local.procedure = flow.newProcedure(local.node, s.flag(local.node, "async"));
    flow.waiting.add(local);
  }
  return local.procedure;
}

/** Builds the bodies of functions, and again those of which more became known. */
export function buildFunctions(flow: Flow): void {
  for (const local of flow.waiting) {
    flow.waiting.delete(local); // a Set visits an element again that is added again
    buildFunction(flow, local, procedureOf(flow, local));
  }
}

function buildFunction(flow: Flow, local: s.LocalFunction, procedure: Procedure): void {
  procedure.reset();
  local.isHandler ||= servesCalls(flow.types, local);
  procedure.isHandler = local.isHandler;
  flow.inProcedure(procedure, local.scope, () => {
    flow.within({ kind: "function", returnTo: procedure.exit, local }, () => {
      flow.withScope(local.ownScope, () => followInside(flow, local), local.node);
    });
    flow.block.next.push(procedure.exit);
  });
}

function followInside(flow: Flow, local: s.LocalFunction): void {
  declareInputs(flow, local);
  const body = s.child(local.node, "body");
  if (body?.type === "BlockStatement") flow.followStatements(s.children(body, "body"));
  else if (body) followResult(flow, body, local);
}

/** The value that a function gives back. */
export function followResult(
  flow: Flow,
  value: s.SyntaxNode,
  local: s.LocalFunction | undefined,
): void {
  flow.follow(value, resultDemand(flow, local));
}

/** What becomes of the value that a function returns. */
function resultDemand(flow: Flow, local: s.LocalFunction | undefined): Demand {
  if (!local || s.flag(local.node, "generator")) return ESCAPE;
  const isDropped = local.isHandler || local.dropsResult ||
    s.returnType(local.node) === "TSVoidKeyword" || isCalledForNothing(flow.types, local);
  return isDropped ? DROP : RETURN;
}

/** A function is made: from here on it may run at any time, if somebody has it. */
export function followFunction(flow: Flow, local: s.LocalFunction): void {
  const isKnown = local.procedure !== undefined;
  const procedure = procedureOf(flow, local);
  if (isKnown) flow.waiting.add(local); // the code around it is built again
  flow.emitProcedure("create", procedure);
}

/** A function goes to code that runs it on a schedule. */
export function handOver(flow: Flow, local: s.LocalFunction, schedule: Schedule): void {
  const procedure = procedureOf(flow, local);
  if (schedule === "later" || schedule === "kept" || schedule === "listed") {
    const isListed = schedule === "listed";
    return flow.emitProcedure("scheduled", procedure, { isKept: true, isListed });
  }
  if (schedule === "unknown" || s.flag(local.node, "generator")) {
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
export function followClass(flow: Flow, node: s.SyntaxNode): void {
  const base = s.child(node, "superClass");
  if (base) flow.follow(base, LOOK);
  followDecorators(flow, node);
  for (const member of s.bodyOf(node)) followMember(flow, member);
}

function followMember(flow: Flow, member: s.SyntaxNode): void {
  followDecorators(flow, member);
  if (member.type === "StaticBlock") return followBlock(flow, member);
  const value = s.child(member, "value");
  if (!value) return;
  if (s.isFunction(value)) followFunction(flow, flow.scope.functionAt(value));
  else flow.follow(value, ESCAPE);
}

function followDecorators(flow: Flow, node: s.SyntaxNode): void {
  for (const one of s.children(node, "decorators")) {
    const expression = s.child(one, "expression");
    if (expression) flow.follow(expression, ESCAPE);
  }
}

/** What is said to be `never` tells that no run comes here. */
export function followCast(flow: Flow, expression: s.SyntaxNode, demand: Demand): void {
  const annotation = s.child(expression, "typeAnnotation");
  const inner = s.child(expression, "expression");
  if (!annotation || !inner) return;
  if (annotation.type === "TSNeverKeyword" && isImpossible(expression, demand)) flow.stop();
}

/**
 * Whether `never` says that no run comes here. The compiler sees to it that it is so of `satisfies`;
 * `as never`, where somebody goes on with the value, only makes a value fit.
 */
function isImpossible({ type }: s.SyntaxNode, { act, by }: Demand): boolean {
  return type === "TSSatisfiesExpression" || act === "drop" || by === "return";
}

/** `button.onclick = () => ...`: what a listener returns is nobody's. */
export function followListener(flow: Flow, name: string, value: s.SyntaxNode): void {
  const node = s.bare(value);
  if (isListenerName(name) && s.isFunction(node)) {
    flow.types.teachUse(flow.scope.functionAt(node), "dropsResult");
  }
  flow.follow(value, KEEP);
}
