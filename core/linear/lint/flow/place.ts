import type { Demand, Flow } from "./flow.ts";
import { isCheck } from "../types/member.ts";
import type { Binding } from "../syntax/scope.ts";
import { bare, child, part, propertyName, type SyntaxNode, word } from "../syntax/syntax.ts";
import { isContainer, isLinearType } from "../value/value_type.ts";
import type { LinearKind } from "../syntax/vocabulary.ts";

/** A linear value that the rules can follow: a name, or the `value` of a name. */
export interface Place {
  readonly binding: Binding;
  readonly node: SyntaxNode;
  readonly kind: LinearKind;
  /** Whether it is the port inside a `Maybe` or `Either`. */
  readonly inside: boolean;
}

/**
 * The place that an expression names, if it names one.
 *
 * @param isAssigned whether the assignments in it were followed already, so that `(a = b)` names `a`
 */
export function placeOf(
  flow: Flow,
  expression: SyntaxNode,
  isAssigned = false,
): Place | undefined {
  const node = bare(expression);
  if (isAssigned && node.type === "AssignmentExpression") {
    return placeOf(flow, part(node, "left"));
  }
  if (node.type === "Identifier") return namedPlace(flow, node);
  if (node.type !== "MemberExpression" || propertyName(node) !== "value") return undefined;
  const object = child(node, "object");
  const holder = object && placeOf(flow, object, isAssigned);
  if (!holder || holder.inside || !isContainer(flow.types.ofBinding(holder.binding))) {
    return undefined;
  }
  return { ...holder, node, kind: "port", inside: true };
}

function namedPlace(flow: Flow, node: SyntaxNode): Place | undefined {
  const binding = flow.scope.resolve(word(node, "name"));
  if (!binding) return undefined;
  const type = flow.types.ofBinding(binding);
  if (binding.alias) return { ...binding.alias, node };
  return isLinearType(type) ? { binding, node, kind: type.kind, inside: false } : undefined;
}

/** The `Maybe` or `Either` that `maybe.present` asks. */
export function askedPlace(flow: Flow, expression: SyntaxNode): Place | undefined {
  const node = bare(expression);
  const object = node.type === "MemberExpression" ? child(node, "object") : undefined;
  const place = object && placeOf(flow, object, true);
  if (!place || place.inside) return undefined;
  return isCheck(flow.types.ofBinding(place.binding), propertyName(node)) ? place : undefined;
}

/** Does to a place what its value is wanted for. */
export function supply(flow: Flow, place: Place, demand: Demand): void {
  const { binding, node, inside } = place;
  if (demand.act === "drop" || demand.act === "look") return;
  flow.emit(demand.act, binding, { node, inside, by: demand.by });
}
