import {
  type Act,
  Block,
  type Call,
  type NameEvent,
  Procedure,
  type ProcedureEvent,
} from "./graph.ts";
import type { ts } from "../program/compiler.ts";
import { Binding, type LocalFunction, type Scope } from "../syntax/binding.ts";
import { droppedFinding, type Finding, lentFinding, unfollowedFinding } from "../finding.ts";
import type { Oracle } from "../types/oracle.ts";
import { wordsIn } from "../syntax/vocabulary.ts";
import { listUse } from "../types/list.ts";
import { isLinearType, lent, linearType, type Type } from "../types/value_type.ts";

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
    readonly finalizer: Procedure;
  }
  | {
    readonly kind: "function";
    readonly returnTo: Block;
    /** Absent for the file itself and for what runs in its place. */
    readonly local: LocalFunction | undefined;
  }
  | {
    /** The outermost frame of a `finally`: a jump goes on where its `try` stands. */
    readonly kind: "outside";
    readonly frames: Frame[];
    readonly scope: Scope;
    readonly procedure: Procedure;
  };

/** What an expression's value is wanted for. */
export interface Demand {
  readonly act: "drop" | "look" | "use" | "move" | "escape";
  /** In words for a message: `take()`, `return`. */
  readonly by: string;
  /** Whether it is kept beyond the block: returned, put into a list or a field. */
  readonly isKept?: boolean;
  /** The name of the list that it is put into, if it has one. */
  readonly into?: Binding | undefined;
}

export const DROP: Demand = { act: "drop", by: "" };
export const LOOK: Demand = { act: "look", by: "" };
export const USE: Demand = { act: "use", by: "" };
export const ESCAPE: Demand = { act: "escape", by: "" };
export const KEEP: Demand = { act: "escape", by: "", isKept: true };
export const RETURN: Demand = { act: "move", by: "return", isKept: true };

/** Statements and expressions inside each other that are followed; each takes some of the stack. */
const DEPTH_MAX = 150;

/** Acts after which the port is no longer what the code around thinks it is. */
const CONSUMING: ReadonlySet<Act> = new Set([
  "move",
  "escape",
  "dispose",
  "overwrite",
  "clear",
  "hold",
  "release",
  "schedule",
]);

/**
 * Expressions and statements hold each other: whoever follows the parts of one finds the way back in
 * the flow, so that no file has to import one that imports it.
 */
export interface Follow {
  readonly expression: (flow: Flow, node: ts.Node, demand: Demand) => void;
  readonly statements: (flow: Flow, nodes: readonly ts.Node[]) => void;
}

/** The graph of a file while it is built: where the next event goes, and what is around it. */
export class Flow {
  readonly types: Oracle;
  /** The names and keywords of the file. */
  readonly words: ReadonlySet<string>;
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
  /** The names of ports that were put into a list, by the name of the list. */
  readonly held = new Map<Binding, Set<Binding>>();
  procedure: Procedure;
  frames: Frame[] = [];
  /** Where the next event goes. */
  block: Block;
  scope: Scope;
  #depth = 0;

  readonly #follow: Follow;

  constructor(types: Oracle, follow: Follow) {
    const { source } = types.file;
    this.types = types;
    this.words = wordsIn(source.text);
    this.#follow = follow;
    this.scope = types.names.scopeOf(source);
    this.main = this.newProcedure(source);
    this.procedure = this.main;
    this.block = this.main.entry;
  }

  typeOf(expression: ts.Node | undefined): Type | undefined {
    return this.types.of(expression);
  }

  /** The name that an expression is, if it is declared in this file. */
  bindingOf(node: ts.Node): Binding | undefined {
    return this.types.names.bindingOf(node);
  }

  /** Adds an expression to the graph; its value, if it is linear, goes where `demand` says. */
  follow(expression: ts.Node, demand: Demand): void {
    this.#follow.expression(this, expression, demand);
  }

  /** Adds the statements of a scope that is already entered. */
  followStatements(statements: readonly ts.Node[]): void {
    this.#follow.statements(this, statements);
  }

  newProcedure(node: ts.Node, isAsync = false): Procedure {
    const procedure = new Procedure(node, isAsync);
    this.procedures.add(procedure);
    return procedure;
  }

  emit(act: Act, binding: Binding, details: Omit<NameEvent, "act" | "binding">): void {
    this.block.events.push({ act, binding, ...details });
    this.procedure.hasPorts = true;
    const isConsumed = CONSUMING.has(act);
    if (binding.isLent && act === "move" && details.by?.endsWith("()")) {
      this.emitFault(lentFinding(details.node, binding, details.by));
    }
    if (act === "overwrite" || act === "clear") binding.isAssigned = true;
    this.#note(binding, isConsumed, act !== "dispose");
  }

  /** A name goes to a function of this file, which may do anything to it. */
  lend(binding: Binding): void {
    this.#note(binding, true, true);
  }

