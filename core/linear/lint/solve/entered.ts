import type { Block, Call, Procedure, ProcedureEvent } from "../flow/graph.ts";
import { Bit, BITS, joinStates, type PortState } from "../flow/port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import { type Fact, type State, UNKNOWN } from "./fact.ts";
import type { Solution } from "./solve.ts";

/** The states in which outer names really come into each procedure that is run. */
export type Entered = ReadonlyMap<Procedure, ReadonlyMap<Binding, PortState>>;

/** Goes from the file into what it calls and makes, noting the states of outer names. */
export function enteredFrom(main: Procedure, solution: Solution): Entered {
  return new Entries(main, solution).find();
}

class Entries {
  readonly #solution: Solution;
  readonly #entered: Map<Procedure, Map<Binding, PortState>>;
  readonly #waiting: Set<Procedure>;
  readonly #blocks = new Map<Procedure, Block[]>();

  constructor(main: Procedure, solution: Solution) {
    this.#solution = solution;
    this.#entered = new Map([[main, new Map()]]);
    this.#waiting = new Set([main]);
    for (const block of solution.states.keys()) {
      const known = this.#blocks.get(block.procedure) ?? [];
      known.push(block);
      this.#blocks.set(block.procedure, known);
    }
  }

  find(): Entered {
    for (const procedure of this.#waiting) {
      this.#waiting.delete(procedure); // a Set visits an element again that is added again
      for (const block of this.#blocks.get(procedure) ?? []) this.#visit(block);
    }
    return this.#entered;
  }

  #visit(block: Block): void {
    const { transfer, states } = this.#solution;
    const procedures = proceduresIn(block);
    if (procedures.every((one) => (transfer.touches.get(one)?.size ?? 0) === 0)) {
      return procedures.forEach((one) => this.#begin(one)); // no state to hand on
    }
    const state = new Map(states.get(block));
    for (const event of block.events) {
      if ("procedure" in event) this.#create(block, state, event);
      if (!transfer.step(state, event, block.procedure)) return;
    }
    if (block.call) this.#call(block, state, block.call);
  }

  #here(block: Block, state: State, binding: Binding): PortState | undefined {
    const facts = this.#solution.transfer.facts.of(block.procedure, binding);
    return presentState(facts, state, this.#entered.get(block.procedure)?.get(binding));
  }

  /** A function may still count on a name that was moved and gets nothing else: it stays moved. */
  #create(block: Block, state: State, { procedure }: ProcedureEvent): void {
    this.#begin(procedure);
    for (const binding of this.#solution.transfer.touches.get(procedure) ?? []) {
      const known = this.#here(block, state, binding);
      const isOver = binding.isFixed && known?.bits === Bit.moved;
      this.#enter(procedure, binding, isOver ? known : UNKNOWN);
    }
  }

  #call(block: Block, state: State, { procedure, references }: Call): void {
    this.#begin(procedure);
    for (const binding of this.#solution.transfer.touches.get(procedure) ?? []) {
      if (binding.scope.owner !== procedure) {
        this.#enter(procedure, binding, this.#here(block, state, binding));
      }
    }
    for (const [parameter, argument] of references) {
      this.#enter(procedure, parameter, unspoilt(this.#here(block, state, argument)));
    }
  }

  #begin(procedure: Procedure): void {
    if (this.#entered.has(procedure)) return;
    this.#entered.set(procedure, new Map());
    this.#waiting.add(procedure);
  }

  #enter(procedure: Procedure, binding: Binding, state: PortState | undefined): void {
    if (!state || state.bits === 0) return;
    const known = this.#entered.get(procedure)!;
    const before = known.get(binding);
    const after = before ? joinStates(before, state) : state;
    if (after === before) return;
    known.set(binding, after);
    this.#waiting.add(procedure);
  }
}

/** What a block makes, hands on and calls. */
function proceduresIn({ events, call, hasProcedures }: Block): readonly Procedure[] {
  const made = hasProcedures
    ? events.flatMap((one) => "procedure" in one ? one.procedure : [])
    : [];
  return call ? [...made, call.procedure] : made;
}

/** What is wrong with an argument is said where it is given, not in the function that gets it. */
function unspoilt(state: PortState | undefined): PortState | undefined {
  return state && { ...state, bits: state.bits & ~(Bit.moved | Bit.due) };
}

/**
 * The state of a name at a point, given those in which it comes into the procedure.
 *
 * @returns `undefined` when no run comes here
 */
export function presentState(
  facts: readonly Fact[],
  state: State,
  entered: PortState | undefined,
): PortState | undefined {
  if (facts[0]?.entry === 0) return state.get(facts[0]) ?? UNKNOWN;
  let present: PortState | undefined;
  for (const [index, bit] of BITS.entries()) {
    const isEntered = entered !== undefined && (entered.bits & bit) !== 0;
    const here = isEntered ? state.get(facts[index]!) : undefined;
    if (here) {
      present = present ? joinStates(present, traced(here, entered!)) : traced(here, entered!);
    }
  }
  return present;
}

/** Where nothing in the procedure made or moved a port, somebody outside did. */
function traced(state: PortState, entered: PortState): PortState {
  const { bits, madeAt = entered.madeAt } = state;
  if (state.movedAt || (bits & Bit.moved) === 0) return { ...state, madeAt };
  return { bits, madeAt, movedAt: entered.movedAt, movedBy: entered.movedBy };
}
