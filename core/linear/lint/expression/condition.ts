import { DROP, type Flow, LOOK } from "../flow/flow.ts";
import { askedPlace, type Place, placeOf } from "../flow/place.ts";
import { ts } from "../program/compiler.ts";
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
export function checkOf(flow: Flow, expression: ts.Node): Check | undefined {
  const node = s.bare(expression);
  if (s.isNegation(node)) return negated(conditionCheck(flow, node.operand));
  if (ts.isBinaryExpression(node)) return comparisonCheck(flow, node);
  if (ts.isCallExpression(node)) {
    const [input] = node.arguments;
    const isCast = s.nameOf(node.expression) === "Boolean";
    return isCast && input ? conditionCheck(flow, input) : undefined;
  }
  return ts.isIdentifier(node) ? flow.bindingOf(node)?.check : saysPresent(askedPlace(flow, node));
}

/** As {@linkcode checkOf}, for a place where a port by itself is a question, too. */
function conditionCheck(flow: Flow, expression: ts.Node): Check | undefined {
  return checkOf(flow, expression) ?? saysPresent(portPlace(flow, expression));
}

function saysPresent(place: Place | undefined): Check | undefined {
  return place && { place, isNegated: false };
}

function negated(check: Check | undefined, isNegated = true): Check | undefined {
  return check && isNegated ? { ...check, isNegated: !check.isNegated } : check;
}

function portPlace(flow: Flow, node: ts.Node): Place | undefined {
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
function comparisonCheck(flow: Flow, node: ts.BinaryExpression): Check | undefined {
  const { left, right } = node;
  const operator = s.operatorOf(node);
  if (operator === "instanceof") return saysPresent(portPlace(flow, left));
  const isEqual = COMPARISONS.get(operator);
  if (isEqual === undefined) return undefined;
  const answer = equalityCheck(flow, left, right) ?? equalityCheck(flow, right, left);
  return negated(answer, !isEqual);
}

/** What it says that `subject` is equal to a constant. */
export function equalityCheck(
  flow: Flow,
  subject: ts.Node,
  constant: ts.Node,
): Check | undefined {
  const value = s.constantOf(s.plain(constant));
  if (value === undefined) return undefined;
  const node = s.bare(subject);
  if (ts.isTypeOfExpression(node)) return typeofCheck(flow, node.expression, value);
  if (value === "true" || value === "false") return negated(checkOf(flow, node), value === "false");
  const isNothing = value === "undefined" || value === "null";
  return isNothing ? negated(saysPresent(portPlace(flow, guarded(node)))) : undefined;
}

/** `port?.index` is `undefined` exactly where `port` is. */
function guarded(node: ts.Node): ts.Node {
  return s.isAccess(node) && node.questionDotToken ? node.expression : node;
}

function typeofCheck(flow: Flow, argument: ts.Node, type: string): Check | undefined {
  if (type !== "string undefined" && type !== "string object") return undefined;
  return negated(saysPresent(portPlace(flow, argument)), type === "string undefined");
}

/** Where a condition leads. */
export interface Outcomes {
  readonly yes: Block;
  readonly no: Block;
}

/** Follows a condition, and tells each outcome what it shows. */
export function followCondition(flow: Flow, expression: ts.Node, outcomes: Outcomes): void {
  flow.deeper(expression, () => followTest(flow, s.bare(expression), outcomes));
}

function followTest(flow: Flow, node: ts.Node, outcomes: Outcomes): void {
  const { yes, no } = outcomes;
  if (s.isNegation(node)) return followCondition(flow, node.operand, { yes: no, no: yes });
  if (s.isLogical(node)) return followLogical(flow, node, outcomes);
  if (s.isSequence(node)) {
    flow.follow(node.left, DROP);
    return followCondition(flow, node.right, outcomes);
  }
  const constant = ts.isIdentifier(node) ? undefined : s.constantOf(node);
  if (constant !== undefined) return void flow.block.next.push(FALSY.has(constant) ? no : yes);
  const same = sameness(flow, node);
  if (same !== undefined) return void flow.block.next.push(same ? yes : no);
  const assignment = assignmentIn(node);
  if (assignment) flow.follow(assignment, LOOK);
  const check = conditionCheck(flow, node);
  if (check) return tell(flow, check, outcomes);
  if (!assignment) flow.follow(node, LOOK);
  flow.block.next.push(yes, no);
}

/** Constants that are no, as text. */
const FALSY: ReadonlySet<string> = new Set(["0", "false", "null", "string ", "undefined"]);

/** Two names never hold one port, so that `a === b` is false. */
function sameness(flow: Flow, node: ts.Node): boolean | undefined {
  const isEqual = COMPARISONS.get(s.operatorOf(node));
  if (isEqual === undefined || !ts.isBinaryExpression(node)) return undefined;
  const left = portPlace(flow, node.left);
  const right = portPlace(flow, node.right);
  const areTwo = left && right && left.binding !== right.binding;
  const isSure = areTwo && [left, right].every(({ binding }) => {
    const type = flow.types.ofBinding(binding);
    return isLinearType(type) && !type.isLoan && !type.isNullable;
  });
  return isSure ? !isEqual : undefined;
}

/** What a question does first: `while (!(look = port.query()).arrived)`. */
function assignmentIn(node: ts.Node): ts.Node | undefined {
  if (s.isAssignment(node)) return node;
  const operand = s.isAccess(node)
    ? s.bare(node.expression)
    : ts.isBinaryExpression(node)
    ? s.bare(node.left)
    : undefined;
  return operand && s.isAssignment(operand) ? operand : undefined;
}

function followLogical(flow: Flow, node: ts.BinaryExpression, { yes, no }: Outcomes): void {
  const operator = s.operatorOf(node);
  const right = flow.newBlock();
  if (operator === "&&") followCondition(flow, node.left, { yes: right, no });
  else if (operator === "||") followCondition(flow, node.left, { yes, no: right });
  else {
    flow.follow(node.left, LOOK);
    flow.block.next.push(yes, no, right);
  }
  flow.block = right;
  followCondition(flow, node.right, { yes, no });
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
