import { followCondition } from "./condition.ts";
import { followExpression } from "./expression.ts";
import { type Flow, LOOK } from "./flow.ts";
import { Block } from "./graph.ts";
import { Scope } from "./scope.ts";
import { followStatement } from "./statement.ts";
import { child, children, type SyntaxNode } from "./syntax.ts";

/** `if`, with what the condition tells in each branch. */
export function followIf(flow: Flow, node: SyntaxNode): void {
  const yes = new Block();
  const no = new Block();
  const after = new Block();
  followCondition(flow, child(node, "test")!, { yes, no });
  flow.block = yes;
  followStatement(flow, child(node, "consequent"));
  flow.block.next.push(after);
  flow.block = no;
  followStatement(flow, child(node, "alternate"));
  flow.continueIn(after);
}

/** `switch`, with cases that fall through. */
export function followSwitch(flow: Flow, node: SyntaxNode, label: string): void {
  followExpression(flow, child(node, "discriminant")!, LOOK);
  const cases = children(node, "cases");
  const breakTo = new Block();
  const bodies = cases.map(() => new Block());
  followTests(flow, cases, bodies, breakTo);
  const scope = new Scope(flow.scope, flow.scope.depth);
  const target = { kind: "target", label, breakTo, takesBareBreak: true } as const;
  flow.within(target, () => {
    flow.stop();
    flow.withScope(scope, () => followCases(flow, cases, bodies), node);
  });
  flow.continueIn(breakTo);
}

/** The tests run in order, whatever the place of `default`. */
function followTests(
  flow: Flow,
  cases: readonly SyntaxNode[],
  bodies: readonly Block[],
  noMatch: Block,
): void {
  let otherwise = noMatch;
  for (const [index, one] of cases.entries()) {
    const test = child(one, "test");
    if (!test) otherwise = bodies[index]!;
    else {
      followExpression(flow, test, LOOK);
      flow.block.next.push(bodies[index]!);
      flow.continueIn(new Block());
    }
  }
  flow.block.next.push(otherwise);
}

function followCases(flow: Flow, cases: readonly SyntaxNode[], bodies: readonly Block[]): void {
  flow.scope.hoist(cases.flatMap((one) => children(one, "consequent")));
  for (const [index, one] of cases.entries()) {
    flow.continueIn(bodies[index]!);
    for (const statement of children(one, "consequent")) followStatement(flow, statement);
  }
}
