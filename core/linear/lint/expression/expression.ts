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
import * as s from "../syntax/syntax.ts";
import { LASTING } from "../syntax/vocabulary.ts";
import { isCheck, isContainer, isLinearType, type Type } from "../types/value_type.ts";
import { followCondition } from "./condition.ts";

/** What the operands of plain operators are wanted for, and the fields that hold them. */
const OPERANDS: Readonly<Record<string, readonly [demand: Demand, fields: readonly string[]]>> = {
  ImportExpression: [ESCAPE, ["source"]],
  SpreadElement: [ESCAPE, ["argument"]],
  TemplateLiteral: [USE, ["expressions"]],
  UpdateExpression: [LOOK, ["argument"]],
};

/** Adds an expression to the graph; its value, if it is linear, goes where `demand` says. */
export function followExpression(flow: Flow, expression: s.SyntaxNode, demand: Demand): void {
  if (s.isCast(expression)) followCast(flow, expression, demand);
  const node = s.bare(expression);
  const place = placeOf(flow, node);
  if (place) return supply(flow, place, demand);
  if (node.type === "Identifier") return followName(flow, node);
  if (node.type !== "Literal") flow.deeper(node, () => followNode(flow, node, demand));
}

function followNode(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  switch (node.type) {
    case "MemberExpression":
      return followMember(flow, node, demand);
    case "CallExpression":
      return followCall(flow, node, demand);
    case "NewExpression":
      return followNew(flow, node);
    case "AssignmentExpression":
      return followAssignment(flow, node, demand);
    case "ConditionalExpression":
    case "LogicalExpression":
      return followChoice(flow, node, demand);
    case "BinaryExpression":
      return followBinary(flow, node);
    case "UnaryExpression":
      return flow.follow(s.part(node, "argument"), isVoid(node) ? DROP : LOOK);
    case "SequenceExpression":
      return followSequence(flow, s.children(node, "expressions"), demand);
    case "AwaitExpression":
      flow.follow(s.part(node, "argument"), demand);
      flow.forgetFields();
      return flow.mayThrow(true);
    case "ArrayExpression":
      return followElements(flow, node, demand);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return followFunctionValue(flow, node, demand);
    case "ClassExpression":
      followClass(flow, node);
      return handOn(flow, flow.typeOf(node));
    case "ObjectExpression":
      return followObject(flow, node, demand);
    case "JSXElement":
    case "JSXFragment":
      return followElement(flow, node);
    case "YieldExpression":
      return followYield(flow, node);
    case "TaggedTemplateExpression":
      return followTag(flow, node);
    default:
      return followOperands(flow, node);
  }
}

function isVoid(node: s.SyntaxNode): boolean {
  return s.word(node, "operator") === "void";
}

/** The array has what is in it. */
function followElements(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  for (const element of s.children(node, "elements")) {
    const value = s.bare(element);
    if (s.isFunction(value)) flow.scope.functionAt(value).isStored = true;
    flow.follow(element, { ...demand.isKept ? KEEP : ESCAPE, into: demand.into });
  }
}

/** Whoever gets the name of a function or a class may run it. */
function followName(flow: Flow, node: s.SyntaxNode): void {
  const binding = flow.scope.resolve(s.word(node, "name"));
  if (binding) handOn(flow, flow.types.ofBinding(binding) ?? flow.typeOf(node));
}

/** A function as a value: who gets it may run it, at any time. */
function followFunctionValue(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  followFunction(flow, flow.scope.functionAt(node));
  handOn(flow, flow.typeOf(node), demand.isKept);
}

function followOperands(flow: Flow, node: s.SyntaxNode): void {
  const [demand, fields] = OPERANDS[node.type] ?? [LOOK, []];
  for (const field of fields) {
    const single = s.child(node, field);
    for (const one of single ? [single] : s.children(node, field)) {
      flow.follow(one, demand);
    }
  }
}

/** What a generator yields is for good whose it is that asks for it, as what a function returns. */
function followYield(flow: Flow, node: s.SyntaxNode): void {
  const value = s.child(node, "argument");
  const isPort = value !== undefined && !s.flag(node, "delegate") &&
    isLinearType(flow.typeOf(value));
  if (value) flow.follow(value, isPort ? { act: "move", by: "yield" } : ESCAPE);
  flow.forgetFields();
  flow.mayThrow(true);
}

/** `a + b + c + ...`, which the tree nests on the left, one level for each operand. */
function followBinary(flow: Flow, node: s.SyntaxNode): void {
  const operands: s.SyntaxNode[] = [];
  let left = node;
  while (left.type === "BinaryExpression") {
    operands.push(s.part(left, "right"));
    left = s.bare(s.part(left, "left"));
  }
  flow.follow(left, LOOK);
  for (const operand of operands.toReversed()) flow.follow(operand, LOOK);
}

