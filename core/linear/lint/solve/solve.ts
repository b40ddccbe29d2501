import {
  Bit,
  type Block,
  type Call,
  joinStates,
  type PortState,
  type Procedure,
} from "../flow/graph.ts";
import type { Flow } from "../flow/flow.ts";
import type { Binding } from "../syntax/binding.ts";
import { type Fact, type State, Transfer, usersOf } from "./transfer.ts";

/** Facts that are looked at before the analysis stops, in about a second; most files need thousands. */
const STEPS_MAX = 3_000_000;

/** What is true at the beginning of every block that some run may reach. */
export interface Solution {
  readonly transfer: Transfer;
  readonly states: ReadonlyMap<Block, State>;
  /** Blocks that were left when the work became too much. */
  readonly unfinished: ReadonlySet<Block>;
}

/**
 * Follows all paths to the fixed point. The lattice is finite and every step is monotone, so that
 * this ends: a name can change its state at most as often as there are bits. A procedure is solved
 * once for all its callers, so that calls of calls do not multiply.
 */
export function solve(flow: Flow, stepsMax = STEPS_MAX): Solution {
  const procedures = relevant(flow.procedures);
  const first = new Solver(new Transfer(procedures, flow.handedOn), stepsMax).run(procedures);
  const surely = [...flow.scheduled].map((one) => [one, surelyConsumed(first, one)] as const);
  if (surely.every(([, bindings]) => bindings.size === 0)) return first;
  const transfer = new Transfer(procedures, flow.handedOn);
  for (const [procedure, bindings] of surely) transfer.surely.set(procedure, bindings);
  return new Solver(transfer, stepsMax).run(procedures);
}

/** The procedures with something to check, those on the way to them, and what all these call. */
function relevant(procedures: ReadonlySet<Procedure>): ReadonlySet<Procedure> {
  const users = usersOf(procedures);
  const found = new Set([...procedures].filter((one) => one.hasPorts));
  for (const procedure of found) for (const user of users.get(procedure) ?? []) found.add(user);
  for (const procedure of found) for (const used of procedure.calls) found.add(used);
  return found;
}

class Solver {
  readonly #transfer: Transfer;
  readonly #stepsMax: number;
  readonly #states = new Map<Block, State>();
  readonly #waiting = new Set<Block>();
  readonly #returning = new Map<Procedure, boolean>();

  constructor(transfer: Transfer, stepsMax: number) {
    this.#transfer = transfer;
    this.#stepsMax = stepsMax;
  }

  run(procedures: ReadonlySet<Procedure>): Solution {
    for (const procedure of procedures) {
      this.#states.set(procedure.entry, this.#transfer.entryOf(procedure));
      this.#waiting.add(procedure.entry);
    }
    for (const block of this.#waiting) {
      if (this.#transfer.steps > this.#stepsMax) break;
      this.#waiting.delete(block); // a Set visits an element again that is added again
      this.#visit(block);
    }
    return { transfer: this.#transfer, states: this.#states, unfinished: this.#waiting };
  }

  #visit(block: Block): void {
    const state = this.#through(block);
    if (!state) return;
    for (const next of block.next) this.#flowInto(next, state);
    if (block.call) this.#passCall(block, block.call, state);
  }

  #passCall(block: Block, call: Call, state: State): void {
    const { procedure, returnTo, failTo } = call;
    if (procedure.isAsync && !this.#canReturn(procedure)) this.#flowInto(returnTo, state);
    this.#passEnd(block, call, { state, end: procedure.exit, target: returnTo });
    this.#passEnd(block, call, { state, end: procedure.failed, target: failTo });
    for (const [end, target] of procedure.jumps) this.#passEnd(block, call, { state, end, target });
  }

  /** Whether some path leads to the end of a procedure, as far as it alone can tell. */
  #canReturn(procedure: Procedure): boolean {
    const known = this.#returning.get(procedure);
    if (known !== undefined) return known;
    const blocks = new Set([procedure.entry]);
    for (const { next, call } of blocks) {
      for (const one of next) blocks.add(one);
      if (call) blocks.add(call.returnTo);
    }
    this.#returning.set(procedure, blocks.has(procedure.exit));
    return blocks.has(procedure.exit);
  }

  #passEnd(
    { procedure: caller }: Block,
    call: Call,
    { state, end, target }: {
      readonly state: State;
      readonly end: Block;
      readonly target: Block;
    },
  ): void {
    const there = this.#states.get(end);
    const after = there && this.#transfer.afterCall(state, call, { end: there, caller });
    if (after) this.#flowInto(target, after);
  }

  /** @returns the state at the block's end; `undefined` when no run gets there */
  #through(block: Block): State | undefined {
    const before = this.#states.get(block)!;
    if (block.events.length === 0) return before;
    const state = new Map(before);
    for (const event of block.events) {
      if (event.act === "throw") this.#flowInto(event.to, state, true);
      else if (!this.#transfer.step(state, event, block.procedure)) return undefined;
    }
    return state;
  }

  /** @param isWorkedOn whether the state goes on changing where it comes from */
  #flowInto(block: Block, state: State, isWorkedOn = false): void {
    const { failed, callSites } = block.procedure;
    if (block === failed && callSites.length === 0) return; // what nobody called fails unseen
    this.#transfer.steps += state.size;
    const before = this.#states.get(block);
    const joined = before ? joinedState(before, state) : isWorkedOn ? new Map(state) : state;
    if (joined === before) return;
    this.#states.set(block, joined);
    this.#waiting.add(block);
    if (!block.isEnd) return;
    for (const site of block.procedure.callSites) {
      if (this.#states.has(site)) this.#waiting.add(site);
    }
  }
}

/** @returns `before` itself when there is nothing new */
function joinedState(before: State, state: State): State {
  let joined: Map<Fact, PortState> | undefined;
  for (const [fact, there] of state) {
    const here = before.get(fact);
    const both = here ? joinStates(here, there) : there;
    if (both === here) continue;
    joined ??= new Map(before);
    joined.set(fact, both);
  }
  return joined ?? before;
}

/** The outer names that a procedure consumes on every path. */
function surelyConsumed(
  { transfer, states }: Solution,
  procedure: Procedure,
): ReadonlySet<Binding> {
  const end = states.get(procedure.exit);
  const consumed = [...transfer.consumes.get(procedure) ?? []].filter((binding) => {
    const live = transfer.facts.of(procedure, binding).find(({ entry }) => entry === Bit.live);
    return live && end?.get(live)?.bits === Bit.moved;
  });
  return new Set(consumed);
}
