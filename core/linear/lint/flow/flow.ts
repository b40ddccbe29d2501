import { droppedFinding, type Finding, unfollowedFinding } from "../finding.ts";
import type { Frame } from "./frame.ts";
import { Block, type NameEvent, Procedure, type ProcedureEvent } from "./graph.ts";
import type { Inference } from "../types/inference.ts";
import type { Act } from "./port_state.ts";
import { type Binding, type LocalFunction, Scope } from "../syntax/scope.ts";
import type { Words } from "../syntax/relevance.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";
import { isLinearType, type Type } from "../value/value_type.ts";

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

/** Statements and expressions inside each other that are followed; each takes some of the stack. */
const DEPTH_MAX = 150;

/** Acts after which the port is no longer what the code around thinks it is. */
const CONSUMING: ReadonlySet<Act> = new Set([
  "move",
  "escape",
  "dispose",
  "overwrite",
  "clear",
  "release",
  "schedule",
]);

/** The graph of a file while it is built: where the next event goes, and what is around it. */
export class Flow {
  readonly types: Inference;
  readonly words: Words;
  readonly main: Procedure;
  /** Every procedure of the file. */
  readonly procedures = new Set<Procedure>();
  /** Those of them that are given to somebody, and those that are given to a timer. */
  readonly handedOn = new Set<Procedure>();
  readonly scheduled = new Set<Procedure>();
  /** Functions whose bodies are still to be followed. */
  readonly waiting = new Set<LocalFunction>();
  /** What is to be said of the file as a whole: where it was not followed. */
  readonly notes: Finding[] = [];
  /** The names of the file by which ports can come into a function. */
  relevantNames: ReadonlySet<string> = new Set();
  /** The names of the file itself. */
  mainScope: Scope | undefined;
  /** What the file exports, by name. */
  readonly exported: SyntaxNode[] = [];
  procedure: Procedure;
  frames: Frame[] = [];
  /** Where the next event goes. */
  block: Block;
  scope: Scope = new Scope();
  /** Each notes what is consumed while it is here. */
  readonly #logs: Set<Binding>[] = [];
  #depth = 0;

  constructor(types: Inference, program: SyntaxNode, words: Words) {
    this.types = types;
    this.words = words;
    this.main = this.newProcedure(program);
    this.procedure = this.main;
    this.block = this.main.entry;
  }

  typeOf(expression: SyntaxNode | undefined): Type | undefined {
    return this.types.of(expression, this.scope);
  }

  newProcedure(node: SyntaxNode, isAsync = false): Procedure {
    const procedure = new Procedure(node, isAsync);
    this.procedures.add(procedure);
    return procedure;
  }

