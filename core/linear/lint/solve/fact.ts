import type { Procedure } from "../flow/graph.ts";
import { Bit, BITS, type PortState } from "../flow/port_state.ts";
import type { Binding } from "../syntax/scope.ts";

/**
 * A name in a procedure. Of a name from outside there is one fact for each state that it may come
 * in with, so that one pass over the procedure tells what it makes of each: whoever calls it picks
 * the answer for the state that it has.
 */
export interface Fact {
  readonly binding: Binding;
  /** The bit that the name comes in with; 0 for a name that the procedure declares itself. */
  readonly entry: number;
}

/** What is true of each name at one point. A name that is not in it is not declared yet. */
export type State = ReadonlyMap<Fact, PortState>;

/** The state of a name of which nothing is known. */
export const UNKNOWN: PortState = { bits: Bit.escaped };

/** The facts of every procedure. */
export class Facts {
  readonly #own = new Map<Binding, readonly Fact[]>();
  readonly #captured = new Map<Procedure, Map<Binding, readonly Fact[]>>();

  of(procedure: Procedure, binding: Binding): readonly Fact[] {
    if (procedure.owns(binding)) return remembered(this.#own, binding, [0]);
    const known = this.#captured.get(procedure) ?? new Map<Binding, readonly Fact[]>();
    this.#captured.set(procedure, known);
    return remembered(known, binding, BITS);
  }
}

function remembered(
  known: Map<Binding, readonly Fact[]>,
  binding: Binding,
  entries: readonly number[],
): readonly Fact[] {
  const facts = known.get(binding) ?? entries.map((entry) => ({ binding, entry }));
  known.set(binding, facts);
  return facts;
}
