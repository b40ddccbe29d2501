import { followCondition } from "./condition.ts";
import { followExpression } from "./expression.ts";
import type { Demand, Flow } from "../flow/flow.ts";
import { placeOf, supply } from "../flow/place.ts";
import { isLinearType } from "../value/value_type.ts";
import { child, part, type SyntaxNode, word } from "../syntax/syntax.ts";

/** `a ? b : c`, `a && b`, `a || b` and `a ?? b`: only one of the values is taken. */
export function followChoice(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const yes = flow.newBlock();
  const no = flow.newBlock();
  const after = flow.newBlock();
  const values = valuesOf(node);
  const test = child(node, "test") ?? part(node, "left");
  const isTaken = takesLeft(flow, node, test);
  if (isTaken) followLeft(flow, test, { yes, no, demand });
  else followCondition(flow, test, { yes, no });
  flow.block = yes;
  if (values.yes) followExpression(flow, values.yes, demand);
  else if (!isTaken && word(node, "operator") !== "&&") supplyAgain(flow, test, demand);
  flow.block.next.push(after);
  flow.block = no;
  if (values.no) followExpression(flow, values.no, demand);
  flow.continueIn(after);
}

interface Values {
  readonly yes: SyntaxNode | undefined;
  readonly no: SyntaxNode | undefined;
}

function valuesOf(node: SyntaxNode): Values {
  const right = child(node, "right");
  switch (word(node, "operator")) {
    case "&&":
      return { yes: right, no: undefined };
    case "||":
    case "??":
      return { yes: undefined, no: right };
    default:
      return { yes: child(node, "consequent"), no: child(node, "alternate") };
  }
}

/** Whether the left side gives the value itself, unless it is a name whose state tells. */
function takesLeft(flow: Flow, node: SyntaxNode, left: SyntaxNode): boolean {
  const operator = word(node, "operator");
  const place = placeOf(flow, left);
  if (operator === "??") return place?.kind !== "port";
  return operator === "||" && !place && isLinearType(flow.typeOf(left));
}

function followLeft(
  flow: Flow,
  left: SyntaxNode,
  { yes, no, demand }: {
    readonly yes: ReturnType<Flow["newBlock"]>;
    readonly no: ReturnType<Flow["newBlock"]>;
    readonly demand: Demand;
  },
): void {
  followExpression(flow, left, demand);
  flow.block.next.push(yes, no);
}

/** The left side was looked at by the condition; now its value is taken. */
function supplyAgain(flow: Flow, left: SyntaxNode, demand: Demand): void {
  const place = placeOf(flow, left);
  if (place) supply(flow, place, demand);
}
