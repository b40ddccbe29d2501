import { DROP, type Flow, LOOK } from "../flow/flow.ts";
import { askedPlace, type Place, placeOf } from "../flow/place.ts";
import * as s from "../syntax/syntax.ts";
import { isLinearType } from "../types/value_type.ts";
import type { Block } from "../flow/graph.ts";

/** A question about a place, and what the answer "yes" says of it. */
export interface Check {
  readonly place: Place;
  /** Whether "yes" says that nothing is there, or that nothing has arrived. */
  readonly isNegated: boolean;
}

/** The question that an expression asks: `maybe.present`, `!look.arrived`, `port !== undefined`. */
export function checkOf(flow: Flow, expression: s.SyntaxNode): Check | undefined {
  const node = s.bare(expression);
  switch (node.type) {
    case "UnaryExpression":
      if (s.word(node, "operator") !== "!") return undefined;
      return negated(conditionCheck(flow, s.part(node, "argument")));
    case "BinaryExpression":
      return comparisonCheck(flow, node);
    case "CallExpression": {
      const isCast = s.word(s.part(node, "callee"), "name") === "Boolean";
      const input = s.children(node, "arguments")[0];
      return isCast && input ? conditionCheck(flow, input) : undefined;
    }
    case "Identifier":
      return flow.scope.resolve(s.word(node, "name"))?.check;
    default:
      return saysPresent(askedPlace(flow, node));
  }
}

/** As {@linkcode checkOf}, for a place where a port by itself is a question, too. */
function conditionCheck(flow: Flow, expression: s.SyntaxNode): Check | undefined {
  return checkOf(flow, expression) ?? saysPresent(portPlace(flow, expression));
}

function saysPresent(place: Place | undefined): Check | undefined {
  return place && { place, isNegated: false };
}

function negated(check: Check | undefined, isNegated = true): Check | undefined {
  return check && isNegated ? { ...check, isNegated: !check.isNegated } : check;
}

function portPlace(flow: Flow, node: s.SyntaxNode): Place | undefined {
  const place = placeOf(flow, node, true);
  return place?.kind === "port" ? place : undefined;
}

const COMPARISONS: ReadonlyMap<string, boolean> = new Map([
  ["===", true],
  ["==", true],
  ["!==", false],
  ["!=", false],
]);

/** `maybe.present === true`, `undefined !== port`, `typeof port === "object"` and their kin. */
function comparisonCheck(flow: Flow, node: s.SyntaxNode): Check | undefined {
  if (s.word(node, "operator") === "instanceof") {
    return saysPresent(portPlace(flow, s.part(node, "left")));
  }
  const isEqual = COMPARISONS.get(s.word(node, "operator"));
  if (isEqual === undefined) return undefined;
  const left = s.part(node, "left");
  const right = s.part(node, "right");
  const answer = equalityCheck(flow, left, right) ?? equalityCheck(flow, right, left);
  return negated(answer, !isEqual);
}

/** What it says that `subject` is equal to a constant. */
export function equalityCheck(
  flow: Flow,
  subject: s.SyntaxNode,
  constant: s.SyntaxNode,
): Check | undefined {
  const value = constantOf(constant);
  if (value === undefined) return undefined;
  const node = s.bare(subject);
  const isTypeof = node.type === "UnaryExpression" && s.word(node, "operator") === "typeof";
  if (isTypeof) return typeofCheck(flow, s.part(node, "argument"), value);
  if (value === "true" || value === "false") return negated(checkOf(flow, node), value === "false");
  const isNothing = value === "undefined" || value === "null";
  return isNothing ? negated(saysPresent(portPlace(flow, guarded(node)))) : undefined;
}

/** `port?.index` is `undefined` exactly where `port` is. */
function guarded(node: s.SyntaxNode): s.SyntaxNode {
  const isOptional = node.type === "MemberExpression" && s.flag(node, "optional");
  return isOptional ? s.part(node, "object") : node;
}

function typeofCheck(flow: Flow, argument: s.SyntaxNode, type: string): Check | undefined {
  const check = saysPresent(portPlace(flow, argument));
  return type === "string undefined"
    ? negated(check)
    : type === "string object"
    ? check
    : undefined;
}

