import { allOf } from "../library/iteration.ts";
import { Run, type Steps } from "../path/run.ts";
import { Scope } from "../path/scope.ts";
import { isLinear, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";

/** What a name or a literal gives, without the trouble of waiting for it. */
export function quick(node: ts.Node, scope: Scope): { readonly value: Value } | undefined {
  switch (node.kind) {
    case ts.SyntaxKind.Identifier:
      return scope.find((node as ts.Identifier).text);
    case ts.SyntaxKind.NumericLiteral:
      if (scope.run.isAnyNumber) return undefined;
      return { value: Number((node as ts.NumericLiteral).text) };
    case ts.SyntaxKind.StringLiteral:
      return { value: (node as ts.StringLiteral).text };
    default:
      return undefined;
  }
}

/** The values of some expressions, of which `...` may be some. */
export function* evaluateAll(
  run: Run,
  nodes: readonly ts.Node[],
  scope: Scope,
): Steps<Value[]> {
  const values: Value[] = [];
  for (const node of nodes) {
    if (ts.isOmittedExpression(node)) values.push(undefined);
    else if (ts.isSpreadElement(node)) {
      const whole = yield* run.interpreter.evaluate(run, node.expression, scope);
      values.push(...yield* allOf(whole, { node, scope }));
    } else {
      const known = quick(node, scope);
      const value = known ? known.value : yield* run.interpreter.evaluate(run, node, scope);
      if (isLinear(value)) {
        value.isShared = true;
        if (node.getSourceFile() === run.file.source) value.givenAt = node;
      }
      values.push(value);
    }
  }
  return values;
}
