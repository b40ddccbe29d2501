import type { Finding } from "../finding.ts";
import type { Act } from "./port_state.ts";
import type { Binding } from "../syntax/scope.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";

/** Something that a program does to one name. */
export interface NameEvent {
  readonly act: Act;
  readonly binding: Binding;
  /** The place to point at when this breaks a rule. */
  readonly node: SyntaxNode;
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
   * runs once, when the code that is running now has ended.
   */
  readonly act: "create" | "later" | "scheduled";
  readonly procedure: Procedure;
  readonly node: SyntaxNode;
}

/** What was just done may throw: whoever catches sees the state of this point. */
export interface ThrowEvent {
  readonly act: "throw";
  readonly to: Block;
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
  readonly node: SyntaxNode;
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
  readonly node: SyntaxNode;
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

  constructor(node: SyntaxNode, isAsync = false) {
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