/** A constant that a question is compared with, as text. */
function constantOf(node: s.SyntaxNode): string | undefined {
  if (node.type === "Identifier") {
    return s.word(node, "name") === "undefined" ? "undefined" : undefined;
  }
  if (node.type === "UnaryExpression") {
    return s.word(node, "operator") === "void" ? "undefined" : undefined;
  }
  const value = s.literal(node);
  if (node.type !== "Literal") return undefined;
  return typeof value === "string" ? `string ${value}` : `${value}`;
}

/** Where a condition leads. */
export interface Outcomes {
  readonly yes: Block;
  readonly no: Block;
}

/** Follows a condition, and tells each outcome what it shows. */
export function followCondition(flow: Flow, expression: s.SyntaxNode, outcomes: Outcomes): void {
  flow.deeper(expression, () => followTest(flow, s.bare(expression), outcomes));
}

function followTest(flow: Flow, node: s.SyntaxNode, outcomes: Outcomes): void {
  const { yes, no } = outcomes;
  if (node.type === "UnaryExpression" && s.word(node, "operator") === "!") {
    return followCondition(flow, s.part(node, "argument"), { yes: no, no: yes });
  }
  if (node.type === "LogicalExpression") return followLogical(flow, node, outcomes);
  if (node.type === "SequenceExpression") return followLast(flow, node, outcomes);
  if (node.type === "Literal") return void flow.block.next.push(s.literal(node) ? yes : no);
  const same = sameness(flow, node);
  if (same !== undefined) return void flow.block.next.push(same ? yes : no);
  const assignment = assignmentIn(node);
  if (assignment) flow.follow(assignment, LOOK);
  const check = conditionCheck(flow, node);
  if (check) return tell(flow, check, outcomes);
  if (!assignment) flow.follow(node, LOOK);
  flow.block.next.push(yes, no);
}

/** Two names never hold one port, so that `a === b` is false. */
function sameness(flow: Flow, node: s.SyntaxNode): boolean | undefined {
  const isEqual = COMPARISONS.get(s.word(node, "operator"));
  if (isEqual === undefined || node.type !== "BinaryExpression") return undefined;
  const left = portPlace(flow, s.part(node, "left"));
  const right = portPlace(flow, s.part(node, "right"));
  const areTwo = left && right && left.binding !== right.binding;
  const isSure = areTwo && [left, right].every(({ binding }) => {
    const type = flow.types.ofBinding(binding);
    return isLinearType(type) && !type.isLoan && !type.isNullable;
  });
  return isSure ? !isEqual : undefined;
}

/** What a question does first: `while (!(look = port.query()).arrived)`. */
function assignmentIn(node: s.SyntaxNode): s.SyntaxNode | undefined {
  const operand = s.bare(s.child(node, "object") ?? s.child(node, "left") ?? node);
  return [node, operand].find(({ type }) => type === "AssignmentExpression");
}

/** `(count++, count < 3)` asks what its last part asks. */
function followLast(flow: Flow, node: s.SyntaxNode, outcomes: Outcomes): void {
  const parts = s.children(node, "expressions");
  for (const one of parts.slice(0, -1)) flow.follow(one, DROP);
  followCondition(flow, parts.at(-1) ?? s.part(node, ""), outcomes);
}

function followLogical(flow: Flow, node: s.SyntaxNode, { yes, no }: Outcomes): void {
  const operator = s.word(node, "operator");
  const right = flow.newBlock();
  if (operator === "&&") followCondition(flow, s.part(node, "left"), { yes: right, no });
  else if (operator === "||") followCondition(flow, s.part(node, "left"), { yes, no: right });
  else {
    flow.follow(s.part(node, "left"), LOOK);
    flow.block.next.push(yes, no, right);
  }
  flow.block = right;
  followCondition(flow, s.part(node, "right"), { yes, no });
}

/** Sends each answer its way, with what it says. */
export function tell(flow: Flow, { place, isNegated }: Check, { yes, no }: Outcomes): void {
  const asking = flow.block;
  const outcomes = isNegated ? { present: no, absent: yes } : { present: yes, absent: no };
  for (const act of ["present", "absent"] as const) {
    flow.block = asking;
    flow.continueIn(flow.newBlock());
    flow.emit(act, place.binding, { node: place.node });
    flow.block.next.push(outcomes[act]);
  }
}
