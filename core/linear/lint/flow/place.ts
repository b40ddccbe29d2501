import type { Demand, Flow } from "./flow.ts";
import { isContainer } from "../syntax/kind.ts";
import type { Binding } from "../syntax/scope.ts";
import { bare, part, propertyName, type SyntaxNode, word } from "../syntax/syntax.ts";
import { isLinear, type LinearKind } from "../syntax/vocabulary.ts";

/** A linear value that the rules can follow: a name, or the `value` of a name. */
export interface Place {
  readonly binding: Binding;
  readonly node: SyntaxNode;
  readonly kind: LinearKind;
  /** Whether it is the port inside a `Maybe` or `Either`. */
  readonly inside: boolean;
}

/** The place that an expression names, if it names one. */
export function placeOf(flow: Flow, expression: SyntaxNode): Place | undefined {
  const node = bare(expression);
  if (node.type === "Identifier") return namedPlace(flow, node);
  if (node.type !== "MemberExpression" || propertyName(node) !== "value") return undefined;
  const holder = placeOf(flow, part(node, "object"));
  if (!holder || holder.inside || !isContainer(holder.kind)) return undefined;
  return { ...holder, node, kind: "port", inside: true };
}

function namedPlace(flow: Flow, node: SyntaxNode): Place | undefined {
  const binding = flow.scope.resolve(word(node, "name"));
  const kind = binding && flow.kinds.ofBinding(binding);
  return binding && isLinear(kind) ? { binding, node, kind, inside: false } : undefined;
}

/** Does to a place what its value is wanted for. */
export function supply(flow: Flow, place: Place, demand: Demand): void {
  const { binding, node, inside } = place;
  if (demand.act === "drop" || demand.act === "look") return;
  flow.emit(demand.act, binding, { node, inside, by: demand.by });
}
