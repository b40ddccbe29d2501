import { CHECKS, type LinearKind } from "../syntax/vocabulary.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";

/** What may be true of a name at one point of a program; several at once where paths meet. */
export const Bit = {
  /** Nothing is owed: not assigned, `undefined`, or an empty `Maybe`. */
  none: 1,
  /** A port is here, and somebody must consume it. */
  live: 2,
  /** A `Maybe` or `Either` that nobody has looked at. */
  unchecked: 4,
  /** Looked at, by code whose outcome is not followed. */
  asked: 8,
  moved: 16,
  /** Given to code that cannot be followed: nothing is known, nothing is reported. */
  escaped: 32,
} as const;

/** The state of one name: an element of the lattice of subsets of {@linkcode Bit}. */
export interface PortState {
  readonly bits: number;
  /** The earliest place that moved it, for the message. */
  readonly movedAt?: SyntaxNode;
  /** What moved it there, in words: `send()`. */
  readonly movedBy?: string;
}

/** What a statement can do to a name. */
export type Act =
  /** Declares it without a port. */
  | "declare"
  /** Declares it with a port, a `Maybe` or an `Either`. */
  | "define"
  /** Assigns another port to it. */
  | "overwrite"
  /** Assigns something else to it. */
  | "clear"
  | "use"
  | "move"
  | "escape"
  /** Gives it to a function that consumes it when it runs, if it runs. */
  | "release"
  /** Looks at `present` or `arrived` outside a condition. */
  | "ask"
  /** A condition said yes. */
  | "present"
  /** A condition said no. */
  | "absent"
  /** The name goes out of scope. */
  | "leave";

/** The names of the rules. */
export type RuleName = "use-after-move" | "double-move" | "unconsumed-port" | "unchecked-maybe";

/** The state where two paths meet. */
export function joinStates(left: PortState, right: PortState): PortState {
  const bits = left.bits | right.bits;
  const first = earlier(left, right);
  if (bits === left.bits && first === left) return left;
  return { ...first, bits };
}

function earlier(left: PortState, right: PortState): PortState {
  if (!right.movedAt) return left;
  if (!left.movedAt) return right;
  return left.movedAt.range[0] <= right.movedAt.range[0] ? left : right;
}

/**
 * The state after an act, without the trace of who moved it.
 *
 * @returns 0 when the act shows that no run comes here: an empty `Maybe` that is not empty
 */
export function bitsAfter(act: Act, bits: number, kind: LinearKind): number {
  switch (act) {
    case "define":
    case "overwrite":
      return kind === "port" ? Bit.live : Bit.unchecked;
    case "declare":
    case "clear":
      return Bit.none;
    case "use":
    case "ask":
      return replace(bits, Bit.unchecked, Bit.asked);
    case "move":
      return replace(bits, ~Bit.none, Bit.moved);
    case "escape":
    case "release":
      return replace(bits, ~Bit.none, Bit.escaped);
    case "present":
      return bitsWhenPresent(bits, kind);
    case "absent":
      return bitsWhenAbsent(bits, kind);
    case "leave":
      return 0;
  }
}

/** Turns whichever of the bits `from` are set into the bit `to`. */
function replace(bits: number, from: number, to: number): number {
  return (bits & from) === 0 ? bits : (bits & ~from) | to;
}

function bitsWhenPresent(bits: number, kind: LinearKind): number {
  const looked = replace(bits, Bit.unchecked | Bit.asked, Bit.live);
  return kind === "either" ? looked : looked & ~Bit.none;
}

function bitsWhenAbsent(bits: number, kind: LinearKind): number {
  if (kind === "either") return replace(bits, Bit.unchecked | Bit.asked, Bit.live);
  const kept = bits & (Bit.none | Bit.escaped);
  // An empty Maybe owes nothing, whoever has it; a port is never falsy.
  const wasOpen = bits & (Bit.unchecked | Bit.asked | Bit.moved);
  return kind === "maybe" && wasOpen !== 0 ? kept | Bit.none : kept;
}

/** The rule that an act breaks in this state. */
export function faultOf(
  act: Act,
  bits: number,
  inside = false,
): RuleName | undefined {
  const isUse = act === "use" || act === "move" || act === "escape";
  if (isUse && inside && (bits & Bit.unchecked) !== 0) return "unchecked-maybe";
  if (isUse && (bits & Bit.moved) !== 0) return act === "move" ? "double-move" : "use-after-move";
  const isLoss = act === "leave" || act === "overwrite" || act === "clear";
  if (isLoss && (bits & Bit.live) !== 0) return "unconsumed-port";
  if (isLoss && (bits & Bit.unchecked) !== 0) return "unchecked-maybe";
  return undefined;
}

/** The name of a kind in a message. */
export function kindName(kind: LinearKind): string {
  return { port: "Port", maybe: "Maybe", either: "Either" }[kind];
}

/** The property that must be looked at first, in a message. */
export function checkName(kind: LinearKind): string {
  return kind === "port" ? "" : CHECKS[kind];
}
