import type { Block, FlowEvent } from "./graph.ts";
import {
  Bit,
  bitsAfter,
  faultOf,
  joinStates,
  type PortState,
  type RuleName,
} from "./port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import { isLinear } from "../syntax/vocabulary.ts";

/** What is true of each name at one point. A name that is not in it is out of scope. */
export type State = ReadonlyMap<Binding, PortState>;

/** Told of each event that breaks a rule. */
export type OnFault = (rule: RuleName, event: FlowEvent, state: PortState) => void;

const UNKNOWN: PortState = { bits: Bit.escaped };

/**
 * Follows all paths to the fixed point, then visits every event that some path reaches once more
 * and reports. The lattice is finite and every step is monotone, so that this ends: a name can
 * change its state at most as often as there are bits.
 */
export function solve(entry: Block, onFault: OnFault): void {
  const states = new Map<Block, State>([[entry, new Map()]]);
  const waiting = new Set([entry]);
  for (const block of waiting) {
    waiting.delete(block); // a Set visits an element again that is added again
    const state = throughBlock(block, states.get(block)!);
    if (state === undefined) continue;
    for (const next of block.next) if (flowInto(next, state, states)) waiting.add(next);
  }
  for (const [block, state] of states) throughBlock(block, state, onFault);
}

/** @returns whether the block saw something new */
function flowInto(block: Block, state: State, states: Map<Block, State>): boolean {
  const before = states.get(block);
  if (before === undefined) {
    states.set(block, state);
    return true;
  }
  const joined = new Map(before);
  let changed = false;
  for (const [binding, there] of state) {
    const here = before.get(binding);
    const both = here ? joinStates(here, there) : there;
    changed ||= both !== here;
    joined.set(binding, both);
  }
  if (changed) states.set(block, joined);
  return changed;
}

/** @returns the state at the block's end; `undefined` when no run gets there */
function throughBlock(block: Block, before: State, onFault?: OnFault): State | undefined {
  const state = block.detachedDepth === undefined
    ? new Map(before)
    : detached(before, block.detachedDepth);
  for (const event of block.events) {
    if (!step(state, event, onFault)) return undefined;
  }
  return state;
}

/** What a function may still count on when it runs: a `const` that was moved stays moved. */
function detached(before: State, depth: number): Map<Binding, PortState> {
  const state = new Map<Binding, PortState>();
  for (const [binding, known] of before) {
    const isFinal = binding.isConstant && known.bits === Bit.moved;
    state.set(binding, binding.scope.depth < depth && !isFinal ? UNKNOWN : known);
  }
  return state;
}

/** @returns false when no run passes this event */
function step(state: Map<Binding, PortState>, event: FlowEvent, onFault?: OnFault): boolean {
  const { act, binding } = event;
  const { kind } = binding;
  if (!kind || !isLinear(kind)) return true;
  const before = state.get(binding) ?? UNKNOWN;
  if (onFault) reportStep(event, before, onFault);
  if (act === "leave") return state.delete(binding) || true;
  const bits = bitsAfter(act, before.bits, kind);
  if (bits === 0) return false;
  state.set(binding, stateAfter(event, before, bits));
  return true;
}

function reportStep(event: FlowEvent, before: PortState, onFault: OnFault): void {
  const rule = faultOf(event.act, before.bits, event.inside);
  const isClosedByBlock = event.act === "leave" && event.binding.isDisposed;
  if (rule && !isClosedByBlock) onFault(rule, event, before);
}

function stateAfter(event: FlowEvent, before: PortState, bits: number): PortState {
  if (event.act === "define" && event.isNullable) return { bits: bits | Bit.none };
  if ((bits & Bit.moved) === 0) return bits === before.bits ? before : { bits };
  const isFirst = event.act === "move" && (before.bits & Bit.moved) === 0;
  return isFirst ? { bits, movedAt: event.node, movedBy: event.by } : { ...before, bits };
}
