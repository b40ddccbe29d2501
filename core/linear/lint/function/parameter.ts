import { followExpression } from "../expression/expression.ts";
import { ESCAPE, type Flow } from "../flow/flow.ts";
import type { Binding, LocalFunction } from "../syntax/scope.ts";
import { boundIdentifiers, child, children, type SyntaxNode, word } from "../syntax/syntax.ts";
import { returnType } from "../value/shape.ts";
import { isLinearType, type LinearType } from "../value/value_type.ts";

/** The parameters of a function get what its callers give. */
export function declareInputs(flow: Flow, local: LocalFunction): void {
  for (const [index, pattern] of children(local.node, "params").entries()) {
    followDefaults(flow, pattern);
    for (const id of boundIdentifiers(pattern)) {
      const binding = flow.scope.bindings.get(word(id, "name"));
      if (binding) declareInput(flow, binding, { local, index });
    }
  }
}

interface Input {
  readonly local: LocalFunction;
  readonly index: number;
}

function declareInput(flow: Flow, binding: Binding, { local, index }: Input): void {
  const type = flow.types.ofBinding(binding);
  const known = local.inputs[index];
  binding.isReference = known?.isReference === true && known.type.kind === type?.kind &&
    !isLinearType(annotatedType(flow, binding));
  binding.isGiven = known?.isGiven === true || (index === 0 && servesCalls(flow, local));
  if (isLinearType(type) && !binding.isReference) arriveAt(flow, binding, { local, type });
}

function arriveAt(
  flow: Flow,
  binding: Binding,
  { local, type }: { readonly local: LocalFunction; readonly type: LinearType },
): void {
  const isLoan = type.isLoan || returnType(local.node) === "TSTypePredicate";
  flow.emit("define", binding, { node: binding.node, isLoan, isNullable: type.isNullable });
}

function annotatedType(flow: Flow, { node, scope }: Binding) {
  return flow.types.annotated(child(node, "typeAnnotation"), scope);
}

/**
 * Whether what a function throws refuses a call: it is a handler, or looks like one, in a file that
 * calls nobody or in a table of functions of a file that registers handlers.
 */
function servesCalls(flow: Flow, { node, isHandler, isStored }: LocalFunction): boolean {
  if (isHandler) return true;
  const [input, ...others] = children(node, "params");
  if (!input || others.length > 0 || isSent(flow, input)) return false;
  return !flow.types.names.hasClient || (isStored && flow.words.has("register"));
}

/** Whether an annotation says that the packet is the other side's: a handler gets its own. */
function isSent(flow: Flow, input: SyntaxNode): boolean {
  const words = flow.words.within(child(input, "typeAnnotation")?.range ?? [0, 0]);
  return words.some((one) => one === "SentPort" || one === "false");
}

/** The default values inside a pattern. */
export function followDefaults(flow: Flow, pattern: SyntaxNode): void {
  if (pattern.type === "Identifier") return;
  const otherwise = pattern.type === "AssignmentPattern" ? child(pattern, "right") : undefined;
  if (otherwise) followExpression(flow, otherwise, ESCAPE);
  const inner = child(pattern, "left") ?? child(pattern, "parameter") ?? child(pattern, "argument");
  if (inner) followDefaults(flow, inner);
  for (const one of [...children(pattern, "properties"), ...children(pattern, "elements")]) {
    followDefaults(flow, child(one, "value") ?? one);
  }
}
