import { followExpression } from "./expression.ts";
import { followFunction, handOn } from "../function/function.ts";
import { type Demand, ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import { bare, child, children, flag, isFunction, type SyntaxNode } from "../syntax/syntax.ts";
import { objectScope } from "../types/class.ts";
import { teachContext } from "../types/context.ts";

/** `{ a: port, b() {}, ...c }`: the object has what is in it. */
export function followObject(flow: Flow, node: SyntaxNode): void {
  const scope = objectScope(flow.types, node, flow.scope);
  for (const property of children(node, "properties")) {
    const key = child(property, "key");
    const isComputed = flag(property, "computed") && key?.type !== "Identifier";
    if (key && isComputed) followExpression(flow, key, LOOK);
    const value = child(property, "value") ?? child(property, "argument");
    if (!value) continue;
    if (isFunction(bare(value))) {
      const local = flow.types.functionAt(bare(value), scope);
      local.isStored = true;
      followFunction(flow, local);
      handOn(flow, flow.types.of(bare(value), scope));
    } else followExpression(flow, value, ESCAPE);
  }
}

/** Whether an expression says what a value is. */
export function isCast({ type }: SyntaxNode): boolean {
  return type === "TSAsExpression" || type === "TSSatisfiesExpression" ||
    type === "TSTypeAssertion";
}

/** What a value is said to be tells the functions in it what they are called with. */
export function followCast(flow: Flow, expression: SyntaxNode, demand: Demand): void {
  const annotation = child(expression, "typeAnnotation");
  const inner = child(expression, "expression");
  if (!annotation || !inner) return;
  if (annotation.type === "TSNeverKeyword" && isImpossible(expression, demand)) return flow.stop();
  const expected = flow.types.annotated(annotation, flow.scope);
  teachContext(flow.types, inner, { expected, scope: flow.scope });
}

/**
 * Whether `never` says that no run comes here. The compiler sees to it that it is so of `satisfies`;
 * `as never`, where somebody goes on with the value, only makes a value fit.
 */
function isImpossible({ type }: SyntaxNode, { act, by }: Demand): boolean {
  return type === "TSSatisfiesExpression" || act === "drop" || by === "return";
}
