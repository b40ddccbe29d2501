import type { Schedule } from "../types/value_type.ts";
import type { Finding } from "../finding.ts";
import type { ts } from "../program/compiler.ts";
import type { Binding } from "../syntax/binding.ts";
import { CHECKS, type LinearKind } from "../syntax/vocabulary.ts";

/** Something that a program does to one name. */
export interface NameEvent {
  readonly act: Act;
  readonly binding: Binding;
  /** The place to point at when this breaks a rule. */
  readonly node: ts.Node;
  /** What does it, in words for a message: `send()`. */
  readonly by?: string;
  /** Whether it reaches through the `value` of a `Maybe` or `Either`. */
  readonly inside?: boolean;
  /** For `define` and `overwrite`: whether the value may be `undefined`. */
  readonly isNullable?: boolean;
  /** For `define` and `overwrite`: whether somebody else sees to the port's end. */
  readonly isLoan?: boolean;
  /** For `define` and `overwrite`: the name that the port was moved from just before. */
  readonly from?: Binding | undefined;
  /** For `leave`: whether it is an exception that ends the name. */
  readonly isThrown?: boolean;
}

/** Something that has to do with a whole procedure. */
export interface ProcedureEvent {
  /**
   * `create`: from here on it may run at any time. `later`: who has it may run it. `scheduled`: it
   * runs once, when the code that is running now has ended, unless it is `calledOff`.
   */
  readonly act: "create" | "later" | "scheduled" | "calledOff";
  readonly procedure: Procedure;
  readonly node: ts.Node;
  /** Whether it runs when the block that hands it on is over: returned, stored, given to a timer. */
  readonly isKept: boolean;
  /** When it runs, where that is known. */
  readonly schedule?: Schedule | undefined;
}

/** What was just done may throw: whoever catches sees the state of this point. */
export interface ThrowEvent {
  readonly act: "throw";
  readonly to: Block;
  /** Whether other code runs meanwhile. */
  readonly waits: boolean;
}

/** Something that is wrong whatever the state, if a run comes here at all. */
export interface FaultEvent {
  readonly act: "fault";
  readonly finding: Finding;
}

export type FlowEvent = NameEvent | ProcedureEvent | ThrowEvent | FaultEvent;

/** A call at the end of a block: the procedure runs, then the caller goes on. */
export interface Call {
  readonly procedure: Procedure;
  /** What the procedure's parameters stand for, where they are references. */
  readonly references: readonly (readonly [parameter: Binding, argument: Binding])[];
  readonly node: ts.Node;
  /** Where the caller goes on when the procedure returns, and when something in it throws. */
  readonly returnTo: Block;
  readonly failTo: Block;
}

/** Events that run one after the other, and the blocks that may follow. */
export class Block {
  readonly procedure: Procedure;
  /** Whether calls of the procedure go on where their caller is when they come here. */
  readonly isEnd: boolean;
  readonly events: FlowEvent[] = [];
  readonly next: Block[] = [];
  call: Call | undefined;
  /** Whether procedures are made or handed on in it. */
  hasProcedures = false;

  constructor(procedure: Procedure, isEnd = false) {
    this.procedure = procedure;
    this.isEnd = isEnd;
  }
}

/**
 * Code that is built once and run from several places, each time in the state of that place: a
 * function, or the `finally` of a `try`.
 */
export class Procedure {
  readonly node: ts.Node;
  /** Whether a call of it goes on even if its body never ends. */
  readonly isAsync: boolean;
  entry = new Block(this);
  exit = new Block(this, true);
  /** Where an exception goes that nothing in it catches. */
  failed = new Block(this, true);
  /** Ways out of a `finally` to a place in the procedure around it. */
  jumps: (readonly [exit: Block, target: Block])[] = [];
  /** The names of other procedures that it deals with, and those that it consumes. */
  readonly touches = new Set<Binding>();
  readonly consumes = new Set<Binding>();
  /** Its parameters that it does more to than to dispose of them. */
  readonly minds = new Set<Binding>();
  /** The procedures that it calls, makes or hands on. */
  readonly uses = new Set<Procedure>();
  /** Those of them that it calls. */
  readonly calls = new Set<Procedure>();
  /** The blocks that call it. */
  readonly callSites: Block[] = [];
  /** Whether anything happens to a port in it. */
  hasPorts = false;
  /** Whether it serves a call, which is over when it returns. */
  isHandler = false;

