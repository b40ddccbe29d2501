import { droppedFinding, type Finding } from "../finding.ts";
import { Block, type FlowEvent } from "./graph.ts";
import { Kinds } from "../syntax/kind.ts";
import type { Act } from "./port_state.ts";
import { type Binding, type LocalFunction, Scope } from "../syntax/scope.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";
import { isLinear, type Kind } from "../syntax/vocabulary.ts";

/** Something that a jump can end at, or has to pass on its way out. */
export type Frame =
  | { readonly kind: "scope"; readonly scope: Scope }
  | {
    readonly kind: "target";
    readonly label: string;
    readonly breakTo: Block;
    /** Absent for `switch` and labelled blocks. */
    readonly continueTo?: Block;
    /** Whether a bare `break` ends here; false for a labelled block. */
    readonly takesBareBreak: boolean;
  }
  | { readonly kind: "catch"; readonly entry: Block }
  | {
    readonly kind: "finally";
    /** Where an exception comes in. */
    readonly entry: Block;
    readonly finalizer: SyntaxNode;
    /** Where the finalizer's names are looked up. */
    readonly scope: Scope;
  }
  | {
    readonly kind: "function";
    readonly returnTo: Block;
    readonly local: LocalFunction;
    /** Whether it is followed at its call, so that what it throws reaches the caller. */
    readonly isFollowed: boolean;
  };

/** What an expression's value is wanted for. */
export interface Demand {
  readonly act: "drop" | "look" | "use" | "move" | "escape";
  /** In words for a message: `take()`, `return`. */
  readonly by: string;
}

export const DROP: Demand = { act: "drop", by: "" };
export const LOOK: Demand = { act: "look", by: "" };
export const USE: Demand = { act: "use", by: "" };
export const ESCAPE: Demand = { act: "escape", by: "" };

/** The graph of a file while it is built: where the next event goes, and what is around it. */
export class Flow {
  readonly kinds: Kinds;
  readonly findings: Finding[] = [];
  readonly entry = new Block();
  readonly frames: Frame[] = [];
  /** Where the next event goes. */
  block: Block = this.entry;
  scope: Scope = new Scope();
  /** Each notes what is consumed while it is here. */
  readonly #consumptionLogs: Set<Binding>[] = [];
  /** Functions that are being followed at a call, so that recursion ends. */
  readonly following = new Set<LocalFunction>();

  constructor(kinds: Kinds) {
    this.kinds = kinds;
  }

  kindOf(expression: SyntaxNode | undefined): Kind | undefined {
    return this.kinds.of(expression, this.scope);
  }

  emit(
    act: Act,
    binding: Binding,
    details: Pick<FlowEvent, "node"> & Partial<Omit<FlowEvent, "act" | "binding">>,
  ): void {
    const { node, by = "", inside = false, isNullable = false } = details;
    this.block.events.push({ act, binding, node, by, inside, isNullable });
    const isConsumed = act === "move" || act === "escape" || act === "release";
    this.#noteCapture(binding, isConsumed);
    if (isConsumed) { for (const log of this.#consumptionLogs) log.add(binding); }
  }

  /** Goes on in `block`, which the current one leads to. */
  continueIn(block: Block): void {
    this.block.next.push(block);
    this.block = block;
  }

  /** Opens a block that follows the current one. */
  branch(): Block {
    const block = new Block();
    this.block.next.push(block);
    return block;
  }

  /** What was just done may throw: whoever catches sees the state of this point. */
  mayThrow(): void {
    const handler = this.#handler();
    if (!handler) return;
    this.block.next.push(handler);
    this.continueIn(new Block());
  }

  /**
   * The end of a finalizer that an exception came into: it goes on. Out of the function it goes
   * unseen: any call may throw, and a report for each would be noise. `using` covers that.
   */
  rethrow(): void {
    const handler = this.#handler();
    if (handler) this.block.next.push(handler);
    this.stop();
  }

  /** No run gets past this point. */
  stop(): void {
    this.block = new Block();
  }

  /** Runs `work` inside a frame. */
  within(frame: Frame, work: () => void): void {
    this.frames.push(frame);
    work();
    this.frames.pop();
  }

  /** Runs `work` with the names of `scope`, which end after it. */
  withScope(scope: Scope, work: () => void, end: SyntaxNode): void {
    const outer = this.scope;
    this.scope = scope;
    this.within({ kind: "scope", scope }, work);
    this.leave(scope, end);
    this.scope = outer;
  }

  /** What is consumed by `work`, on whichever path. */
  logConsumption(work: () => void): Set<Binding> {
    const log = new Set<Binding>();
    this.#consumptionLogs.push(log);
    work();
    this.#consumptionLogs.pop();
    return log;
  }

  leave(scope: Scope, node: SyntaxNode): void {
    for (const binding of scope.bindings.values()) {
      if (isLinear(this.kinds.ofBinding(binding))) this.emit("leave", binding, { node });
    }
  }

  /** A value that is wanted by nobody who could consume it. */
  dropTemporary(node: SyntaxNode, kind: Kind | undefined, demand: Demand): void {
    if (!isLinear(kind) || demand.act === "move" || demand.act === "escape") return;
    this.findings.push(droppedFinding(node, kind));
  }

  #handler(): Block | undefined {
    const frame = this.frames.findLast((one) =>
      one.kind === "catch" || one.kind === "finally" ||
      (one.kind === "function" && !one.isFollowed)
    );
    return frame?.kind === "catch" || frame?.kind === "finally" ? frame.entry : undefined;
  }

  /** Notes in the functions around what they do to names from outside. */
  #noteCapture(binding: Binding, isConsumed: boolean): void {
    for (const frame of this.frames) {
      if (frame.kind !== "function" || binding.scope.depth > frame.local.scope.depth) continue;
      frame.local.touches.add(binding);
      if (isConsumed) frame.local.consumes.add(binding);
    }
  }

  /** Notes in the functions around that they call another one. */
  noteCall(callee: LocalFunction): void {
    for (const frame of this.frames) if (frame.kind === "function") frame.local.calls.add(callee);
  }
}