/** The tag is a function: it may keep what is in the template. */
function followTag(flow: Flow, node: s.SyntaxNode): void {
  flow.follow(s.part(node, "tag"), LOOK);
  for (const one of s.children(s.part(node, "quasi"), "expressions")) {
    flow.follow(one, ESCAPE);
  }
  flow.mayThrow();
}

function followSequence(flow: Flow, parts: readonly s.SyntaxNode[], demand: Demand): void {
  for (const [index, part] of parts.entries()) {
    flow.follow(part, index === parts.length - 1 ? demand : DROP);
  }
}

function followMember(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  const object = s.part(node, "object");
  const name = s.propertyName(node);
  const place = placeOf(flow, object);
  if (!place) followOwner(flow, object, { name, demand, node });
  else if (!LASTING.has(name)) {
    const { binding, inside } = place;
    const isAsked = !inside && isCheck(flow.types.ofBinding(binding), name);
    flow.emit(isAsked ? "ask" : "use", binding, { node, inside, by: name });
  }
  if (s.flag(node, "computed")) flow.follow(s.part(node, "property"), LOOK);
  handOn(flow, flow.typeOf(node));
}

interface Member {
  readonly name: string;
  readonly demand: Demand;
  readonly node: s.SyntaxNode;
}

/** `.value` of a `Maybe` that no name holds was never looked at; another member loses a port. */
function followOwner(flow: Flow, object: s.SyntaxNode, { name, demand, node }: Member): void {
  const type: Type | undefined = flow.typeOf(object);
  if (!isContainer(type) || name !== "value" || type.isLoan) {
    return flow.follow(object, LOOK);
  }
  flow.follow(object, { act: "move", by: "value" });
  flow.emitFault(hastyFinding(node, type.kind));
  flow.dropTemporary(node, flow.typeOf(node), demand);
}

/** `{ a: port, b() {}, ...c }`: the object has what is in it. */
function followObject(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  for (const property of s.children(node, "properties")) {
    const key = s.child(property, "key");
    const isComputed = s.flag(property, "computed") && key?.type !== "Identifier";
    if (key && isComputed) flow.follow(key, LOOK);
    const value = s.child(property, "value") ?? s.child(property, "argument");
    if (!value) continue;
    if (s.isFunction(s.bare(value))) {
      const local = flow.scope.functionAt(s.bare(value));
      local.isStored = true;
      followFunction(flow, local);
      handOn(flow, flow.typeOf(s.bare(value)));
    } else flow.follow(value, { ...demand.isKept ? KEEP : ESCAPE, into: demand.into });
  }
}

/** `<Name attribute={value}>{child}</Name>`: the component has what it is given. */
function followElement(flow: Flow, node: s.SyntaxNode): void {
  for (const attribute of s.children(s.part(node, "openingElement"), "attributes")) {
    followAttribute(flow, attribute);
  }
  for (const inner of s.children(node, "children")) {
    const value = s.child(inner, "expression");
    if (value) flow.follow(value, placeOf(flow, value) ? ESCAPE : LOOK);
    else if (inner.type !== "JSXText") flow.follow(inner, ESCAPE);
  }
}

/** `onClick={() => port.send()}`: what a listener returns is nobody's. */
function followAttribute(flow: Flow, attribute: s.SyntaxNode): void {
  const container = s.child(attribute, "value") ?? attribute;
  const value = s.child(container, "expression") ?? s.child(container, "argument");
  if (!value) return;
  followListener(flow, s.word(s.part(attribute, "name"), "name"), value);
}

/** `a ? b : c`, `a && b`, `a || b` and `a ?? b`: only one of the values is taken. */
function followChoice(flow: Flow, node: s.SyntaxNode, demand: Demand): void {
  const yes = flow.newBlock();
  const no = flow.newBlock();
  const after = flow.newBlock();
  const right = s.child(node, "right");
  const isAnd = s.word(node, "operator") === "&&";
  const whenTrue = isAnd ? right : s.child(node, "consequent");
  const whenFalse = isAnd ? undefined : right ?? s.child(node, "alternate");
  const test = s.child(node, "test") ?? s.part(node, "left");
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
function takesLeft(flow: Flow, node: s.SyntaxNode, left: s.SyntaxNode): boolean {
  const operator = s.word(node, "operator");
  const place = placeOf(flow, left);
  if (operator === "??") return place?.kind !== "port";
  return operator === "||" && !place && isLinearType(flow.typeOf(left));
}

/** `new C(...)`. */
function followNew(flow: Flow, node: s.SyntaxNode): void {
  const callee = s.part(node, "callee");
  flow.follow(callee, LOOK);
  const name = s.word(callee, "name");
  const called = flow.types.calledAt(node, flow.scope);
  const otherwise = name === "WeakRef" ? USE : ESCAPE;
  const context = { called, name: `new ${name}`, otherwise };
  const { references, runFunctions } = followArguments(flow, node, context);
  runFunctions();
  if (called?.local) callProcedure(flow, procedureOf(flow, called.local), { node, references });
  flow.mayThrow();
}
