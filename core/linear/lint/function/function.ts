import { declareInputs } from "./parameter.ts";
import { followExpression } from "../expression/expression.ts";
import { callProcedure } from "../flow/call_procedure.ts";
import { type Demand, DROP, ESCAPE, type Flow } from "../flow/flow.ts";
import type { Procedure } from "../flow/graph.ts";
import type { LocalFunction, Scope } from "../syntax/scope.ts";
import { followStatements } from "../statement/statement.ts";
import { child, children, flag, type SyntaxNode } from "../syntax/syntax.ts";
import { teachContext } from "../types/context.ts";
import { returnType } from "../value/shape.ts";
import type { Schedule, Type } from "../value/value_type.ts";

/** The graph of a function's body, which is built when everything that runs before was. */
export function procedureOf(flow: Flow, local: LocalFunction): Procedure {
  if (!local.procedure) {
    local.procedure = flow.newProcedure(local.node, flag(local.node, "async"));
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

function buildFunction(flow: Flow, local: LocalFunction, procedure: Procedure): void {
  procedure.reset();
  if (!concernsPorts(flow, local)) {
    return void procedure.entry.next.push(procedure.exit, procedure.failed);
  }
  flow.inProcedure(procedure, local.scope, () => {
    flow.within({ kind: "function", returnTo: procedure.exit, local }, () => {
      flow.withScope(flow.types.functionScope(local), () => followInside(flow, local), local.node);
    });
    flow.block.next.push(procedure.exit);
  });
}

/**
 * Whether ports can have to do with a function: it names one, something that ports come from, or a
 * function that may work on one. One that throws is followed in any case: it may never return.
 */
function concernsPorts(flow: Flow, { node, scope, inputs, isHandler }: LocalFunction): boolean {
  if (isHandler || inputs.length > 0) return true;
  return flow.words.within(node.range).some((one) => concerns(flow, one, scope));
}

function concerns(flow: Flow, name: string, scope: Scope): boolean {
  if (flow.relevantNames.has(name) || name === "throw" || name === "never") return true;
  if (name === "super") return scope.superType !== undefined;
  if (name === "this" || name.startsWith("#")) return scope.thisType !== undefined;
  const binding = scope.resolve(name);
  const isInner = binding && binding.scope !== flow.mainScope;
  if (isInner) return flow.types.ofBinding(binding) !== undefined;
  const declared = scope.resolveType(name);
  return declared !== undefined && declared.scope !== flow.mainScope;
}

function followInside(flow: Flow, local: LocalFunction): void {
  declareInputs(flow, local);
  const body = child(local.node, "body");
  if (body?.type === "BlockStatement") followStatements(flow, children(body, "body"));
  else if (body) followResult(flow, body, local);
}

/** The value that a function gives back. */
export function followResult(
  flow: Flow,
  value: SyntaxNode,
  local: LocalFunction | undefined,
): void {
  const expected = flow.types.annotated(local && child(local.node, "returnType"), flow.scope);
  teachContext(flow.types, value, { expected, scope: flow.scope });
  followExpression(flow, value, resultDemand(local));
}

/** What becomes of the value that a function returns. */
function resultDemand(local: LocalFunction | undefined): Demand {
  if (!local || flag(local.node, "generator")) return ESCAPE;
  const isDropped = local.isHandler || local.dropsResult ||
    returnType(local.node) === "TSVoidKeyword";
  return isDropped ? DROP : { act: "move", by: "return" };
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
  if (schedule === "later" || schedule === "kept") {
    return flow.emitProcedure("scheduled", procedure);
  }
  if (schedule === "unknown" || flag(local.node, "generator")) {
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
export function handOn(flow: Flow, type: Type | undefined): void {
  if (type?.kind === "function" && type.local) return handOver(flow, type.local, "unknown");
  if (type?.kind !== "class") return;
  for (const local of type.functions()) handOver(flow, local, "unknown");
}
