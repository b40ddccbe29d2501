import { keptFinding } from "../finding.ts";
import type { ts } from "../program/compiler.ts";
import type { Binding } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import type { LinearKind } from "../syntax/vocabulary.ts";
import { listUse } from "../types/list.ts";
import { isCheck, isContainer, isLinearType } from "../types/value_type.ts";
import type { Demand, Flow } from "./flow.ts";

/** A linear value that the rules can follow: a name, or the `value` of a name. */
export interface Place {
  readonly binding: Binding;
  readonly node: ts.Node;
  readonly kind: LinearKind;
  /** Whether it is the port inside a `Maybe` or `Either`. */
  readonly inside: boolean;
}

/**
 * The place that an expression names, if it names one.
 *
 * @param isAssigned whether the assignments in it were followed already, so that `(a = b)` names `a`
 */
export function placeOf(flow: Flow, expression: ts.Node, isAssigned = false): Place | undefined {
  const node = s.bare(expression);
  if (isAssigned && s.isAssignment(node)) return placeOf(flow, node.left);
  const named = namedPlace(flow, node);
  if (named || !s.isAccess(node)) return named;
  const field = flow.types.fieldAt(node);
  if (field && isLinearType(field.type)) {
    return { binding: field, node, kind: field.type.kind, inside: false };
  }
  if (s.propertyName(node) !== "value") return undefined;
  const holder = placeOf(flow, node.expression, isAssigned);
  if (!holder || holder.inside || !isContainer(flow.types.ofBinding(holder.binding))) {
    return undefined;
  }
  return { ...holder, node, kind: "port", inside: true };
}

function namedPlace(flow: Flow, node: ts.Node): Place | undefined {
  const binding = flow.bindingOf(node);
  if (!binding) return undefined;
  const type = flow.types.ofBinding(binding);
  if (binding.alias) return { ...binding.alias, node };
  return isLinearType(type) ? { binding, node, kind: type.kind, inside: false } : undefined;
}

/** The `Maybe` or `Either` that `maybe.present` asks. */
export function askedPlace(flow: Flow, expression: ts.Node): Place | undefined {
  const node = s.bare(expression);
  const place = s.isAccess(node) ? placeOf(flow, node.expression, true) : undefined;
  if (!place || place.inside) return undefined;
  return isCheck(flow.types.ofBinding(place.binding), s.propertyName(node)) ? place : undefined;
}

/** What ends a port whatever becomes of its name: `using`, or the end of a call that is served. */
export function endOf(flow: Flow, binding: Binding): "using" | "call" | undefined {
  if (binding.isDisposed) return "using";
  return binding.isGiven && flow.currentFunction?.isHandler ? "call" : undefined;
}

/** Whether a name lives on when another one has ended. */
export function outlives(one: Binding, other: Binding): boolean {
  for (let scope = other.scope.parent; scope; scope = scope.parent) {
    if (scope === one.scope) return true;
  }
  return false;
}

/** Does to a place what its value is wanted for. */
export function supply(flow: Flow, place: Place, demand: Demand): void {
  const { binding, node, inside } = place;
  if (demand.act === "drop" || demand.act === "look") return;
  if (binding.isField) {
    // The field keeps it, whoever looks at it or gets it.
    if (demand.act !== "move" || demand.by.endsWith("()")) {
      flow.emit("use", binding, { node, inside });
    }
    return;
  }
  const list = demand.into && listUse(flow.types.file, demand.into);
  const isKept = list === "kept" ||
    (demand.isKept && (!demand.into || outlives(demand.into, binding)));
  const keeper = isKept ? endOf(flow, binding) : undefined;
  if (keeper) {
    flow.emitFault(keptFinding(node, binding, keeper));
    return flow.emit("escape", binding, { node, inside });
  }
  if (demand.into && list === "local" && !inside) return flow.hold(binding, demand.into, node);
  flow.emit(demand.act, binding, { node, inside, by: demand.by });
}
