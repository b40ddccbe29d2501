import { followAssignment } from "./assignment.ts";
import { followCall } from "./call.ts";
import { followNew } from "./new.ts";
import { followClass } from "../function/class.ts";
import { followChoice } from "./choice.ts";
import { type Demand, DROP, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { followFunction, handOn } from "../function/function.ts";
import { followElement } from "./jsx.ts";
import { hastyFinding } from "../finding.ts";
import { followCast, followObject, isCast } from "./object.ts";
import { placeOf, supply } from "../flow/place.ts";
import {
  bare,
  child,
  children,
  flag,
  isFunction,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { LASTING } from "../syntax/vocabulary.ts";
import { isCheck } from "../types/member.ts";
import { isContainer, type Type } from "../value/value_type.ts";

/** What the operands of plain operators are wanted for, and the fields that hold them. */
const OPERANDS: Readonly<Record<string, readonly [demand: Demand, fields: readonly string[]]>> = {
  ImportExpression: [ESCAPE, ["source"]],
  SpreadElement: [ESCAPE, ["argument"]],
  TemplateLiteral: [USE, ["expressions"]],
  UpdateExpression: [LOOK, ["argument"]],
  YieldExpression: [ESCAPE, ["argument"]],
};

/** Adds an expression to the graph; its value, if it is linear, goes where `demand` says. */
export function followExpression(flow: Flow, expression: SyntaxNode, demand: Demand): void {
  if (isCast(expression)) followCast(flow, expression, demand);
  const node = bare(expression);
  const place = placeOf(flow, node);
  if (place) return supply(flow, place, demand);
  if (node.type === "Identifier") return followName(flow, node);
  if (node.type !== "Literal") flow.deeper(node, () => followNode(flow, node, demand));
}

function followNode(flow: Flow, node: SyntaxNode, demand: Demand): void {
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
      return followExpression(flow, part(node, "argument"), isVoid(node) ? DROP : LOOK);
    case "SequenceExpression":
      return followSequence(flow, children(node, "expressions"), demand);
    case "AwaitExpression":
      followExpression(flow, part(node, "argument"), demand);
      return flow.mayThrow();
    case "ArrayExpression":
      return followElements(flow, node);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return followFunctionValue(flow, node);
    case "ClassExpression":
      followClass(flow, node);
      return handOn(flow, flow.typeOf(node));
    case "ObjectExpression":
      return followObject(flow, node);
    case "JSXElement":
    case "JSXFragment":
      return followElement(flow, node);
    case "TaggedTemplateExpression":
      return followTag(flow, node);
    default:
      return followOperands(flow, node);
  }
}

function isVoid(node: SyntaxNode): boolean {
  return word(node, "operator") === "void";
}

/** The array has what is in it. */
function followElements(flow: Flow, node: SyntaxNode): void {
  for (const element of children(node, "elements")) {
    const value = bare(element);
    if (isFunction(value)) flow.types.functionAt(value, flow.scope).isStored = true;
    followExpression(flow, element, ESCAPE);
  }
}

/** Whoever gets the name of a function or a class may run it. */
function followName(flow: Flow, node: SyntaxNode): void {
  const binding = flow.scope.resolve(word(node, "name"));
  if (binding) handOn(flow, flow.types.ofBinding(binding) ?? flow.typeOf(node));
}

/** A function as a value: who gets it may run it, at any time. */
function followFunctionValue(flow: Flow, node: SyntaxNode): void {
  followFunction(flow, flow.types.functionAt(node, flow.scope));
  handOn(flow, flow.typeOf(node));
}

function followOperands(flow: Flow, node: SyntaxNode): void {
  const [demand, fields] = OPERANDS[node.type] ?? [LOOK, []];
  for (const field of fields) {
    const single = child(node, field);
    for (const one of single ? [single] : children(node, field)) {
      followExpression(flow, one, demand);
    }
  }
  if (node.type === "YieldExpression") flow.mayThrow();
}

/** `a + b + c + ...`, which the tree nests on the left, one level for each operand. */
function followBinary(flow: Flow, node: SyntaxNode): void {
  const operands: SyntaxNode[] = [];
  let left = node;
  while (left.type === "BinaryExpression") {
    operands.push(part(left, "right"));
    left = bare(part(left, "left"));
  }
  followExpression(flow, left, LOOK);
  for (const operand of operands.toReversed()) followExpression(flow, operand, LOOK);
}

/** The tag is a function: it may keep what is in the template. */
function followTag(flow: Flow, node: SyntaxNode): void {
  followExpression(flow, part(node, "tag"), LOOK);
  for (const one of children(part(node, "quasi"), "expressions")) {
    followExpression(flow, one, ESCAPE);
  }
  flow.mayThrow();
}

function followSequence(flow: Flow, parts: readonly SyntaxNode[], demand: Demand): void {
  for (const [index, part] of parts.entries()) {
    followExpression(flow, part, index === parts.length - 1 ? demand : DROP);
  }
}

function followMember(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const object = part(node, "object");
  const name = propertyName(node);
  const place = placeOf(flow, object);
  if (!place) followOwner(flow, object, { name, demand, node });
  else if (!LASTING.has(name)) {
    const { binding, inside } = place;
    const isAsked = !inside && isCheck(flow.types.ofBinding(binding), name);
    flow.emit(isAsked ? "ask" : "use", binding, { node, inside, by: name });
  }
  if (flag(node, "computed")) followExpression(flow, part(node, "property"), LOOK);
  handOn(flow, flow.typeOf(node));
}

interface Member {
  readonly name: string;
  readonly demand: Demand;
  readonly node: SyntaxNode;
}

/** `.value` of a `Maybe` that no name holds was never looked at; another member loses a port. */
function followOwner(flow: Flow, object: SyntaxNode, { name, demand, node }: Member): void {
  const type: Type | undefined = flow.typeOf(object);
  if (!isContainer(type) || name !== "value" || type.isLoan) {
    return followExpression(flow, object, LOOK);
  }
  followExpression(flow, object, { act: "move", by: "value" });
  flow.emitFault(hastyFinding(node, type.kind));
  flow.dropTemporary(node, flow.typeOf(node), demand);
}
