import type { Place } from "../facts/places.ts";
import type { ts } from "../program/compiler.ts";

/** What may be true of a place where several paths meet. */
export const BITS = {
  OWNED: 1, // a port is here, and this function has to see to it
  MOVED: 2, // it went on, or ended
  ABSENT: 4, // there is none
  LOOSE: 8, // nobody can say
  HELD: 16, // a stack of disposables ends it when its block is over
  DRAINED: 32, // a collection that gave ports away
  CAPTURED: 64, // a closure has it now
  LATER: 128, // a closure that runs later uses it
  KEPT: 256, // it may be in a collection or field as well, which then ends it
  UNSEEN: 512, // a Maybe or Either at which nobody has looked
  SUM: 2048, // a union of which not all have a port, before somebody has asked which it is
  SPENT: 1024, // a collection whose ports were all consumed, and which still has them
} as const;

export interface Holding {
  readonly bits: number;
  /** What was done with it last. */
  readonly at: ts.Node | undefined;
}
export type State = ReadonlyMap<Place, Holding>;

/** What may be true where two paths meet; nothing where none leads. */
export function join(left: State | undefined, right: State | undefined): State | undefined {
  if (!left || !right || left === right) return left ?? right;
  const both = new Map(left);
  for (const [place, holding] of right) {
    const other = left.get(place);
    if (other === holding) continue; // most are the same
    const bits = holding.bits | (other?.bits ?? 0);
    const isNews = holding.bits & BITS.MOVED && !((other?.bits ?? 0) & BITS.MOVED);
    both.set(place, { bits, at: isNews ? holding.at : other?.at ?? holding.at });
  }
  return both;
}

/** Whether two states say the same of all places. */
export function isSame(left: State | undefined, right: State | undefined): boolean {
  if (!left || !right) return left === right;
  const isEqual = ([place, { bits }]: [Place, Holding]) => right.get(place)?.bits === bits;
  return left.size === right.size && [...left].every(isEqual);
}

/** A state in which something else is true of a place. */
export function withBits(state: State, place: Place, bits: number): State {
  return new Map(state).set(place, { bits, at: state.get(place)?.at });
}

/** What is left of a state outside of a block: its own names end with it. */
export function outside(state: State, outer: State | undefined): State {
  const lasts = (place: Place) =>
    place.isShared || place.isHoisted || outer?.has(place) ||
    (place.within !== undefined && outer?.has(place.within));
  const kept = [...state].filter(([place]) => lasts(place));
  return kept.length === state.size ? state : new Map(kept);
}
