import { followAssignment } from "./assignment.ts";
import { followArguments } from "./argument.ts";
import { followCall } from "./call.ts";
import {
  followCast,
  followClass,
  followFunction,
  followListener,
  handOn,
  procedureOf,
} from "../statement/function.ts";
import {
  callProcedure,
  type Demand,
  DROP,
  ESCAPE,
  type Flow,
  KEEP,
  LOOK,
  USE,
} from "../flow/flow.ts";
import { placeOf, supply } from "../flow/place.ts";
import { hastyFinding } from "../finding.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { LASTING } from "../syntax/vocabulary.ts";
import { isCheck, isContainer, isLinearType, type Type } from "../types/value_type.ts";
import { followCondition } from "./condition.ts";

/** Adds an expression to the graph; its value, if it is linear, goes where `demand` says. */
export function followExpression(flow: Flow, expression: ts.Node, demand: Demand): void {
  followCast(flow, expression, demand);
  const node = s.bare(expression);
  const place = placeOf(flow, node);
  if (place) return supply(flow, place, demand);
  if (ts.isIdentifier(node)) return followName(flow, node);
  if (!ts.isLiteralExpression(node)) flow.deeper(node, () => followNode(flow, node, demand));
}

function followNode(flow: Flow, node: ts.Node, demand: Demand): void {
  if (s.isAccess(node)) return followMember(flow, node, demand);
  if (ts.isCallExpression(node)) return followCall(flow, node, demand);
  if (ts.isNewExpression(node)) return followNew(flow, node);
  if (s.isAssignment(node)) return followAssignment(flow, node, demand);
  if (ts.isConditionalExpression(node) || s.isLogical(node)) {
    return followChoice(flow, node, demand);
  }
  if (s.isSequence(node)) {
    flow.follow(node.left, DROP);
    return flow.follow(node.right, demand);
  }
  if (ts.isBinaryExpression(node)) return followBinary(flow, node);
  if (ts.isVoidExpression(node)) return flow.follow(node.expression, DROP);
  if (ts.isAwaitExpression(node)) {
    flow.follow(node.expression, demand);
    flow.forgetFields();
    return flow.mayThrow(true);
  }
  if (ts.isArrayLiteralExpression(node)) return followElements(flow, node, demand);
  if (s.isFunction(node)) return followFunctionValue(flow, node, demand);
  if (ts.isClassExpression(node)) {
    followClass(flow, node);
    return handOn(flow, flow.typeOf(node));
  }
  if (ts.isObjectLiteralExpression(node)) return followObject(flow, node, demand);
  if (ts.isYieldExpression(node)) return followYield(flow, node);
  if (ts.isTaggedTemplateExpression(node)) return followTag(flow, node);
  if (ts.isTemplateExpression(node)) return followSpans(flow, node, USE);
  if (isJsx(node)) return followElement(flow, node);
  if (ts.isSpreadElement(node)) return flow.follow(node.expression, ESCAPE);
  followOperand(flow, node);
}

/** `typeof a`, `delete a`, `!a`, `a++`. */
function followOperand(flow: Flow, node: ts.Node): void {
  if (ts.isTypeOfExpression(node) || ts.isDeleteExpression(node)) {
    return flow.follow(node.expression, LOOK);
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    flow.follow(node.operand, LOOK);
  }
}

/** The array has what is in it. */
function followElements(flow: Flow, node: ts.ArrayLiteralExpression, demand: Demand): void {
  for (const element of node.elements) {
    const value = s.bare(element);
    if (s.isFunction(value)) flow.types.functionAt(value).isStored = true;
    flow.follow(element, { ...demand.isKept ? KEEP : ESCAPE, into: demand.into });
  }
}

/** Whoever gets the name of a function or a class may run it. */
function followName(flow: Flow, node: ts.Identifier): void {
  const binding = flow.bindingOf(node);
  if (binding) handOn(flow, flow.types.ofBinding(binding) ?? flow.typeOf(node));
}

