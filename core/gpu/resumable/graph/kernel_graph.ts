import type { Expression } from "../../syntax/expression.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { type KernelModule, NO_TOKENS, pointeeOf, type Variable } from "../text/kernel_module.ts";
import type { Declaration } from "../../syntax/statements.ts";

/** A part of an operation: generated text, or an expression or tokens of the author's. */
export type Piece = string | Expression | (TokenRange & { readonly kind: "tokens" });

/** Something that is done without waiting for the host. */
export interface Operation {
  /** Its origin in the author's text. */
  readonly index: number;
  /** The statement, or the value of `sets`. */
  readonly pieces: readonly Piece[];
  /** The variable that it overwrites. */
  readonly sets?: Variable;
  /** Whether it declares `sets`. */
  readonly declares?: boolean;
  /** The targets of `break`, `continue` and `return` in it. */
  readonly jumps: readonly Block[];
}

/** How a block ends. */
export type Terminator =
  & {
    /** The blocks that may follow. */
    readonly targets: readonly Block[];
    /** The condition of a branch, the selector of a switch, or the text of a request. */
    readonly pieces: readonly Piece[];
  }
  & (
    /** A branch goes to its first target if its condition is true. */
    | { readonly kind: "goto" | "branch" | "return" }
    /** The clauses, one for each target; one of them is the default. */
    | { readonly kind: "switch"; readonly selectors: readonly TokenRange[] }
    /** Calls a function of `kernel_api.wgsl`, and continues when that is done. */
    | { readonly kind: "request"; readonly index: number }
    | { readonly kind: "call"; readonly callee: SuspendingFunction }
  );

/** A basic block: a sequence of operations, and a terminator. */
export interface Block {
  /** Its start in the author's text. */
  readonly index: number;
  readonly operations: Operation[];
  terminator: Terminator;
}

export function successorsOf({ operations, terminator }: Block): Block[] {
  return [...operations.flatMap(({ jumps }) => jumps), ...terminator.targets];
}

/** A `break`, `continue` or `return` in a statement that is not lowered. */
export interface Jump {
  /** The token after it. */
  readonly end: number;
  /** Its target; `undefined` for a return. */
  readonly target: Block | undefined;
  readonly value?: Expression;
}

/** The control-flow graphs of all functions that suspend. */
export interface KernelGraph {
  readonly functions: ReadonlyMap<string, SuspendingFunction>;
  /** The first block of each function; `kernel` comes first. */
  readonly entries: Map<SuspendingFunction, Block>;
  /** Expressions that are evaluated before their statement, and the variables that keep their values. */
  readonly replaced: Map<Expression, Variable>;
  /** Jumps in statements that are not lowered, by their first token. */
  readonly jumps: Map<number, Jump>;
  /** Constants of functions, which must be visible in every step. */
  readonly constants: { readonly variable: Variable; readonly declaration: Declaration }[];
}

/** Builds the graph of one function, block after block. */
export class GraphBuilder {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  /** The result of the function. */
  readonly result: Variable | undefined;
  readonly entry: Block;
  #current: Block;

  constructor(module: KernelModule, graph: KernelGraph, one: SuspendingFunction) {
    this.module = module;
    this.graph = graph;
    this.result = one.result;
    this.entry = this.#current = this.block(one.declaration.name.index);
  }

  /** Creates a block, which returns from the function unless it gets another terminator. */
  block(index: number): Block {
    return { index, operations: [], terminator: { kind: "return", pieces: [], targets: [] } };
  }

  emit(operation: Omit<Operation, "jumps"> & Partial<Operation>): void {
    this.#current.operations.push({ jumps: [], ...operation });
  }

  /** Adds an operation with a position of the text. */
  emitAt(at: { readonly start: number }, pieces: readonly Piece[], jumps: Block[] = []): void {
    this.emit({ index: this.indexOf(at), pieces, jumps });
  }

  /** Ends the current block, and continues with another. */
  end(terminator: Terminator, next: Block): void {
    this.#current.terminator = terminator;
    this.#current = next;
  }

  /** Continues with a block that is already a target. */
  enter(block: Block): void {
    this.#current = block;
  }

  /** Ends the current block with a jump to another. */
  goto(target: Block, next = target): void {
    this.end({ kind: "goto", pieces: [], targets: [target] }, next);
  }

  branch(condition: Expression, [then, otherwise]: readonly [Block, Block], next: Block): void {
    this.end({ kind: "branch", pieces: [condition], targets: [then, otherwise] }, next);
  }

  /** The position of an expression in the text. */
  indexOf({ start }: { readonly start: number }): number {
    return this.module.tokens[start]!.index;
  }

  /** Creates a variable for a value at a position of the text. */
  variable(at: { readonly start: number }, given: Partial<Variable>): Variable {
    const index = this.indexOf(at);
    return { name: "kept", keyword: "let", index, type: NO_TOKENS, ...given };
  }

  /** Declares a variable with a value. */
  declare(variable: Variable, pieces: readonly Piece[]): void {
    this.emit({ index: variable.index, pieces, sets: variable, declares: true });
  }

  /** Keeps the value of an expression in a variable. */
  keep(expression: Expression): void {
    const kept = this.variable(expression, { what: "this value", value: expression });
    // The value itself still has to be written, as a copy of the expression.
    const value = { ...expression };
    const before = this.graph.replaced.get(expression);
    if (before) this.graph.replaced.set(value, before);
    this.declare(kept, [value]);
    this.graph.replaced.set(expression, kept);
  }

