import { checkOf } from "./check.ts";
import { assignElements, assignProperties } from "./destructuring.ts";
import { followExpression } from "./expression.ts";
import { followCast, isCast } from "./object.ts";
import { followFunction } from "../function/function.ts";
import { followDefaults } from "../function/parameter.ts";
import { type Demand, ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import { placeOf, supply } from "../flow/place.ts";
import type { Binding } from "../syntax/scope.ts";
import {
  bare,
  child,
  children,
  isFunction,
  literal,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { isListenerName } from "../syntax/vocabulary.ts";
import { teachContext } from "../types/context.ts";
import { isLinearType, type Type } from "../value/value_type.ts";
import { rootBinding } from "./argument.ts";

/** What comes into a pattern. */
export interface Incoming {
  readonly isDeclaration: boolean;
  /** The expression whose value comes in; absent when the value is not written here. */
  readonly value?: SyntaxNode | undefined;
  /** What comes in, when its expression was followed already, or is not written here. */
  readonly type?: Type | undefined;
}

/** `const a = ..., { b } = ...;` */
export function followDeclarations(flow: Flow, node: SyntaxNode): void {
  for (const declarator of children(node, "declarations")) {
    const id = part(declarator, "id");
    const value = child(declarator, "init");
    const expected = flow.types.annotated(child(id, "typeAnnotation"), flow.scope);
    if (value) teachContext(flow.types, value, { expected, scope: flow.scope });
    assignPattern(flow, id, { isDeclaration: true, value });
    const annotation = child(id, "typeAnnotation");
    if (annotation && child(annotation, "typeAnnotation")?.type === "TSNeverKeyword") flow.stop();
  }
}

/** `a = b`, `[a] = b`, `a.b = c`, `a ??= b`, `a += b`. */
export function followAssignment(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const left = part(node, "left");
  const value = part(node, "right");
  const operator = word(node, "operator");
  if (operator === "=") {
    teachContext(flow.types, value, { expected: flow.typeOf(left), scope: flow.scope });
    assignPattern(flow, left, { isDeclaration: false, value });
  } else if (operator.length === 3) assignPerhaps(flow, node);
  else {
    followExpression(flow, left, LOOK);
    return followExpression(flow, value, LOOK);
  }
  const place = placeOf(flow, left);
  const isKept = operator !== "=" && demand.act === "move"; // the name goes on holding it
  if (place) supply(flow, place, isKept ? ESCAPE : demand);
}

/** `a ??= b`, `a ||= b` and `a &&= b` look at what is there before they assign. */
function assignPerhaps(flow: Flow, node: SyntaxNode): void {
  const left = part(node, "left");
  const place = placeOf(flow, left);
  if (!place) followExpression(flow, left, LOOK);
  const isAnd = word(node, "operator") === "&&=";
  const before = flow.block;
  const after = flow.newBlock();
  for (const isPresent of [true, false]) {
    flow.block = before;
    flow.continueIn(flow.newBlock());
    const act = isPresent ? "present" : "absent";
    if (place?.kind === "port") flow.emit(act, place.binding, { node: place.node });
    if (isPresent === isAnd) {
      assignPattern(flow, left, { isDeclaration: false, value: part(node, "right") });
    }
    flow.block.next.push(after);
  }
  flow.block = after;
}

/** Follows a value into a pattern. */
export function assignPattern(flow: Flow, pattern: SyntaxNode, incoming: Incoming): void {
  switch (pattern.type) {
    case "Identifier":
      return assignName(flow, pattern, incoming);
    case "AssignmentPattern":
      followDefaults(flow, pattern);
      return assignPattern(flow, part(pattern, "left"), incoming);
    case "ArrayPattern":
      return assignElements(flow, pattern, incoming);
    case "ObjectPattern":
      return assignProperties(flow, pattern, incoming);
    case "RestElement":
      return assignPattern(flow, part(pattern, "argument"), incoming);
    default:
      followExpression(flow, pattern, LOOK);
      if (incoming.value) assignMember(flow, pattern, incoming.value);
  }
}

/** `this.port = port`; the result of `button.onclick = () => ...` is nobody's. */
function assignMember(flow: Flow, target: SyntaxNode, value: SyntaxNode): void {
  const isListener = target.type === "MemberExpression" && isListenerName(propertyName(target));
  const node = bare(value);
  if (isListener && isFunction(node)) {
    flow.types.teachUse(flow.types.functionAt(node, flow.scope), "dropsResult");
  }
  followExpression(flow, value, ESCAPE);
}

function assignName(flow: Flow, id: SyntaxNode, incoming: Incoming): void {
  const { value } = incoming;
  const type = value ? flow.typeOf(value) : incoming.type;
  if (value && incoming.isDeclaration && isFunction(bare(value))) {
    if (isCast(value)) followCast(flow, value, demandOf(id));
    return followFunction(flow, flow.types.functionAt(bare(value), flow.scope));
  }
  if (value) followExpression(flow, value, demandOf(id));
  const binding = flow.scope.resolve(word(id, "name"));
  if (!binding) return;
  learn(flow, binding, type);
  if (value && incoming.isDeclaration) binding.check = checkOf(flow, value);
  const isOurs = isLinearType(flow.types.ofBinding(binding)) && !binding.alias;
  if (isOurs) arrive(flow, binding, { ...incoming, id, type });
}

/** A name without an annotation is what it is given first. */
function learn(flow: Flow, binding: Binding, type: Type | undefined): void {
  if (!type || flow.types.ofBinding(binding)) return;
  binding.type = type;
  flow.types.forget();
}

/** What a value is wanted for that a name is about to hold. */
export function demandOf(target: SyntaxNode): Demand {
  return { act: "move", by: `the assignment to '${word(target, "name")}'` };
}

/** The value was followed; now the name holds it. */
function arrive(
  flow: Flow,
  binding: Binding,
  { id, value, type, ...incoming }: Incoming & { readonly id: SyntaxNode },
): void {
  const isDeclaration = incoming.isDeclaration && binding.node === id; // `var` may come again
  const declared = flow.types.ofBinding(binding);
  const arrived = isLinearType(type) ? type : isSome(value) ? declared : undefined;
  if (!isLinearType(arrived)) {
    return flow.emit(isDeclaration ? "declare" : "clear", binding, { node: id });
  }
  const place = value && placeOf(flow, value);
  const root = value && rootBinding(flow, value);
  if (root?.isGiven) binding.isGiven = true;
  flow.emit(isDeclaration ? "define" : "overwrite", binding, {
    node: id,
    isLoan: arrived.isLoan || isKept(value),
    isNullable: arrived.isNullable || (isLinearType(declared) && declared.isNullable),
    from: place?.inside ? undefined : place?.binding,
  });
}

/** Whether any value comes in, other than `undefined` and `null`. */
function isSome(value: SyntaxNode | undefined): value is SyntaxNode {
  if (!value) return false;
  const node = bare(value);
  const isUndefined = node.type === "Identifier" && word(node, "name") === "undefined";
  return !isUndefined && literal(node) !== null;
}

/** Whether a value of which nothing is known stays where it comes from: in a field, an array. */
function isKept(value: SyntaxNode | undefined): boolean {
  return value !== undefined && bare(value).type === "MemberExpression" &&
    child(bare(value), "object")?.type !== undefined && !isContainerValue(value);
}

function isContainerValue(value: SyntaxNode): boolean {
  return word(child(bare(value), "property") ?? value, "name") === "value";
}
