import {
  type Act,
  Bit,
  BITS,
  bitsAfter,
  type Call,
  firstBits,
  type FlowEvent,
  type NameEvent,
  type PortState,
  type Procedure,
  type ProcedureEvent,
} from "../flow/graph.ts";
import type { Binding } from "../syntax/binding.ts";
import { isLinearType } from "../types/value_type.ts";

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

/** The names from outside that each procedure deals with, itself or through those that it uses. */
export type Reach = ReadonlyMap<Procedure, ReadonlySet<Binding>>;

/** Carries what procedures do to outer names to whoever uses them, until nothing new comes. */
export function reachOf(procedures: ReadonlySet<Procedure>, what: "touches" | "consumes"): Reach {
  const reach = new Map([...procedures].map((one) => [one, new Set(one[what])]));
  const users = usersOf(procedures);
  const waiting = new Set([...procedures].filter((one) => one[what].size > 0));
  for (const procedure of waiting) {
    waiting.delete(procedure); // a Set visits an element again that is added again
    const outer = [...reach.get(procedure)!].filter(({ scope }) => scope.owner !== procedure);
    for (const user of users.get(procedure) ?? []) {
      const known = reach.get(user)!;
      const before = known.size;
      for (const one of outer) if (!user.owns(one) && isSeen(user, one)) known.add(one);
      if (known.size > before) waiting.add(user);
    }
  }
  return reach;
}

/** Whether a procedure stands where a name means the same one: other code has another run's. */
function isSeen({ node }: Procedure, { scope: { owner } }: Binding): boolean {
  return !owner || (owner.node.pos <= node.pos && node.end <= owner.node.end);
}

/** Who calls, makes or hands on each procedure. */
export function usersOf(
  procedures: ReadonlySet<Procedure>,
): ReadonlyMap<Procedure, Set<Procedure>> {
  const users = new Map<Procedure, Set<Procedure>>();
  for (const user of procedures) {
    for (const used of user.uses) {
      const known = users.get(used) ?? new Set();
      users.set(used, known.add(user));
    }
  }
  return users;
}

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
    if (event.act === "calledOff") {
      for (const binding of this.touches.get(event.procedure) ?? []) {
        change(state, this.facts.of(procedure, binding), (before) => {
          return { ...before, bits: bitsAfter("callOff", before.bits, "port") };
        });
      }
    }
    if (event.act === "throw" && event.waits) settle(state);
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
      if (binding.scope.owner === callee || !isSeen(caller, binding)) continue; // a parameter, or gone
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
    return change(state, this.facts.of(caller, outer), (before) => {
      this.steps++;
      return answerFor(before, answers, end);
    });
  }

  /** A function goes to code that may run it. */
  #handOn(state: Map<Fact, PortState>, event: ProcedureEvent, procedure: Procedure): void {
    const surely = event.act === "scheduled" ? this.surely.get(event.procedure) : undefined;
    for (const binding of this.consumes.get(event.procedure) ?? []) {
      const act = surely?.has(binding) ? "schedule" : "release";
      const source = { binding, node: event.node };
      change(state, this.facts.of(procedure, binding), (before) => handedOn(before, act, source));
    }
    if (event.act === "scheduled") this.#expect(state, event, procedure);
  }

  /** What a function only uses that runs later has to be there then. */
  #expect(state: Map<Fact, PortState>, event: ProcedureEvent, procedure: Procedure): void {
    for (const binding of this.touches.get(event.procedure) ?? []) {
      if (this.consumes.get(event.procedure)?.has(binding) || !procedure.owns(binding)) continue;
      if (!binding.isFixed || !isLinearType(binding.type)) continue;
      change(state, this.facts.of(procedure, binding), (before) => {
        return { ...before, bits: bitsAfter("expect", before.bits, "port"), movedAt: event.node };
      });
    }
  }

  #stepName(state: Map<Fact, PortState>, event: NameEvent, procedure: Procedure): boolean {
    const { act, binding } = event;
    const facts = this.facts.of(procedure, binding);
    if (act === "leave") {
      for (const fact of facts) state.delete(fact);
      return true;
    }
    return change(state, facts, (before, fact) => this.#stepFact(event, before, fact));
  }

  #stepFact(event: NameEvent, before: PortState, fact: Fact): PortState | undefined {
    const { act, binding, node } = event;
    const type = binding.type;
    if (!isLinearType(type ?? undefined)) return before;
    if (act === "move") this.#carried = fact.entry === 0 ? before.bits : Bit.escaped;
    if (act === "define" || act === "overwrite") return this.#arrived(event, before);
    const bits = bitsAfter(act, before.bits, type!.kind as "port");
    if (bits === 0) return undefined;
    const over = Bit.moved | Bit.spent;
    if ((bits & over) === 0) return { bits, madeAt: before.madeAt };
    const isFirst = MOVING.has(act) && (before.bits & over) === 0;
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

/** Acts that consume. */
const MOVING: ReadonlySet<Act> = new Set(["move", "dispose", "collect", "sweep"]);

/** What was to run later has run when the code goes on that waited. */
function settle(state: Map<Fact, PortState>): void {
  for (const [fact, before] of state) {
    if (before.bits & Bit.awaited) state.set(fact, { ...before, bits: before.bits & ~Bit.awaited });
  }
}

/** @returns false when nothing is left of the facts: no run comes here */
function change(
  state: Map<Fact, PortState>,
  facts: readonly Fact[],
  work: (before: PortState, fact: Fact) => PortState | undefined,
): boolean {
  for (const fact of facts) {
    const before = state.get(fact) ?? (fact.entry === 0 ? UNKNOWN : undefined);
    const after = before && work(before, fact);
    if (after) state.set(fact, after);
    else state.delete(fact);
  }
  return facts.some((fact) => state.has(fact));
}

/** What a name holds that got what another one held. */
function arrivedBits(carried: number): number {
  return (carried & Bit.moved) === 0 ? carried : (carried & ~Bit.moved) | Bit.live;
}

/** What a procedure makes of a name in this state. */
function answerFor(before: PortState, answers: readonly Fact[], end: State): PortState | undefined {
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
