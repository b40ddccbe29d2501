import { followAssignment } from "./assignment.ts";
import { followCall, followNew } from "./call.ts";
import { followClass } from "./class.ts";
import { followChoice } from "./choice.ts";
import { type Demand, DROP, ESCAPE, type Flow, LOOK, USE } from "../flow/flow.ts";
import { followFunctionValue, releaseCaptures } from "./function.ts";
import { hastyFinding } from "../finding.ts";
import { isContainer } from "../syntax/kind.ts";
import { placeOf, supply } from "../flow/place.ts";
import {
  bare,
  child,
  children,
  flag,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { CHECKS, LASTING } from "../syntax/vocabulary.ts";

/** What the operands of plain operators are wanted for, and the fields that hold them. */
const OPERANDS: Readonly<Record<string, readonly [demand: Demand, fields: readonly string[]]>> = {
  ArrayExpression: [ESCAPE, ["elements"]],
  BinaryExpression: [LOOK, ["left", "right"]],
  ImportExpression: [ESCAPE, ["source"]],
  ObjectExpression: [ESCAPE, ["properties"]],
  Property: [ESCAPE, ["value"]],
  SpreadElement: [ESCAPE, ["argument"]],
  TemplateLiteral: [USE, ["expressions"]],
  UnaryExpression: [LOOK, ["argument"]],
  YieldExpression: [ESCAPE, ["argument"]],
};

/** Adds an expression to the graph; its value, if it is linear, goes where `demand` says. */
export function followExpression(flow: Flow, expression: SyntaxNode, demand: Demand): void {
  const node = bare(expression);
  const place = placeOf(flow, node);
  if (place) return supply(flow, place, demand);
  switch (node.type) {
    case "Identifier":
      return releaseCaptures(flow, flow.scope.resolve(word(node, "name"))?.localFunction);
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
    case "SequenceExpression":
      return followSequence(flow, children(node, "expressions"), demand);
    case "AwaitExpression":
      followExpression(flow, part(node, "argument"), demand);
      return flow.mayThrow();
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return followFunctionValue(flow, node);
    case "ClassExpression":
      return followClass(flow, node);
    case "TaggedTemplateExpression":
      return followTag(flow, node);
    default:
      return followOperands(flow, node);
  }
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
  if (place) {
    const isCheck = isContainer(place.kind) && name === CHECKS[place.kind];
    const { binding, inside } = place;
    if (!LASTING.has(name)) {
      flow.emit(isCheck ? "ask" : "use", binding, { node, inside, by: name });
    }
  } else followOwner(flow, object, { name, demand, node });
  if (flag(node, "computed")) followExpression(flow, part(node, "property"), LOOK);
}

/** `.value` of a `Maybe` that no name holds was never looked at; another member loses a port. */
function followOwner(
  flow: Flow,
  object: SyntaxNode,
  member: { readonly name: string; readonly demand: Demand; readonly node: SyntaxNode },
): void {
  const kind = flow.kindOf(object);
  if (!isContainer(kind) || member.name !== "value") return followExpression(flow, object, LOOK);
  followExpression(flow, object, { act: "move", by: "value" });
  flow.findings.push(hastyFinding(member.node, kind));
  flow.dropTemporary(member.node, "port", member.demand);
}
