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
  /** Given to code that cannot be followed, or lent: somebody else may see to its end. */
  escaped: 32,
  /** Code that runs when the running code has ended will consume it. */
  due: 64,
} as const;

/** All of {@linkcode Bit}, one by one. */
export const BITS: readonly number[] = Object.values(Bit);

/** The state of one name: an element of the lattice of subsets of {@linkcode Bit}. */
export interface PortState {
  readonly bits: number;
  /** The earliest place where the port was made that may be here. */
  readonly madeAt?: SyntaxNode | undefined;
  /** The earliest place that moved it, for the message. */
  readonly movedAt?: SyntaxNode | undefined;
  /** What moved it there, in words: `send()`. */
  readonly movedBy?: string | undefined;
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
  /** Closes it unless something has consumed it. */
  | "dispose"
  /** Gives it to a function that consumes it when it runs, if it runs. */
  | "release"
  /** Gives it to a function that will run once, and consume it. */
  | "schedule"
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
  const made = earlier(left.madeAt, right.madeAt);
  const moved = earlier(left.movedAt, right.movedAt);
  if (bits === left.bits && made === left.madeAt && moved === left.movedAt) return left;
  const movedBy = moved === left.movedAt ? left.movedBy : right.movedBy;
  return { bits, madeAt: made, movedAt: moved, movedBy };
}

function earlier(left: SyntaxNode | undefined, right: SyntaxNode | undefined) {
  if (!left || !right) return left ?? right;
  return left.range[0] <= right.range[0] ? left : right;
}

/** What a name holds at first: a value that is its own, or one that is only lent to it. */
export function firstBits(kind: LinearKind, { isLoan = false, isNullable = false } = {}): number {
  const value = isLoan ? Bit.escaped : kind === "port" ? Bit.live : Bit.unchecked;
  return isNullable ? value | Bit.none : value;
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
      return firstBits(kind);
    case "declare":
    case "clear":
      return Bit.none;
    case "use":
    case "ask":
      return replace(bits, Bit.unchecked, Bit.asked);
    case "move":
      return replace(bits, ~Bit.none, Bit.moved);
    case "dispose":
      return replace(bits, ~(Bit.none | Bit.due), Bit.moved);
    case "escape":
    case "release":
      return replace(bits, ~Bit.none, Bit.escaped);
    case "schedule":
      return replace(bits, Bit.live, Bit.due);
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
  const wasOpen = bits & (Bit.unchecked | Bit.asked | Bit.moved | Bit.due);
  return kind === "maybe" && wasOpen !== 0 ? kept | Bit.none : kept;
}

/** What a rule looks at, beside the state. */
export interface Circumstances {
  /** Whether the act reaches through the `value` of a `Maybe` or `Either`. */
  readonly inside?: boolean;
  /** Whether any place of the program consumes the name. */
  readonly isConsumed?: boolean;
}

/** The rule that an act breaks in this state. */
export function faultOf(
  act: Act,
  bits: number,
  { inside = false, isConsumed = true }: Circumstances = {},
): RuleName | undefined {
  const has = (some: number) => (bits & some) !== 0;
  switch (act) {
    case "use":
    case "move":
    case "escape":
      if (inside && (has(Bit.unchecked) || bits === Bit.none)) return "unchecked-maybe";
      if (act === "move") return has(Bit.moved | Bit.due) ? "double-move" : undefined;
      return has(Bit.moved) ? "use-after-move" : undefined;
    case "leave":
    case "overwrite":
    case "clear":
      if (has(Bit.live) || (has(Bit.asked) && !isConsumed)) return "unconsumed-port";
      return has(Bit.unchecked) ? "unchecked-maybe" : undefined;
    default:
      return undefined;
  }
}

/** The name of a kind in a message. */
export function kindName(kind: LinearKind): string {
  return { port: "Port", maybe: "Maybe", either: "Either" }[kind];
}

/** The property that must be looked at first, in a message. */
export function checkName(kind: LinearKind): string {
  return kind === "port" ? "" : CHECKS[kind];
}