  emit(
    act: Act,
    binding: Binding,
    details: Omit<NameEvent, "act" | "binding">,
  ): void {
    this.block.events.push({ act, binding, ...details });
    this.procedure.hasPorts = true;
    const isConsumed = CONSUMING.has(act);
    if (act === "overwrite" || act === "clear") binding.isAssigned = true;
    if (isConsumed) binding.isConsumed = true;
    if (isConsumed) { for (const log of this.#logs) log.add(binding); }
    if (this.procedure.owns(binding)) return;
    this.procedure.touches.add(binding);
    if (isConsumed) this.procedure.consumes.add(binding);
    if (binding.isReference && act !== "dispose") this.procedure.minds.add(binding);
  }

  /** A name goes to a function of this file, which may do anything to it. */
  lend(binding: Binding): void {
    binding.isConsumed = true;
    if (this.procedure.owns(binding)) return;
    this.procedure.touches.add(binding);
    this.procedure.consumes.add(binding);
    if (binding.isReference) this.procedure.minds.add(binding);
  }

  /** Notes what happens to a procedure as a whole. */
  emitProcedure(act: ProcedureEvent["act"], procedure: Procedure): void {
    this.block.events.push({ act, procedure, node: procedure.node });
    this.block.hasProcedures = true;
    if (act !== "create") this.handedOn.add(procedure);
    if (act === "scheduled") this.scheduled.add(procedure);
    this.procedure.uses.add(procedure);
  }

  /** Something that is wrong if a run comes here. */
  emitFault(finding: Finding): void {
    this.block.events.push({ act: "fault", finding });
    this.procedure.hasPorts = true;
  }

  newBlock(): Block {
    return new Block(this.procedure);
  }

  /** Goes on in `block`, which the current one leads to. */
  continueIn(block: Block): void {
    this.block.next.push(block);
    this.block = block;
  }

  /** What was just done may throw: whoever catches sees the state of this point. */
  mayThrow(): void {
    const to = this.handler();
    const last = this.block.events.at(-1);
    if (last?.act !== "throw" || last.to !== to) this.block.events.push({ act: "throw", to });
  }

  /** Where an exception goes from here. */
  handler(): Block {
    const frame = this.frames.findLast((one) => one.kind === "catch" || one.kind === "finally");
    const isCaught = frame?.kind === "catch" || frame?.kind === "finally";
    return isCaught ? frame.entry : this.procedure.failed;
  }

  /** The function whose body is followed; absent outside of functions. */
  get currentFunction(): LocalFunction | undefined {
    return functionAround(this.frames);
  }

  /** No run gets past this point. */
  stop(): void {
    this.block = this.newBlock();
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
    scope.owner = this.procedure;
    this.within({ kind: "scope", scope }, work);
    this.leave(scope, end);
    this.scope = outer;
  }

  /** What is consumed by `work`, on whichever path. */
  logConsumption(work: () => void): Set<Binding> {
    const log = new Set<Binding>();
    this.#logs.push(log);
    work();
    this.#logs.pop();
    return log;
  }

  /** The names of a scope end. */
  leave(scope: Scope, node: SyntaxNode, isThrown = false): void {
    for (const binding of scope.bindings.values()) {
      const isOver = !binding.isReference && isLinearType(this.types.ofBinding(binding));
      if (isOver) this.emit("leave", binding, { node, isThrown });
    }
  }

  /** A value that is wanted by nobody who could consume it. */
  dropTemporary(node: SyntaxNode, type: Type | undefined, demand: Demand): void {
    const isTaken = demand.act === "move" || demand.act === "escape";
    if (!isLinearType(type) || type.isLoan || isTaken) return;
    this.emitFault(droppedFinding(node, type.kind));
  }

  /** Follows one level deeper, as far as the stack goes. */
  deeper(node: SyntaxNode, work: () => void): void {
    if (this.#depth >= DEPTH_MAX) return this.noteTooDeep(node);
    this.#depth++;
    work();
    this.#depth--;
  }

  /** Notes that a part of the file was left out, if ports may be in it: they may be consumed there. */
  noteTooDeep(node: SyntaxNode): void {
    const words = this.words.within(node.range);
    if (words.some((one) => this.types.isTracked(one))) this.notes.push(unfollowedFinding(node));
    for (const word of new Set(words)) {
      const binding = this.scope.resolve(word);
      const isPort = binding && isLinearType(this.types.ofBinding(binding));
      if (isPort) this.emit("release", binding, { node });
    }
  }

  /** Builds another procedure, then goes on here. */
  inProcedure(procedure: Procedure, scope: Scope, work: () => void): void {
    const { block, frames, scope: outer, procedure: around } = this;
    this.procedure = procedure;
    this.frames = [];
    this.scope = scope;
    this.block = procedure.entry;
    work();
    this.procedure = around;
    this.frames = frames;
    this.scope = outer;
    this.block = block;
  }
}

function functionAround(frames: readonly Frame[]): LocalFunction | undefined {
  const innermost = frames.findLast(({ kind }) => kind === "function");
  if (innermost?.kind === "function") return innermost.local;
  const outside = frames[0];
  return outside?.kind === "outside" ? functionAround(outside.frames) : undefined;
}