  constructor(node: ts.Node, isAsync = false) {
    this.node = node;
    this.isAsync = isAsync;
  }

  /** Forgets the graph, for building it again. */
  reset(): void {
    this.entry = new Block(this);
    this.exit = new Block(this, true);
    this.failed = new Block(this, true);
    this.jumps = [];
    this.touches.clear();
    this.consumes.clear();
    this.minds.clear();
    this.uses.clear();
    this.calls.clear();
    this.hasPorts = false;
  }

  /** Whether a name is declared here, so that each run has its own. */
  owns(binding: Binding): boolean {
    return binding.scope.owner === this && !binding.isReference;
  }
}

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
  /** Code that runs when the running code has ended, or waits, will use it. */
  awaited: 128,
  /** In a list of this function, all of which somebody may consume. */
  held: 256,
  /** Consumed by its name while it is in a list. */
  spent: 512,
  /** The port of an `Either` that is known not to have arrived. */
  waiting: 1024,
} as const;

/** All of {@linkcode Bit}, one by one. */
export const BITS: readonly number[] = Object.values(Bit);

/** The state of one name: an element of the lattice of subsets of {@linkcode Bit}. */
export interface PortState {
  readonly bits: number;
  /** The earliest place where the port was made that may be here. */
  readonly madeAt?: ts.Node | undefined;
  /** The earliest place that moved it, for the message. */
  readonly movedAt?: ts.Node | undefined;
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
  /** Gives it to a function that will run once, and use it. */
  | "expect"
  /** Takes it back from a function that was to run later. */
  | "callOff"
  /** Looks at `present` or `arrived` outside a condition. */
  | "ask"
  /** Puts it into a list of which all is known. */
  | "hold"
  /** Consumes all that is in the list, or disposes of it. */
  | "collect"
  | "sweep"
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

function earlier(left: ts.Node | undefined, right: ts.Node | undefined) {
  if (!left || !right) return left ?? right;
  return left.pos <= right.pos ? left : right;
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
    case "expect":
      return bits | Bit.awaited;
    case "callOff":
      return replace(bits & ~Bit.awaited, Bit.due, Bit.live);
    case "move":
      return replace(replace(bits, Bit.held, Bit.spent), ~(Bit.none | Bit.spent), Bit.moved);
    case "dispose":
      return replace(
        replace(bits, Bit.held, Bit.spent),
        ~(Bit.none | Bit.due | Bit.spent),
        Bit.moved,
      );
    case "hold":
      return replace(bits, ~Bit.none, Bit.held);
    case "collect":
    case "sweep":
      return replace(bits, Bit.held | Bit.spent, Bit.moved);
    case "escape":
    case "release":
      return replace(bits, ~Bit.none, Bit.escaped);
    case "schedule":
      return replace(bits, Bit.live | Bit.waiting, Bit.due);
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
  return looked & ~(kind === "either" ? Bit.waiting : Bit.none);
}

function bitsWhenAbsent(bits: number, kind: LinearKind): number {
  if (kind === "either") {
    return replace(bits & ~Bit.live, Bit.unchecked | Bit.asked, Bit.waiting);
  }
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

/** The port was consumed. */
const OVER = Bit.moved | Bit.spent;

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
      if (act === "move" && has(Bit.awaited)) return "use-after-move";
      if (act === "move") return has(OVER | Bit.due) ? "double-move" : undefined;
      return has(OVER) ? "use-after-move" : undefined;
    case "hold":
      return has(OVER) ? "use-after-move" : undefined;
    case "collect":
      return has(Bit.spent) ? "double-move" : undefined;
    case "leave":
    case "overwrite":
    case "clear":
      if (has(Bit.live | Bit.waiting) || (has(Bit.asked) && !isConsumed)) return "unconsumed-port";
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
