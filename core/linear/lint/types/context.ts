import type { Scope } from "../syntax/scope.ts";
import { bare, child, children, isFunction, keyName, type SyntaxNode } from "../syntax/syntax.ts";
import { objectScope } from "./class.ts";
import { lent, PORT, type Type } from "../value/value_type.ts";
import type { Inference } from "./inference.ts";

/** What a place expects of the value that is written there. */
export interface Expectation {
  readonly expected: Type | undefined;
  readonly scope: Scope;
}

/** Tells the functions inside a value what the place where it goes will call them with. */
export function teachContext(types: Inference, value: SyntaxNode, context: Expectation): void {
  const { expected, scope } = context;
  const node = bare(value);
  if (!expected) return;
  if (isFunction(node)) return teachFunction(types, node, context);
  switch (node.type) {
    case "ObjectExpression":
      return teachMembers(types, node, context);
    case "ArrayExpression":
    case "NewExpression":
      return teachElements(types, node, context);
    case "ConditionalExpression":
      for (const branch of ["consequent", "alternate"]) {
        const inner = child(node, branch);
        if (inner) teachContext(types, inner, { expected, scope });
      }
  }
}

function teachFunction(types: Inference, node: SyntaxNode, { expected, scope }: Expectation): void {
  const local = types.functionAt(node, scope);
  const own = types.of(node, scope);
  if (own?.kind !== "function" || !expected) return;
  if (expected.kind === "handler") {
    types.teachUse(local, "isHandler");
    return types.teachInput(own, PORT);
  }
  if (expected.kind !== "function") return;
  const isTaken = expected.takesPorts?.() === true;
  for (const index of children(node, "params").keys()) {
    const type = isTaken ? expected.parameter(index) : lent(expected.parameter(index));
    if (!type || own.parameter(index)) continue;
    types.teach(local, index, { type, isReference: false, isGiven: false });
  }
}

function teachMembers(types: Inference, node: SyntaxNode, { expected, scope }: Expectation): void {
  if (expected?.kind !== "object") return;
  const inner = objectScope(types, node, scope);
  for (const property of children(node, "properties")) {
    const key = child(property, "key");
    const value = child(property, "value");
    const member = key && expected.member(keyName(key));
    if (value) teachContext(types, value, { expected: member, scope: inner });
  }
}

/** `[f, g]`, `new Set([f])`, `new Map([[1, f]])`. */
function teachElements(types: Inference, node: SyntaxNode, { expected, scope }: Expectation): void {
  if (expected?.kind !== "list") return;
  const list = node.type === "NewExpression" ? children(node, "arguments")[0] : node;
  for (const one of list ? children(bare(list), "elements") : []) {
    const value = expected.isMap ? children(bare(one), "elements")[1] : one;
    if (value) teachContext(types, value, { expected: expected.element, scope });
  }
}
