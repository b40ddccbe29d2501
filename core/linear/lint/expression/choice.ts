import { followCondition } from "./condition.ts";
import { followExpression } from "./expression.ts";
import type { Demand, Flow } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { placeOf, supply } from "../flow/place.ts";
import { child, part, type SyntaxNode, word } from "../syntax/syntax.ts";

/** `a ? b : c`, `a && b`, `a || b` and `a ?? b`: only one of the values is taken. */
export function followChoice(flow: Flow, node: SyntaxNode, demand: Demand): void {
  const yes = new Block();
  const no = new Block();
  const after = new Block();
  const values = valuesOf(node);
  const test = child(node, "test") ?? part(node, "left");
  followTest(flow, node, { test, yes, no, demand });
  flow.block = yes;
  if (values.yes) followExpression(flow, values.yes, demand);
  else if (word(node, "operator") === "||") supplyAgain(flow, test, demand);
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

/** `??` asks whether there is a value at all, which no condition of ours can tell. */
function followTest(
  flow: Flow,
  node: SyntaxNode,
  { test, yes, no, demand }: {
    readonly test: SyntaxNode;
    readonly yes: Block;
    readonly no: Block;
    readonly demand: Demand;
  },
): void {
  if (word(node, "operator") !== "??") return followCondition(flow, test, { yes, no });
  followExpression(flow, test, demand);
  flow.block.next.push(yes, no);
}

/** The left side of `||` was looked at by the condition; now its value is taken. */
function supplyAgain(flow: Flow, left: SyntaxNode, demand: Demand): void {
  const place = placeOf(flow, left);
  if (place) supply(flow, place, demand);
}
