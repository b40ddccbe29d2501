import type { Scope } from "../syntax/scope.ts";
import { child, children, type SyntaxNode } from "../syntax/syntax.ts";
import { literalText } from "../value/literals.ts";
import type { Inference } from "./inference.ts";

/** Whether one of the cases of a `switch` is taken: only the compiler can tell where no type is. */
export type Coverage = "all" | "some" | "unknown";

/**
 * How much a `switch` covers, its `default` left out. Of a value whose type is not in this file
 * nobody knows; names of which there are two or more may be all.
 */
export function coverageOf(types: Inference, node: SyntaxNode, scope: Scope): Coverage {
  const tests = children(node, "cases").flatMap((one) => child(one, "test") ?? []);
  const subject = child(node, "discriminant");
  const type = types.of(subject, scope);
  const texts = new Set(tests.map(literalText));
  if (type?.kind === "literals") return type.texts?.isSubsetOf(texts) ? "all" : "some";
  const isPlain = subject?.type === "Identifier" || subject?.type === "MemberExpression";
  return isPlain && texts.size > 1 && tests.every(isName) ? "unknown" : "some";
}

/** Whether a case is one of some names: `"ready"`, `State.ready`. */
function isName(test: SyntaxNode): boolean {
  const text = literalText(test);
  return text !== undefined && (text.startsWith('"') || test.type === "MemberExpression");
}
