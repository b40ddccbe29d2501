import { assignElements, assignProperties } from "./destructuring.ts";
import { followExpression } from "./expression.ts";
import { type Demand, ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import { followFunction } from "./function.ts";
import { Block } from "../flow/graph.ts";
import { isNullable } from "../syntax/imports.ts";
import { placeOf, supply } from "../flow/place.ts";
import type { Binding } from "../syntax/scope.ts";
import { bare, child, children, literal, part, type SyntaxNode, word } from "../syntax/syntax.ts";
import { isLinear, type Kind } from "../syntax/vocabulary.ts";

/** What comes into a pattern. */
export interface Incoming {
  readonly isDeclaration: boolean;
  /** The expression whose value comes in; absent when the value is not written here. */
  readonly value?: SyntaxNode;
  /** What comes in, when its expression was followed already. */
  readonly kind?: Kind | undefined;
  /** Whether a value comes in that is not written here: a parameter. */
  readonly isGiven?: boolean;
}

/** `const a = ..., { b } = ...;` */
export function followDeclarations(flow: Flow, node: SyntaxNode): void {
  for (const declarator of children(node, "declarations")) {
    const id = part(declarator, "id");
    const value = child(declarator, "init");
    const local = flow.scope.resolve(word(id, "name"))?.localFunction;
    if (local && local.node === value) followFunctionOf(flow, id, local);
    else assignPattern(flow, id, { isDeclaration: true, ...(value && { value }) });
  }
}

function followFunctionOf(
  flow: Flow,
  id: SyntaxNode,
  local: NonNullable<Binding["localFunction"]>,
): void {
  const annotated = flow.kinds.names.annotatedKind(child(id, "typeAnnotation"));
  followFunction(flow, local, annotated === "handler" ? { firstParameter: "port" } : {});
}

/** `a = b`, `[a] = b`, `a.b = c`, `a ??= b`, `a += b`. */
export function followAssignment(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const left = part(node, "left");
  const value = part(node, "right");
  const operator = word(node, "operator");
  if (operator === "=") assignPattern(flow, left, { isDeclaration: false, value });
  else if (operator.length === 3) assignPerhaps(flow, left, value);
  else {
    followExpression(flow, left, LOOK);
    return followExpression(flow, value, LOOK);
  }
  const place = placeOf(flow, left);
  if (place) supply(flow, place, demand);
}

/** `a ??= b`, `a ||= b`, `a &&= b`: assigns only where nothing is lost. */
function assignPerhaps(flow: Flow, left: SyntaxNode, value: SyntaxNode): void {
  followExpression(flow, left, LOOK);
  const after = new Block();
  flow.block.next.push(after);
  flow.continueIn(new Block());
  assignPattern(flow, left, { isDeclaration: true, value });
  flow.continueIn(after);
}

/** Follows a value into a pattern. */
export function assignPattern(flow: Flow, pattern: SyntaxNode, incoming: Incoming): void {
  switch (pattern.type) {
    case "Identifier":
      return assignName(flow, pattern, incoming);
    case "TSParameterProperty":
      return assignPattern(flow, part(pattern, "parameter"), incoming);
    case "AssignmentPattern":
      followExpression(flow, part(pattern, "right"), ESCAPE);
      return assignPattern(flow, part(pattern, "left"), incoming);
    case "ArrayPattern":
      return assignElements(flow, pattern, incoming);
    case "ObjectPattern":
      return assignProperties(flow, pattern, incoming);
    case "RestElement":
      return assignPattern(flow, part(pattern, "argument"), incoming);
    default:
      followExpression(flow, pattern, LOOK);
      if (incoming.value) followExpression(flow, incoming.value, ESCAPE);
  }
}

function assignName(flow: Flow, id: SyntaxNode, incoming: Incoming): void {
  const { value } = incoming;
  const kind = value ? flow.kindOf(value) : incoming.kind;
  if (value) followExpression(flow, value, demandOf(id));
  const binding = flow.scope.resolve(word(id, "name"));
  if (!binding) return;
  if (!flow.kinds.ofBinding(binding) && isLinear(kind)) binding.kind = kind;
  if (isLinear(flow.kinds.ofBinding(binding))) arrive(flow, binding, { ...incoming, id, kind });
}

/** What a value is wanted for that a name is about to hold. */
export function demandOf(target: SyntaxNode): Demand {
  return { act: "move", by: `the assignment to '${word(target, "name")}'` };
}

/** The value was followed; now the name holds it. */
function arrive(
  flow: Flow,
  binding: Binding,
  { id, kind, ...incoming }: Incoming & {
    readonly id: SyntaxNode;
    readonly kind?: Kind | undefined;
  },
): void {
  const { isDeclaration, value } = incoming;
  const isPort = isLinear(kind) || (isAnnotated(flow, binding) && isSome(incoming));
  if (!isPort) return flow.emit(isDeclaration ? "declare" : "clear", binding, { node: id });
  const isOptional = isNullableValue(value) || isNullable(child(binding.node, "typeAnnotation"));
  const act = isDeclaration ? "define" : "overwrite";
  flow.emit(act, binding, { node: id, isNullable: isOptional });
}

function isAnnotated(flow: Flow, binding: Binding): boolean {
  const annotated = flow.kinds.names.annotatedKind(child(binding.node, "typeAnnotation"));
  return annotated !== undefined || (binding.declaredAs === "parameter" && !!binding.kind);
}

/** Whether any value comes in, other than `undefined` and `null`. */
function isSome({ value, isGiven = false }: Incoming): boolean {
  if (!value) return isGiven;
  const node = bare(value);
  const isUndefined = node.type === "Identifier" && word(node, "name") === "undefined";
  return !isUndefined && literal(node) !== null;
}

function isNullableValue(value: SyntaxNode | undefined): boolean {
  const type = value && bare(value).type;
  return type === "ConditionalExpression" || type === "LogicalExpression";
}