  #note(binding: Binding, isConsumed: boolean, isMinded: boolean): void {
    if (isConsumed) binding.isConsumed = true;
    if (this.procedure.owns(binding)) return;
    this.procedure.touches.add(binding);
    if (isConsumed) this.procedure.consumes.add(binding);
    if (binding.isReference && isMinded) this.procedure.minds.add(binding);
  }

  /** Notes what happens to a procedure as a whole. */
  emitProcedure(
    act: ProcedureEvent["act"],
    procedure: Procedure,
    { isKept = false, schedule }: Pick<Partial<ProcedureEvent>, "isKept" | "schedule"> = {},
  ): void {
    this.block.events.push({ act, procedure, node: procedure.node, isKept, schedule });
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

  /** A port goes into a list, all of which is known to be consumed or not. */
  hold(binding: Binding, list: Binding, node: ts.Node): void {
    binding.list = list;
    this.held.set(list, (this.held.get(list) ?? new Set()).add(binding));
    this.emit("hold", binding, { node });
  }

  /** All that is in a list is consumed, or disposed of. */
  collect(list: Binding | undefined, act: "collect" | "sweep", node: ts.Node): void {
    if (!list) return;
    if (act === "collect") list.collectedAt = node;
    const by = act === "sweep" ? "dispose()" : `what goes through '${list.name}'`;
    for (const binding of this.held.get(list) ?? []) this.emit(act, binding, { node, by });
    const contents = act === "collect" ? this.#contentsOf(list) : undefined;
    if (contents) this.emit("move", contents, { node, by });
  }

  /** Something goes into a list: what is in it may be there. */
  refill(list: Binding, node: ts.Node): void {
    const contents = this.#contentsOf(list);
    if (contents) this.emit("overwrite", contents, { node, isLoan: true });
  }

  /** What is in a list, taken together: somebody else sees to its end, if it has not come. */
  #contentsOf(list: Binding): Binding | undefined {
    if (listUse(this.types.file, list) !== "local") return undefined;
    const { scope, node } = list;
    const name = `all of ${list.name}`;
    const binding = scope.bindings.get(name) ?? new Binding(node, { scope, declaredAs: "const" });
    binding.type = lent(linearType("port"));
    scope.bindings.set(name, binding);
    return binding;
  }

  /**
   * Other code has run, or a field was assigned: what the fields of the function hold now is not
   * known, but for those that get a port once.
   */
  forgetFields(isAssignment = false): void {
    for (let scope: Scope | undefined = this.scope; scope; scope = scope.parent) {
      for (const field of scope.bindings.values()) {
        if (field.isField && (isAssignment || !field.isFixed)) {
          this.emit("overwrite", field, { node: field.node, isLoan: true });
        }
      }
      if (scope.isFunction) return;
    }
  }

  /** What was just done may throw: whoever catches sees the state of this point. */
  mayThrow(waits = false): void {
    const to = this.handler();
    const last = this.block.events.at(-1);
    const isSame = last?.act === "throw" && last.to === to && last.waits === waits;
    if (!isSame) this.block.events.push({ act: "throw", to, waits });
  }

  /** Where an exception goes from here. */
  handler(): Block {
    const frame = this.frames.findLast((one) => one.kind === "catch" || one.kind === "finally");
    return frame?.entry ?? this.procedure.failed;
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

  /** Runs `work` with the names of a node, which end after it. */
  withNames(node: ts.Node, work: () => void): void {
    const scope = this.types.names.scopeOf(node);
    const outer = this.scope;
    this.scope = scope;
    scope.owner = this.procedure;
    this.within({ kind: "scope", scope }, work);
    this.leave(scope, node);
    this.scope = outer;
  }

  /** The names of a scope end. */
  leave(scope: Scope, node: ts.Node, isThrown = false): void {
    for (const binding of scope.bindings.values()) {
      const isOver = !binding.isReference && isLinearType(this.types.ofBinding(binding));
      if (isOver) this.emit("leave", binding, { node, isThrown });
    }
  }

  /** A value that is wanted by nobody who could consume it. */
  dropTemporary(node: ts.Node, type: Type | undefined, demand: Demand): void {
    const isTaken = demand.act === "move" || demand.act === "escape";
    if (!isLinearType(type) || type.isLoan || isTaken) return;
    this.emitFault(droppedFinding(node, type.kind));
  }

  /** Follows one level deeper, as far as the stack goes. */
  deeper(node: ts.Node, work: () => void): void {
    if (this.#depth >= DEPTH_MAX) return this.noteTooDeep(node);
    this.#depth++;
    work();
    this.#depth--;
  }

  /** Notes that a part of the file was left out, if ports may be in it: they may be consumed there. */
  noteTooDeep(node: ts.Node): void {
    const words = wordsIn(node.getText());
    const found: Binding[] = [];
    for (let scope: Scope | undefined = this.scope; scope; scope = scope.parent) {
      for (const one of scope.bindings.values()) {
        if (words.has(one.name) && isLinearType(this.types.ofBinding(one))) found.push(one);
      }
    }
    if (found.length > 0) this.notes.push(unfollowedFinding(node));
    for (const binding of found) this.emit("release", binding, { node });
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
  const innermost = frames.findLast((one) => one.kind === "function");
  if (innermost) return innermost.local;
  const outside = frames[0];
  return outside?.kind === "outside" ? functionAround(outside.frames) : undefined;
}

/** Runs a procedure here, then goes on; what it does not catch goes where this place's errors go. */
export function callProcedure(
  flow: Flow,
  procedure: Procedure,
  { node = procedure.node, references = [] }: Partial<Pick<Call, "node" | "references">> = {},
): void {
  const returnTo = flow.newBlock();
  flow.block.call = { procedure, references, node, returnTo, failTo: flow.handler() };
  procedure.callSites.push(flow.block);
  flow.procedure.uses.add(procedure);
  flow.procedure.calls.add(procedure);
  flow.block = returnTo;
}
