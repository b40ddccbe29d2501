import { assignPattern } from "../expression/assignment.ts";
import { followCondition } from "../expression/condition.ts";
import { followExpression } from "../expression/expression.ts";
import { DROP, ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import type { Block } from "../flow/graph.ts";
import { elementType } from "../types/hoist.ts";
import { followStatement } from "./statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** `while` and `do while`. */
export function followWhile(flow: Flow, node: SyntaxNode, label: string): void {
  const body = flow.newBlock();
  const test = flow.newBlock();
  const after = flow.newBlock();
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
  const scope = flow.types.statementScope(node, flow.scope);
  flow.withScope(scope, () => {
    if (init?.type === "VariableDeclaration") followStatement(flow, init);
    else if (init) followExpression(flow, init, DROP);
    followForRounds(flow, node, label);
  }, node);
}

function followForRounds(flow: Flow, node: SyntaxNode, label: string): void {
  const test = flow.newBlock();
  const body = flow.newBlock();
  const update = flow.newBlock();
  const after = flow.newBlock();
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
  const list = part(node, "right");
  const type = flow.typeOf(list);
  followExpression(flow, list, type?.kind === "list" ? LOOK : ESCAPE);
  const round = flow.newBlock();
  const after = flow.newBlock();
  flow.continueIn(round);
  round.next.push(after);
  flow.mayThrow();
  const left = part(node, "left");
  const scope = flow.types.statementScope(node, flow.scope);
  flow.continueIn(flow.newBlock());
  flow.withScope(scope, () => {
    assignPattern(flow, patternOf(left), {
      isDeclaration: left.type === "VariableDeclaration",
      type: elementType(type, node, flow.scope),
    });
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