/** A function as a value: who gets it may run it, at any time. */
function followFunctionValue(flow: Flow, node: s.FunctionNode, demand: Demand): void {
  followFunction(flow, flow.types.functionAt(node));
  handOn(flow, flow.typeOf(node), demand.isKept);
}

/** What a generator yields is for good whose it is that asks for it, as what a function returns. */
function followYield(flow: Flow, { expression, asteriskToken }: ts.YieldExpression): void {
  const isPort = !asteriskToken && isLinearType(flow.typeOf(expression));
  if (expression) flow.follow(expression, isPort ? { act: "move", by: "yield" } : ESCAPE);
  flow.forgetFields();
  flow.mayThrow(true);
}

/** `a + b + c + ...`, which the tree nests on the left, one level for each operand. */
function followBinary(flow: Flow, node: ts.BinaryExpression): void {
  const operands: ts.Node[] = [];
  let left: ts.Node = node;
  while (isPlainBinary(left)) {
    operands.push(left.right);
    left = s.bare(left.left);
  }
  flow.follow(left, LOOK);
  for (const operand of operands.toReversed()) flow.follow(operand, LOOK);
}

function isPlainBinary(node: ts.Node): node is ts.BinaryExpression {
  const isOther = s.isAssignment(node) || s.isLogical(node) || s.isSequence(node);
  return ts.isBinaryExpression(node) && !isOther;
}

/** The tag is a function: it may keep what is in the template. */
function followTag(flow: Flow, { tag, template }: ts.TaggedTemplateExpression): void {
  flow.follow(tag, LOOK);
  if (ts.isTemplateExpression(template)) followSpans(flow, template, ESCAPE);
  flow.mayThrow();
}

function followSpans(flow: Flow, { templateSpans }: ts.TemplateExpression, demand: Demand): void {
  for (const { expression } of templateSpans) flow.follow(expression, demand);
}

function followMember(flow: Flow, node: s.Access, demand: Demand): void {
  const object = node.expression;
  const name = s.propertyName(node);
  const place = placeOf(flow, object);
  if (!place) followOwner(flow, node, demand);
  else if (!LASTING.has(name)) {
    const { binding, inside } = place;
    const isAsked = !inside && isCheck(flow.types.ofBinding(binding), name);
    flow.emit(isAsked ? "ask" : "use", binding, { node, inside, by: name });
  }
  if (ts.isElementAccessExpression(node)) flow.follow(node.argumentExpression, LOOK);
  handOn(flow, flow.typeOf(node));
}

/** `.value` of a `Maybe` that no name holds was never looked at; another member loses a port. */
function followOwner(flow: Flow, node: s.Access, demand: Demand): void {
  const object = node.expression;
  const type: Type | undefined = flow.typeOf(object);
  if (!isContainer(type) || s.propertyName(node) !== "value" || type.isLoan) {
    return flow.follow(object, LOOK);
  }
  flow.follow(object, { act: "move", by: "value" });
  flow.emitFault(hastyFinding(node, type.kind));
  flow.dropTemporary(node, flow.typeOf(node), demand);
}

/** `{ a: port, b() {}, ...c }`: the object has what is in it. */
function followObject(flow: Flow, node: ts.ObjectLiteralExpression, demand: Demand): void {
  for (const property of node.properties) {
    const { name } = property;
    const isComputed = name && ts.isComputedPropertyName(name);
    if (isComputed && !ts.isIdentifier(name.expression)) flow.follow(name.expression, LOOK);
    const value = valueOf(property);
    const local = s.bare(value);
    if (s.isFunction(local)) {
      flow.types.functionAt(local).isStored = true;
      followFunctionValue(flow, local, ESCAPE);
    } else flow.follow(value, { ...demand.isKept ? KEEP : ESCAPE, into: demand.into });
  }
}

