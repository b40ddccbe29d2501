import { followExpression } from "./expression.ts";
import { ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import { Scope } from "../syntax/scope.ts";
import { followBlock } from "../statement/statement.ts";
import { child, children, part, type SyntaxNode } from "../syntax/syntax.ts";

/** Follows the methods and initialisers of a class. */
export function followClass(flow: Flow, node: SyntaxNode): void {
  const base = child(node, "superClass");
  if (base) followExpression(flow, base, LOOK);
  const body = part(node, "body");
  const scope = new Scope(flow.scope, flow.scope.depth);
  scope.hoistFields(body);
  flow.withScope(scope, () => {
    for (const member of children(body, "body")) followMember(flow, member);
  }, node);
}

function followMember(flow: Flow, member: SyntaxNode): void {
  if (member.type === "StaticBlock") return followBlock(flow, child(member, "body") ?? member);
  const value = child(member, "value");
  if (value) followExpression(flow, value, ESCAPE);
}
