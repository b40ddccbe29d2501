import { followExpression } from "../expression/expression.ts";
import { followFunction } from "./function.ts";
import { ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import type { Scope } from "../syntax/scope.ts";
import { followBlock } from "../statement/statement.ts";
import { child, children, flag, isFunction, part, type SyntaxNode } from "../syntax/syntax.ts";
import { classScopes } from "../types/class.ts";
import { teachContext } from "../types/context.ts";

/** Follows the methods and initialisers of a class. */
export function followClass(flow: Flow, node: SyntaxNode): void {
  const base = child(node, "superClass");
  if (base) followExpression(flow, base, LOOK);
  followDecorators(flow, node);
  const { ofInstance, ofClass } = classScopes(flow.types, node, flow.scope);
  const outer = flow.scope;
  for (const member of children(part(node, "body"), "body")) {
    const isStatic = member.type === "StaticBlock" || flag(member, "static");
    flow.scope = isStatic ? ofClass : ofInstance;
    followMember(flow, member, flow.scope);
  }
  flow.scope = outer;
}

function followMember(flow: Flow, member: SyntaxNode, scope: Scope): void {
  followDecorators(flow, member);
  if (member.type === "StaticBlock") return followBlock(flow, child(member, "body") ?? member);
  const value = child(member, "value");
  if (!value) return;
  const expected = flow.types.annotated(child(member, "typeAnnotation"), scope);
  teachContext(flow.types, value, { expected, scope });
  if (isFunction(value)) followFunction(flow, flow.types.functionAt(value, scope));
  else followExpression(flow, value, ESCAPE);
}

function followDecorators(flow: Flow, node: SyntaxNode): void {
  for (const one of children(node, "decorators")) {
    const expression = child(one, "expression");
    if (expression) followExpression(flow, expression, ESCAPE);
  }
}
