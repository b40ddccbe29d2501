import { assignPattern } from "../expression/assignment.ts";
import { followCondition } from "../expression/condition.ts";
import { followExpression } from "../expression/expression.ts";
import { DROP, ESCAPE, type Flow } from "../flow/flow.ts";
import { Block } from "../flow/graph.ts";
import { Scope } from "../syntax/scope.ts";
import { followStatement } from "./statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `while` and `do while`. */
export function followWhile(flow: Flow, node: SyntaxNode, label: string): void {
  const body = new Block();
  const test = new Block();
  const after = new Block();
  flow.block.next.push(node.type === "DoWhileStatement" ? body : test);
  flow.block = test;
  followCondition(flow, part(node, "test"), { yes: body, no: after });
  flow.block = body;
  followBody(flow, child(node, "body"), { label, breakTo: after, continueTo: test });
  flow.block.next.push(test);
  flow.block = after;
}

/** `for (init; test; update)`. */
export function followFor(flow: Flow, node: SyntaxNode, label: string): void {
  const init = child(node, "init");
  const scope = new Scope(flow.scope, flow.scope.depth);
  if (init) scope.hoist([init]);
  flow.withScope(scope, () => {
    if (init?.type === "VariableDeclaration") followStatement(flow, init);
    else if (init) followExpression(flow, init, DROP);
    followForRounds(flow, node, label);
  }, node);
}

function followForRounds(flow: Flow, node: SyntaxNode, label: string): void {
  const test = new Block();
  const body = new Block();
  const update = new Block();
  const after = new Block();
  flow.continueIn(test);
  const condition = child(node, "test");
  if (condition) followCondition(flow, condition, { yes: body, no: after });
  else flow.block.next.push(body);
  flow.block = body;
  followBody(flow, child(node, "body"), { label, breakTo: after, continueTo: update });
  flow.continueIn(update);
  const change = child(node, "update");
  if (change) followExpression(flow, change, DROP);
  flow.block.next.push(test);
  flow.block = after;
}

/** `for of`, `for await of` and `for in`: what the elements are is not known. */
export function followForEach(flow: Flow, node: SyntaxNode, label: string): void {
  followExpression(flow, part(node, "right"), ESCAPE);
  const round = new Block();
  const after = new Block();
  flow.continueIn(round);
  round.next.push(after);
  flow.mayThrow();
  const left = part(node, "left");
  const scope = new Scope(flow.scope, flow.scope.depth);
  scope.hoist([left]);
  flow.continueIn(new Block());
  flow.withScope(scope, () => {
    assignPattern(flow, patternOf(left), { isDeclaration: left.type === "VariableDeclaration" });
    followBody(flow, child(node, "body"), { label, breakTo: after, continueTo: round });
  }, node);
  flow.block.next.push(round);
  flow.block = after;
}

function patternOf(left: SyntaxNode): SyntaxNode {
  const declarator = children(left, "declarations")[0];
  return (declarator && child(declarator, "id")) ?? left;
}

function followBody(
  flow: Flow,
  body: SyntaxNode | undefined,
  target: { readonly label: string; readonly breakTo: Block; readonly continueTo: Block },
): void {
  flow.within({ kind: "target", ...target, takesBareBreak: true }, () => {
    followStatement(flow, body);
  });
}
