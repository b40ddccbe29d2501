import type { Finding } from "../finding.ts";
import type { Block, Call, NameEvent, Procedure } from "../flow/graph.ts";
import { faultOf, type PortState, type RuleName } from "../flow/port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import { type Entered, presentState } from "./entered.ts";
import type { State } from "./fact.ts";
import type { Solution } from "./solve.ts";

/** Told of everything that is wrong on some path. */
export interface Listener {
  onFault(rule: RuleName, event: NameEvent, state: PortState): void;
  onFinding(finding: Finding): void;
}

/** Visits every event that some run reaches once more, and reports. */
export function report(solution: Solution, entered: Entered, listener: Listener): void {
  for (const block of solution.states.keys()) {
    const inputs = entered.get(block.procedure);
    if (inputs) new BlockReport(solution, inputs, listener).visit(block);
  }
}

class BlockReport {
  readonly #solution: Solution;
  readonly #inputs: ReadonlyMap<Binding, PortState>;
  readonly #listener: Listener;

  constructor(
    solution: Solution,
    inputs: ReadonlyMap<Binding, PortState>,
    listener: Listener,
  ) {
    this.#solution = solution;
    this.#inputs = inputs;
    this.#listener = listener;
  }

  visit(block: Block): void {
    const { transfer, states } = this.#solution;
    const { procedure, call } = block;
    const isChecked = block.events.some((one) => "binding" in one || one.act === "fault");
    if (!isChecked && !call?.references.length) return;
    const state = new Map(states.get(block));
    for (const event of block.events) {
      if (event.act === "fault") this.#listener.onFinding(event.finding);
      else if ("binding" in event) this.#check(event, state, procedure);
      if (!transfer.step(state, event, procedure)) return;
    }
    if (call) this.#checkArguments(call, state, procedure);
  }

  #check(event: NameEvent, state: State, procedure: Procedure): void {
    const { act, binding, inside = false } = event;
    const facts = this.#solution.transfer.facts.of(procedure, binding);
    const present = presentState(facts, state, this.#inputs.get(binding));
    if (!present) return;
    const { isConsumed } = binding;
    const rule = faultOf(act, present.bits, { inside, isConsumed });
    const isSeenTo = act === "leave" && (binding.isDisposed || (event.isThrown && binding.isGiven));
    if (rule && !isSeenTo) this.#listener.onFault(rule, event, present);
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
      if (rule) this.#listener.onFault(rule, argumentEvent(act, argument, node), present);
    }
  }
}

function argumentEvent(act: "move" | "use", binding: Binding, node: NameEvent["node"]): NameEvent {
  return { act, binding, node, by: "the call" };
}

/** Whether the solution covers everything; otherwise where it stops. */
export function unfinishedAt({ unfinished }: Solution): Block | undefined {
  const found = [...unfinished].filter(({ events }) => events.length > 0);
  return found.sort((left, right) => startOf(left) - startOf(right))[0] ?? [...unfinished][0];
}

function startOf({ events, procedure }: Block): number {
  const [event] = events;
  return event && "node" in event ? event.node.range[0] : procedure.node.range[0];
}
