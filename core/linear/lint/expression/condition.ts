import { followExpression } from "./expression.ts";
import { type Flow, LOOK } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { isContainer } from "../syntax/kind.ts";
import { type Place, placeOf } from "../flow/place.ts";
import type { Act } from "../flow/port_state.ts";
import {
  bare,
  child,
  literal,
  part,
  propertyName,
  type SyntaxNode,
  word,
} from "../syntax/syntax.ts";
import { CHECKS } from "../syntax/vocabulary.ts";

/** Where a condition leads. */
export interface Outcomes {
  readonly yes: Block;
  readonly no: Block;
}

/** Follows a condition, and tells each outcome what it shows. */
export function followCondition(flow: Flow, expression: SyntaxNode, outcomes: Outcomes): void {
  const node = bare(expression);
  const { yes, no } = outcomes;
  switch (node.type) {
    case "UnaryExpression":
      if (word(node, "operator") !== "!") break;
      return followCondition(flow, part(node, "argument"), { yes: no, no: yes });
    case "LogicalExpression":
      return followLogical(flow, node, outcomes);
    case "BinaryExpression":
      return followComparison(flow, node, outcomes);
    case "Literal":
      return void flow.block.next.push(literal(node) ? yes : no);
  }
  const checked = checkedPlace(flow, node);
  if (checked) return tell(flow, checked, outcomes);
  followUnasked(flow, node);
  flow.block.next.push(yes, no);
}

/** Follows what {@linkcode checkedPlace} found to be no question about a port. */
function followUnasked(flow: Flow, node: SyntaxNode): void {
  if (bare(node).type !== "AssignmentExpression") followExpression(flow, node, LOOK);
}

function followLogical(flow: Flow, node: SyntaxNode, { yes, no }: Outcomes): void {
  const operator = word(node, "operator");
  const right = new Block();
  if (operator === "&&") followCondition(flow, part(node, "left"), { yes: right, no });
  else if (operator === "||") followCondition(flow, part(node, "left"), { yes, no: right });
  else {
    followExpression(flow, part(node, "left"), LOOK);
    flow.block.next.push(yes, no, right);
  }
  flow.block = right;
  followCondition(flow, part(node, "right"), { yes, no });
}

const COMPARISONS: ReadonlyMap<string, boolean> = new Map([
  ["===", true],
  ["==", true],
  ["!==", false],
  ["!=", false],
]);

/** `maybe.present === true`, `port !== undefined` and their kin. */
function followComparison(flow: Flow, node: SyntaxNode, { yes, no }: Outcomes): void {
  const left = part(node, "left");
  const right = part(node, "right");
  const isEqual = COMPARISONS.get(word(node, "operator"));
  const checked = checkedPlace(flow, left);
  const expected = checked && isEqual !== undefined ? truthOf(right) : undefined;
  if (checked && expected !== undefined) {
    return tell(flow, checked, isEqual === expected ? { yes, no } : { yes: no, no: yes });
  }
  if (!checked) followUnasked(flow, left);
  followExpression(flow, right, LOOK);
  flow.block.next.push(yes, no);
}

/** What a place that is equal to this constant shows: nothing but `true` is a yes. */
function truthOf(node: SyntaxNode): boolean | undefined {
  if (node.type === "Identifier" && word(node, "name") === "undefined") return false;
  const value = literal(node);
  return value === true || value === false || value === null ? value === true : undefined;
}

/** The place that `maybe.present`, `look.arrived`, `port` or `(port = next())` asks about. */
function checkedPlace(flow: Flow, expression: SyntaxNode): Place | undefined {
  const node = bare(expression);
  if (node.type === "Identifier") return checkedPort(flow, node);
  if (node.type === "AssignmentExpression") {
    followExpression(flow, node, LOOK);
    return checkedPort(flow, part(node, "left"));
  }
  const object = node.type === "MemberExpression" ? child(node, "object") : undefined;
  const place = object && placeOf(flow, object);
  if (!place || !isContainer(place.kind)) return undefined;
  return propertyName(node) === CHECKS[place.kind] ? place : undefined;
}

function checkedPort(flow: Flow, node: SyntaxNode): Place | undefined {
  const place = placeOf(flow, node);
  return place?.kind === "port" ? place : undefined;
}

function tell(flow: Flow, place: Place, { yes, no }: Outcomes): void {
  const asking = flow.block;
  const pairs: readonly (readonly [Act, Block])[] = [["present", yes], ["absent", no]];
  for (const [act, outcome] of pairs) {
    flow.block = asking;
    flow.continueIn(new Block());
    flow.emit(act, place.binding, { node: place.node });
    flow.block.next.push(outcome);
  }
}
