import { checkOf, equalityCheck } from "../expression/check.ts";
import { followCondition, tell } from "../expression/condition.ts";
import { followExpression } from "../expression/expression.ts";
import { type Flow, LOOK } from "../flow/flow.ts";
import type { Block } from "../flow/graph.ts";
import { followStatement } from "./statement.ts";
import type { Binding } from "../syntax/scope.ts";
import { type Coverage, coverageOf } from "../types/exhaustive.ts";
import { child, children, literal, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `if`, with what the condition tells in each branch; `else if` goes on without nesting. */
export function followIf(flow: Flow, node: SyntaxNode): void {
  const after = flow.newBlock();
  let current: SyntaxNode | undefined = node;
  while (current?.type === "IfStatement") {
    const yes = flow.newBlock();
    const no = flow.newBlock();
    followCondition(flow, part(current, "test"), { yes, no });
    flow.block = yes;
    followStatement(flow, child(current, "consequent"));
    flow.block.next.push(after);
    flow.block = no;
    current = child(current, "alternate");
  }
  followStatement(flow, current);
  flow.continueIn(after);
}

/** `switch`, with cases that fall through. */
export function followSwitch(flow: Flow, node: SyntaxNode, label: string): void {
  const subject = part(node, "discriminant");
  const cases = children(node, "cases");
  const breakTo = flow.newBlock();
  const noMatch = flow.newBlock();
  const bodies = cases.map(() => flow.newBlock());
  const coverage = coverageOf(flow.types, node, flow.scope);
  if (!checkOf(flow, subject)) followExpression(flow, subject, LOOK);
  followTests(flow, { subject, cases, bodies, noMatch, coverage });
  const target = { kind: "target", label, breakTo, takesBareBreak: true } as const;
  let consumed: ReadonlySet<Binding> = new Set();
  flow.within(target, () => {
    flow.stop();
    const scope = flow.types.statementScope(node, flow.scope);
    flow.withScope(scope, () => consumed = followCases(flow, cases, bodies), node);
  });
  flow.block.next.push(breakTo);
  if (coverage === "all") return void (flow.block = breakTo);
  flow.block = noMatch;
  if (coverage === "unknown") {
    for (const binding of consumed) flow.emit("release", binding, { node });
  }
  flow.continueIn(breakTo);
}

interface Tests {
  readonly subject: SyntaxNode;
  readonly cases: readonly SyntaxNode[];
  readonly bodies: readonly Block[];
  readonly noMatch: Block;
  readonly coverage: Coverage;
}

/** The tests run in order, whatever the place of `default`. */
function followTests(flow: Flow, tests: Tests): void {
  const { cases, bodies } = tests;
  let otherwise = tests.noMatch;
  for (const [index, one] of cases.entries()) {
    const test = child(one, "test");
    if (test) followCase(flow, { ...tests, test, body: bodies[index]! });
    else if (tests.coverage !== "all") otherwise = bodies[index]!;
  }
  flow.block.next.push(otherwise);
}

function followCase(
  flow: Flow,
  { subject, test, body }: Tests & { readonly test: SyntaxNode; readonly body: Block },
): void {
  const no = flow.newBlock();
  const check = equalityCheck(flow, subject, test);
  if (check) tell(flow, check, { yes: body, no });
  else if (literal(subject) === true) followCondition(flow, test, { yes: body, no });
  else {
    followExpression(flow, test, LOOK);
    flow.block.next.push(body, no);
  }
  flow.block = no;
}

/**
 * @returns what every case consumes. A `switch` whose value has a type that is not known here, and
 * that does so in each case, is meant to have all cases there are.
 */
function followCases(
  flow: Flow,
  cases: readonly SyntaxNode[],
  bodies: readonly Block[],
): ReadonlySet<Binding> {
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