function valueOf(property: ts.ObjectLiteralElementLike): ts.Node {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  return ts.isSpreadAssignment(property) ? property.expression : property;
}

function isJsx(node: ts.Node): node is ts.JsxElement | ts.JsxFragment | ts.JsxSelfClosingElement {
  return ts.isJsxElement(node) || ts.isJsxFragment(node) || ts.isJsxSelfClosingElement(node);
}

/** `<Name attribute={value}>{child}</Name>`: the component has what it is given. */
function followElement(
  flow: Flow,
  node: ts.JsxElement | ts.JsxFragment | ts.JsxSelfClosingElement,
): void {
  const opening = ts.isJsxElement(node) ? node.openingElement : node;
  const attributes = ts.isJsxFragment(opening) ? [] : opening.attributes.properties;
  for (const attribute of attributes) followAttribute(flow, attribute);
  if (ts.isJsxSelfClosingElement(node)) return;
  for (const inner of node.children) {
    const value = ts.isJsxExpression(inner) ? inner.expression : undefined;
    if (value) flow.follow(value, placeOf(flow, value) ? ESCAPE : LOOK);
    else flow.follow(inner, ESCAPE);
  }
}

/** `onClick={() => port.send()}`: what a listener returns is nobody's. */
function followAttribute(flow: Flow, attribute: ts.JsxAttributeLike): void {
  if (ts.isJsxSpreadAttribute(attribute)) return followListener(flow, "", attribute.expression);
  const { name, initializer } = attribute;
  const value = initializer && ts.isJsxExpression(initializer) ? initializer.expression : undefined;
  if (value) followListener(flow, ts.isIdentifier(name) ? name.text : "", value);
}

/** `a ? b : c`, `a && b`, `a || b` and `a ?? b`: only one of the values is taken. */
function followChoice(
  flow: Flow,
  node: ts.ConditionalExpression | ts.BinaryExpression,
  demand: Demand,
): void {
  const yes = flow.newBlock();
  const no = flow.newBlock();
  const after = flow.newBlock();
  const isAnd = s.operatorOf(node) === "&&";
  const isBranch = ts.isConditionalExpression(node);
  const test = isBranch ? node.condition : node.left;
  const whenTrue = isBranch ? node.whenTrue : isAnd ? node.right : undefined;
  const whenFalse = isBranch ? node.whenFalse : isAnd ? undefined : node.right;
  const isTaken = takesLeft(flow, node, test);
  if (isTaken) {
    flow.follow(test, demand);
    flow.block.next.push(yes, no);
  } else followCondition(flow, test, { yes, no });
  flow.block = yes;
  const place = isTaken || isAnd ? undefined : placeOf(flow, test);
  if (whenTrue) flow.follow(whenTrue, demand);
  else if (place) supply(flow, place, demand); // the condition only looked at it
  flow.block.next.push(after);
  flow.block = no;
  if (whenFalse) flow.follow(whenFalse, demand);
  flow.continueIn(after);
}

/** Whether the left side gives the value itself, unless it is a name whose state tells. */
function takesLeft(flow: Flow, node: ts.Node, left: ts.Node): boolean {
  const operator = s.operatorOf(node);
  const place = placeOf(flow, left);
  if (operator === "??") return place?.kind !== "port";
  return operator === "||" && !place && isLinearType(flow.typeOf(left));
}

/** `new C(...)`. */
function followNew(flow: Flow, node: ts.NewExpression): void {
  flow.follow(node.expression, LOOK);
  const name = s.nameOf(node.expression);
  const called = flow.types.calledAt(node);
  const otherwise = name === "WeakRef" ? USE : ESCAPE;
  const context = { called, name: `new ${name}`, otherwise };
  const { references, runFunctions } = followArguments(flow, node, context);
  runFunctions();
  if (called?.local) callProcedure(flow, procedureOf(flow, called.local), { node, references });
  flow.mayThrow();
}
