import {
  Bit,
  BITS,
  type Block,
  type Call,
  faultOf,
  joinStates,
  type NameEvent,
  type PortState,
  type Procedure,
  type ProcedureEvent,
  type RuleName,
} from "../flow/graph.ts";
import { type Finding, keptFinding } from "../finding.ts";
import type { Binding } from "../syntax/binding.ts";
import type { Solution } from "./solve.ts";
import { type Fact, type State, UNKNOWN } from "./transfer.ts";

/** Told of everything that is wrong on some path. */
export interface Listener {
  onFault(rule: RuleName, event: NameEvent, state: PortState): void;
  onFinding(finding: Finding): void;
}

/** Visits every event that some run of the file reaches once more, and reports. */
export function report(main: Procedure, solution: Solution, listener: Listener): void {
  const entered = new Entries(main, solution).find();
  for (const block of solution.states.keys()) {
    const inputs = entered.get(block.procedure);
    if (inputs) new BlockReport(solution, inputs, listener).visit(block);
  }
}

class BlockReport {
  readonly #solution: Solution;
  readonly #inputs: ReadonlyMap<Binding, PortState>;
  readonly #listener: Listener;

  constructor(solution: Solution, inputs: ReadonlyMap<Binding, PortState>, listener: Listener) {
    this.#solution = solution;
    this.#inputs = inputs;
    this.#listener = listener;
  }

  visit(block: Block): void {
    const { transfer, states } = this.#solution;
    const { procedure, call } = block;
    const isChecked = block.events.some((one) => "binding" in one || one.act === "fault");
    if (!isChecked && !block.hasProcedures && !call?.references.length) return;
    const state = new Map(states.get(block));
    for (const event of block.events) {
      if (event.act === "fault") this.#listener.onFinding(event.finding);
      else if ("binding" in event) this.#check(event, state, procedure);
      else if ("procedure" in event && event.isKept) this.#checkKept(event, state, procedure);
      if (!transfer.step(state, event, procedure)) return;
    }
    if (call) this.#checkArguments(call, state, procedure);
  }

  #check(event: NameEvent, state: State, procedure: Procedure): void {
    const { act, binding, inside = false } = event;
    const facts = this.#solution.transfer.facts.of(procedure, binding);
    const present = presentState(facts, state, this.#inputs.get(binding));
    if (!present) return;
    const { isConsumed, list } = binding;
    if (act === "leave" && (present.bits & Bit.spent) !== 0 && isCollectedAfter(list, binding)) {
      const node = present.movedAt ?? event.node;
      const by = `what goes through '${list!.name}'`;
      return this.#listener.onFault("double-move", { act: "move", binding, node, by }, present);
    }
    const rule = faultOf(act, present.bits, { inside, isConsumed });
    const isSeenTo = act === "leave" && (binding.isDisposed || (event.isThrown && binding.isGiven));
    if (rule && !isSeenTo) this.#listener.onFault(rule, event, present);
  }

  /** A function that runs when this block is over works on names of this block. */
  #checkKept({ procedure, node, schedule }: ProcedureEvent, state: State, here: Procedure): void {
    const { transfer } = this.#solution;
    for (const binding of transfer.touches.get(procedure) ?? []) {
      if (!here.owns(binding)) continue;
      const facts = transfer.facts.of(here, binding);
      const present = presentState(facts, state, this.#inputs.get(binding));
      if (!present || (present.bits & ~(Bit.none | Bit.moved)) === 0) continue;
      const end = binding.isDisposed
        ? "using"
        : binding.isGiven && here.isHandler
        ? "call"
        : undefined;
      if (end && schedule !== "listed") {
        this.#listener.onFinding(keptFinding(node, binding, end));
      } else if (
        (present.bits & Bit.due) !== 0 && schedule !== "watched" && // whichever comes first closes it
        transfer.surely.get(procedure)?.has(binding)
      ) {
        const event = { act: "move", binding, node, by: "a function that runs later" } as const;
        this.#listener.onFault("double-move", event, present);
      }
    }
  }

  /** A port that was consumed goes to a function that works on it. */
  #checkArguments({ procedure, references, node }: Call, state: State, caller: Procedure): void {
    for (const [parameter, argument] of references) {
      const facts = this.#solution.transfer.facts.of(caller, argument);
      const present = presentState(facts, state, this.#inputs.get(argument));
      if (!present || !procedure.minds.has(parameter)) continue;
      const isConsumed = procedure.consumes.has(parameter);
      const act = isConsumed ? "move" : "use";
      const rule = faultOf(act, present.bits);
      const event = { act, binding: argument, node, by: "the call" } as const;
      if (rule) this.#listener.onFault(rule, event, present);
    }
  }
}

/** Whether somebody goes through a list when the name is gone that put its port there. */
function isCollectedAfter(list: Binding | undefined, { node }: Binding): boolean {
  return (list?.collectedAt?.pos ?? 0) > node.pos;
}

/** Whether the solution covers everything; otherwise where it stops. */
export function unfinishedAt({ unfinished }: Solution): Block | undefined {
  const found = [...unfinished].filter(({ events }) => events.length > 0);
  return found.sort((left, right) => startOf(left) - startOf(right))[0] ?? [...unfinished][0];
}

function startOf({ events, procedure }: Block): number {
  const [event] = events;
  return event && "node" in event ? event.node.pos : procedure.node.pos;
}

/** The states in which outer names really come into each procedure that is run. */
type Entered = ReadonlyMap<Procedure, ReadonlyMap<Binding, PortState>>;

/** Goes from the file into what it calls and makes, noting the states of outer names. */
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
function presentState(
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
