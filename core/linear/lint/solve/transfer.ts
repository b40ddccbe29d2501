import type { Call, FlowEvent, NameEvent, Procedure, ProcedureEvent } from "../flow/graph.ts";
import { Bit, BITS, bitsAfter, firstBits, type PortState } from "../flow/port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import { isLinearType } from "../value/value_type.ts";
import { type Fact, Facts, type State, UNKNOWN } from "./fact.ts";
import { type Reach, reachOf } from "./reach.ts";

/** What each event and each call does to the state. */
export class Transfer {
  readonly facts = new Facts();
  readonly touches: Reach;
  readonly consumes: Reach;
  /** The names that a procedure consumes for certain, by those that run on a schedule. */
  readonly surely = new Map<Procedure, ReadonlySet<Binding>>();
  /** Names that code with a time of its own may give another port. */
  readonly #shared = new Set<Binding>();
  /** How many facts were looked at: the work so far. */
  steps = 0;
  #carried = 0;

  constructor(procedures: ReadonlySet<Procedure>, handedOn: ReadonlySet<Procedure>) {
    this.touches = reachOf(procedures, "touches");
    this.consumes = reachOf(procedures, "consumes");
    for (const procedure of handedOn) {
      for (const binding of this.consumes.get(procedure) ?? []) {
        if (!binding.isFixed) this.#shared.add(binding);
      }
    }
  }

  /** The state in which a procedure begins: each outer name in each state that it may have. */
  entryOf(procedure: Procedure): State {
    const state = new Map<Fact, PortState>();
    for (const binding of this.touches.get(procedure) ?? []) {
      for (const fact of this.facts.of(procedure, binding)) state.set(fact, { bits: fact.entry });
    }
    return state;
  }

  /** @returns false when no run passes this event */
  step(state: Map<Fact, PortState>, event: FlowEvent, procedure: Procedure): boolean {
    this.steps++;
    if ("binding" in event) return this.#stepName(state, event, procedure);
    if (event.act === "later" || event.act === "scheduled") {
      this.#handOn(state, event, procedure);
    }
    return true;
  }

  /** The state after a call that ends in `end`, one of the ways out of what is called. */
  afterCall(
    before: State,
    call: Call,
    { end, caller }: { readonly end: State; readonly caller: Procedure },
  ): State | undefined {
    const callee = call.procedure;
    const after = new Map(before);
    for (const binding of this.touches.get(callee) ?? []) {
      if (binding.scope.owner === callee) continue; // a parameter
      if (!this.#carry(after, { end, caller, callee, outer: binding, inner: binding })) return;
    }
    for (const [inner, outer] of call.references) {
      if (!callee.touches.has(inner)) continue;
      if (!this.#carry(after, { end, caller, callee, outer, inner })) return undefined;
    }
    return after;
  }

  /** @returns false when the call does not end this way with the name as it is */
  #carry(
    state: Map<Fact, PortState>,
    { end, caller, callee, outer, inner }: {
      readonly end: State;
      readonly caller: Procedure;
      readonly callee: Procedure;
      readonly outer: Binding;
      readonly inner: Binding;
    },
  ): boolean {
    const answers = this.facts.of(callee, inner);
    const facts = this.facts.of(caller, outer);
    for (const fact of facts) {
      const before = state.get(fact) ?? (fact.entry === 0 ? UNKNOWN : undefined);
      if (!before) continue;
      this.steps++;
      const after = answerFor(before, answers, end);
      if (after) state.set(fact, after);
      else state.delete(fact);
    }
    return facts.some((fact) => state.has(fact));
  }

  /** A function goes to code that may run it. */
  #handOn(state: Map<Fact, PortState>, event: ProcedureEvent, procedure: Procedure): void {
    const surely = event.act === "scheduled" ? this.surely.get(event.procedure) : undefined;
    for (const binding of this.consumes.get(event.procedure) ?? []) {
      const act = surely?.has(binding) ? "schedule" : "release";
      for (const fact of this.facts.of(procedure, binding)) {
        const before = state.get(fact) ?? (fact.entry === 0 ? UNKNOWN : undefined);
        if (before) state.set(fact, handedOn(before, act, { binding, node: event.node }));
      }
    }
  }

  #stepName(state: Map<Fact, PortState>, event: NameEvent, procedure: Procedure): boolean {
    const { act, binding } = event;
    const facts = this.facts.of(procedure, binding);
    if (act === "leave") {
      for (const fact of facts) state.delete(fact);
      return true;
    }
    for (const fact of facts) {
      const before = state.get(fact) ?? (fact.entry === 0 ? UNKNOWN : undefined);
      if (!before) continue;
      const after = this.#stepFact(event, before, fact);
      if (after) state.set(fact, after);
      else state.delete(fact);
    }
    return facts.some((fact) => state.has(fact));
  }

  #stepFact(event: NameEvent, before: PortState, fact: Fact): PortState | undefined {
    const { act, binding, node } = event;
    const type = binding.type;
    if (!isLinearType(type ?? undefined)) return before;
    if (act === "move") this.#carried = fact.entry === 0 ? before.bits : Bit.escaped;
    if (act === "define" || act === "overwrite") return this.#arrived(event, before);
    const bits = bitsAfter(act, before.bits, type!.kind as "port");
    if (bits === 0) return undefined;
    const isMoved = (bits & Bit.moved) !== 0;
    if (!isMoved) return { bits, madeAt: before.madeAt };
    const isFirst = (act === "move" || act === "dispose") && (before.bits & Bit.moved) === 0;
    return isFirst
      ? { bits, madeAt: before.madeAt, movedAt: node, movedBy: event.by }
      : { ...before, bits };
  }

  #arrived(event: NameEvent, before: PortState): PortState {
    const { binding, node, from } = event;
    const isClosedOver = event.act === "define" && before !== UNKNOWN &&
      before.bits === Bit.escaped;
    const isLoan = event.isLoan || isClosedOver || this.#shared.has(binding);
    const first = firstBits(binding.type!.kind as "port", { ...event, isLoan });
    return { bits: from && !isLoan ? arrivedBits(this.#carried) : first, madeAt: node };
  }
}

/** What a name holds that got what another one held. */
function arrivedBits(carried: number): number {
  return (carried & Bit.moved) === 0 ? carried : (carried & ~Bit.moved) | Bit.live;
}

/** What a procedure makes of a name in this state. */
function answerFor(
  before: PortState,
  answers: readonly Fact[],
  end: State,
): PortState | undefined {
  let bits = 0;
  let { madeAt, movedAt, movedBy } = before;
  for (const [index, bit] of BITS.entries()) {
    const answer = (before.bits & bit) === 0 ? undefined : end.get(answers[index]!);
    if (!answer) continue;
    bits |= answer.bits;
    madeAt = answer.madeAt ?? madeAt;
    if (answer.movedAt) ({ movedAt, movedBy } = answer);
  }
  return bits === 0 ? undefined : { bits, madeAt, movedAt, movedBy };
}

function handedOn(
  before: PortState,
  act: "release" | "schedule",
  { binding, node }: Pick<NameEvent, "binding" | "node">,
): PortState {
  const type = binding.type;
  if (!type || !isLinearType(type)) return before;
  const isOver = binding.isFixed ? before.bits & Bit.moved : 0;
  const bits = bitsAfter(act, before.bits & ~isOver, type.kind) | isOver;
  if (act === "release") return { ...before, bits };
  return { bits, madeAt: before.madeAt, movedAt: node, movedBy: "the function that runs later" };
}
