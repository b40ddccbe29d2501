import { type Expression, partsOf } from "../../syntax/expression.ts";
import { pointeeOf } from "../text/pointee.ts";
import { NO_TOKENS, type Variable } from "../text/variable.ts";
import type { GraphBuilder } from "./graph_builder.ts";
import { lowerCall } from "./lower_call.ts";

/**
 * Does what an expression calls the host for, in the order of WGSL: operands from left to right.
 * Afterwards the expression can be written without a call of the host.
 */
export function lowerExpression(builder: GraphBuilder, expression: Expression): void {
  if (!builder.module.suspends(expression)) return;
  const { kind, text, operands } = expression;
  if ((text === "&&" || text === "||") && builder.module.suspends(operands[1]!)) {
    return lowerShortCircuit(builder, expression);
  }
  if ((kind === "index" || kind === "member") && isReference(builder, operands[0]!)) {
    return lowerTarget(builder, expression, false);
  }
  if (isAddress(expression)) return lowerAddress(builder, expression, false);
  lowerOperands(builder, operands);
  if (kind === "call" && builder.module.isSuspending(text)) lowerCall(builder, expression, true);
}

/** Evaluates operands from left to right, keeping the values of those before the last that suspends. */
export function lowerOperands(builder: GraphBuilder, operands: readonly Expression[]): void {
  const last = operands.findLastIndex(builder.module.suspends);
  operands.forEach((operand, at) => {
    if (isAddress(operand)) return lowerAddress(builder, operand, at < last);
    lowerExpression(builder, operand);
    if (at < last && !isStable(builder, operand)) builder.keep(operand);
  });
}

/**
 * Evaluates the indices in what is assigned to or read at last, and leaves the rest for then.
 *
 * @param isLater whether something suspends between now and then
 */
export function lowerTarget(builder: GraphBuilder, target: Expression, isLater: boolean): void {
  const { kind, operands: [base, index] } = target;
  const { suspends } = builder.module;
  if (kind === "index") {
    lowerTarget(builder, base!, isLater || suspends(index!));
    lowerExpression(builder, index!);
    if (isLater && !isStable(builder, index!)) builder.keep(index!);
  } else if (kind === "member" || kind === "group") lowerTarget(builder, base!, isLater);
  else lowerExpression(builder, target);
}

/** Writes an expression whose value is needed at the end of a block. */
export function lowerCondition(builder: GraphBuilder, condition: Expression): void {
  lowerExpression(builder, condition);
  const { module } = builder;
  const isPointer = (part: Expression) => {
    const variable = part.kind === "name" ? module.names.get(part.start) : undefined;
    return isAddress(part) || (variable && pointeeOf(module, variable)?.isWhole);
  };
  if ([...partsOf(condition)].some(isPointer)) builder.keep(condition);
}

/** `a && b` becomes `var kept = a; if kept { kept = b; }`. */
function lowerShortCircuit(builder: GraphBuilder, expression: Expression): void {
  const [left, right] = expression.operands;
  lowerExpression(builder, left!);
  const index = builder.indexOf(expression);
  const kept: Variable = {
    name: "kept",
    keyword: "var",
    index,
    type: NO_TOKENS,
    known: { name: "bool", args: [] },
  };
  builder.emit({ index, pieces: [left!], sets: kept, declares: true });
  const [evaluate, join] = [builder.block(builder.indexOf(right!)), builder.block(index)];
  const [then, otherwise] = expression.text === "&&" ? [evaluate, join] : [join, evaluate];
  const condition = builder.mention(kept, expression);
  builder.end({ kind: "branch", condition, then, otherwise }, evaluate);
  lowerExpression(builder, right!);
  builder.emit({ index, pieces: [right!], sets: kept });
  builder.goto(join);
  builder.graph.replaced.set(expression, kept);
}

/** Whether the value is the same after a suspension as before. */
export function isStable(builder: GraphBuilder, expression: Expression): boolean {
  if (builder.graph.replaced.has(expression)) return true;
  const { kind, text, start, operands } = expression;
  if (kind === "literal") return true;
  if (kind === "name") return isStableName(builder, start);
  if (kind === "call" || (kind === "unary" && (text === "&" || text === "*"))) return false;
  return operands.every((operand) => isStable(builder, operand));
}

/** A local variable changes by statements only, unless a pointer to it is handed to a function. */
function isStableName({ module }: GraphBuilder, at: number): boolean {
  const variable = module.names.get(at);
  if (variable) {
    return variable.keyword !== "var" ||
      ![...module.addressed].some((token) => module.names.get(token) === variable);
  }
  const { text } = module.tokens[at]!;
  const declared = module.declarations.variables.find(({ name }) => name.text === text);
  return declared === undefined || declared.keyword !== "var";
}

/** Whether an expression says where a value is, so that it is read when it is used. */
function isReference(builder: GraphBuilder, expression: Expression): boolean {
  const { kind, text, start, operands } = expression;
  if (kind === "member" || kind === "index" || kind === "group") {
    return isReference(builder, operands[0]!);
  }
  if (kind === "unary") return text === "*";
  const variable = builder.module.names.get(start);
  return kind === "name" && (variable ? variable.keyword === "var" : true);
}

function isAddress({ kind, text }: Expression): boolean {
  return kind === "unary" && text === "&";
}

/** A pointer stays what it is, as soon as the indices in it are known: it is taken where it is used. */
function lowerAddress(builder: GraphBuilder, address: Expression, isLater: boolean): void {
  const [target] = address.operands;
  if (!isReference(builder, target!)) refusePointer(builder, address);
  lowerTarget(builder, target!, isLater);
}

function refusePointer({ module }: GraphBuilder, { start }: Expression): never {
  return module.refuseAt(
    start,
    "a pointer is taken of what a call of the host decides: keep the call's value in a variable first",
  );
}
