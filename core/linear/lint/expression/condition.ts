import { type Check, conditionCheck } from "./check.ts";
import { followExpression } from "./expression.ts";
import { DROP, type Flow, LOOK } from "../flow/flow.ts";
import type { Block } from "../flow/graph.ts";
import { bare, child, children, literal, part, type SyntaxNode, word } from "../syntax/syntax.ts";

/** Where a condition leads. */
export interface Outcomes {
  readonly yes: Block;
  readonly no: Block;
}

/** Follows a condition, and tells each outcome what it shows. */
export function followCondition(flow: Flow, expression: SyntaxNode, outcomes: Outcomes): void {
  flow.deeper(expression, () => followTest(flow, bare(expression), outcomes));
}

function followTest(flow: Flow, node: SyntaxNode, outcomes: Outcomes): void {
  const { yes, no } = outcomes;
  if (node.type === "UnaryExpression" && word(node, "operator") === "!") {
    return followCondition(flow, part(node, "argument"), { yes: no, no: yes });
  }
  if (node.type === "LogicalExpression") return followLogical(flow, node, outcomes);
  if (node.type === "SequenceExpression") return followLast(flow, node, outcomes);
  if (node.type === "Literal") return void flow.block.next.push(literal(node) ? yes : no);
  const assignment = assignmentIn(node);
  if (assignment) followExpression(flow, assignment, LOOK);
  const check = conditionCheck(flow, node);
  if (check) return tell(flow, check, outcomes);
  if (!assignment) followExpression(flow, node, LOOK);
  flow.block.next.push(yes, no);
}

/** What a question does first: `while (!(look = port.query()).arrived)`. */
function assignmentIn(node: SyntaxNode): SyntaxNode | undefined {
  const operand = bare(child(node, "object") ?? child(node, "left") ?? node);
  return [node, operand].find(({ type }) => type === "AssignmentExpression");
}

/** `(count++, count < 3)` asks what its last part asks. */
function followLast(flow: Flow, node: SyntaxNode, outcomes: Outcomes): void {
  const parts = children(node, "expressions");
  for (const one of parts.slice(0, -1)) followExpression(flow, one, DROP);
  followCondition(flow, parts.at(-1) ?? part(node, ""), outcomes);
}

function followLogical(flow: Flow, node: SyntaxNode, { yes, no }: Outcomes): void {
  const operator = word(node, "operator");
  const right = flow.newBlock();
  if (operator === "&&") followCondition(flow, part(node, "left"), { yes: right, no });
  else if (operator === "||") followCondition(flow, part(node, "left"), { yes, no: right });
  else {
    followExpression(flow, part(node, "left"), LOOK);
    flow.block.next.push(yes, no, right);
  }
  flow.block = right;
  followCondition(flow, part(node, "right"), { yes, no });
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
