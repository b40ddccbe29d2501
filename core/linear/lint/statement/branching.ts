import { followCondition } from "../expression/condition.ts";
import { followExpression } from "../expression/expression.ts";
import { type Flow, LOOK } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { type Binding, Scope } from "../syntax/scope.ts";
import { followStatement } from "./statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `if`, with what the condition tells in each branch. */
export function followIf(flow: Flow, node: SyntaxNode): void {
  const yes = new Block();
  const no = new Block();
  const after = new Block();
  followCondition(flow, part(node, "test"), { yes, no });
  flow.block = yes;
  followStatement(flow, child(node, "consequent"));
  flow.block.next.push(after);
  flow.block = no;
  followStatement(flow, child(node, "alternate"));
  flow.continueIn(after);
}

/** `switch`, with cases that fall through. */
export function followSwitch(flow: Flow, node: SyntaxNode, label: string): void {
  followExpression(flow, part(node, "discriminant"), LOOK);
  const cases = children(node, "cases");
  const breakTo = new Block();
  const noMatch = new Block();
  const bodies = cases.map(() => new Block());
  followTests(flow, cases, bodies, noMatch);
  const scope = new Scope(flow.scope, flow.scope.depth);
  let consumed: ReadonlySet<Binding> = new Set();
  const target = { kind: "target", label, breakTo, takesBareBreak: true } as const;
  flow.within(target, () => {
    flow.stop();
    flow.withScope(scope, () => consumed = followCases(flow, cases, bodies), node);
  });
  flow.block.next.push(breakTo);
  flow.block = noMatch;
  for (const binding of consumed) flow.emit("release", binding, { node });
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

/**
 * @returns what every case consumes. A `switch` without `default` that does so in each case is meant
 * to have all cases there are; whether it has, only the compiler can tell.
 */
function followCases(
  flow: Flow,
  cases: readonly SyntaxNode[],
  bodies: readonly Block[],
): ReadonlySet<Binding> {
  flow.scope.hoist(cases.flatMap((one) => children(one, "consequent")));
  const logs: Set<Binding>[] = [];
  for (const [index, one] of cases.entries()) {
    flow.continueIn(bodies[index]!);
    const statements = children(one, "consequent");
    const log = flow.logConsumption(() => {
      for (const statement of statements) followStatement(flow, statement);
    });
    if (statements.length > 0) logs.push(log);
  }
  return logs.reduce((common, log) => common.intersection(log), logs[0] ?? new Set());
}