  /** Creates an expression that is written as a variable. */
  mention(variable: Variable, at: Expression): Expression {
    const mention = { ...at };
    this.graph.replaced.set(mention, variable);
    return mention;
  }
}

/** Skips blocks that only jump to another. */
export function skipEmptyBlocks(graph: KernelGraph): void {
  for (const [one, entry] of graph.entries) {
    for (const block of reachableFrom(entry)) {
      block.operations.forEach((operation, at) => {
        block.operations[at] = { ...operation, jumps: operation.jumps.map(behindEmpty) };
      });
      block.terminator = {
        ...block.terminator,
        targets: block.terminator.targets.map(behindEmpty),
      };
    }
    graph.entries.set(one, behindEmpty(entry));
  }
  for (const [at, jump] of graph.jumps) {
    graph.jumps.set(at, { ...jump, target: jump.target && behindEmpty(jump.target) });
  }
}

function behindEmpty(start: Block): Block {
  const seen = new Set<Block>();
  let block = start;
  while (block.operations.length === 0 && block.terminator.kind === "goto") {
    if (seen.has(block)) break;
    seen.add(block);
    block = block.terminator.targets[0]!;
  }
  return block;
}

/**
 * Finds the blocks of a function that have to be steps: the first, those that follow the host or
 * another function, and those with several predecessors. Other blocks are written into their
 * predecessor.
 */
export function stepsOf(entry: Block): Block[] {
  const blocks = reachableFrom(entry);
  const wayCounts = new Map<Block, number>([[entry, 2]]);
  for (const block of blocks) {
    const { terminator, operations } = block;
    const waits = terminator.kind === "request" || terminator.kind === "call";
    const isLeft = new Set(operations.flatMap(({ jumps }) => jumps));
    for (const target of successorsOf(block)) {
      const isStep = waits && target === terminator.targets[0] || isLeft.has(target);
      wayCounts.set(target, (wayCounts.get(target) ?? 0) + (isStep ? 2 : 1));
    }
  }
  return blocks.filter((block) => wayCounts.get(block)! > 1);
}

/** The variables that are live at the start and at the end of each block. */
export interface Liveness {
  readonly before: ReadonlyMap<Block, ReadonlySet<Variable>>;
  readonly after: ReadonlyMap<Block, ReadonlySet<Variable>>;
}

/** Finds the variables of the function that pieces mention, except those declared in them. */
export type Mentions = (pieces: readonly Piece[]) => ReadonlySet<Variable>;

/** Creates a function that finds mentioned variables. */
export function mentionsOf(module: KernelModule, graph: KernelGraph): Mentions {
  const { tokens, names } = module;
  const results = new Set([...graph.entries.keys()].map(({ result }) => result));
  const inTokens = ({ start, end }: TokenRange) => {
    const [from, to] = [tokens[start]?.index ?? 0, tokens[end - 1]?.index ?? 0];
    return Array.from({ length: end - start }, (_, at) => names.get(start + at))
      .filter((variable) => variable && (variable.index < from || variable.index > to));
  };
  const inExpression = (one: Expression): readonly (Variable | undefined)[] => {
    const replaced = graph.replaced.get(one);
    if (replaced) return [replaced];
    const named = one.kind === "name" ? names.get(one.start) : undefined;
    return [named, ...one.operands.flatMap(inExpression)];
  };
  return (pieces) => {
    const found = new Set<Variable>();
    for (const piece of pieces) {
      if (typeof piece === "string") continue;
      const mentioned = piece.kind === "tokens" ? inTokens(piece) : inExpression(piece);
      for (const variable of mentioned) if (variable) found.add(variable);
    }
    // Reading a pointer reads its target. Added variables are visited, too.
    for (const variable of found) {
      const pointee = pointeeOf(module, variable);
      if (pointee) found.add(pointee.variable);
      // Constants are visible everywhere, and results belong to the called function.
      if (variable.keyword === "const" || results.has(variable)) found.delete(variable);
    }
    return found;
  };
}

/** Computes live variables backwards until nothing changes. */
export function livenessOf(blocks: readonly Block[], mentions: Mentions): Liveness {
  const before = new Map<Block, Set<Variable>>(blocks.map((block) => [block, new Set()]));
  const after = new Map<Block, Set<Variable>>();
  const backwards = blocks.toReversed();
  const wantedBy = (targets: readonly Block[]) => targets.flatMap((one) => [...before.get(one)!]);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const block of backwards) {
      const { operations, terminator } = block;
      let live = new Set(wantedBy(terminator.targets));
      after.set(block, live);
      live = live.union(mentions(terminator.pieces));
      for (const { sets, pieces, jumps } of operations.toReversed()) {
        if (sets) live.delete(sets);
        live = live.union(mentions(pieces)).union(new Set(wantedBy(jumps)));
      }
      if (live.size === before.get(block)!.size) continue;
      before.set(block, live);
      hasChanged = true;
    }
  }
  return { before, after };
}

/** The blocks that can be reached, in order of discovery. */
export function reachableFrom(entry: Block): Block[] {
  const found = new Set<Block>();
  const visit = (block: Block) => {
    if (found.has(block)) return;
    found.add(block);
    successorsOf(block).forEach(visit);
  };
  visit(entry);
  return [...found];
}
