import type { Expression } from "../../syntax/expression.ts";
import type { TokenRange } from "../../syntax/tokens.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import { pointeeOf } from "../text/pointee.ts";
import type { Variable } from "../text/variable.ts";
import { type Block, type Operation, type Piece, successorsOf, targetsOf } from "./basic_block.ts";
import type { KernelGraph } from "./graph_builder.ts";

/** Which variables' values are still wanted, at the beginning and the end of each block. */
export interface Liveness {
  readonly before: ReadonlyMap<Block, ReadonlySet<Variable>>;
  readonly after: ReadonlyMap<Block, ReadonlySet<Variable>>;
}

/** Finds the variables that what is written mentions. */
export class Mentions {
  readonly #module: KernelModule;
  readonly #graph: KernelGraph;
  readonly #results: ReadonlySet<Variable>;

  constructor(module: KernelModule, graph: KernelGraph) {
    this.#module = module;
    this.#graph = graph;
    const results = [...graph.entries.keys()].map(({ result }) => result);
    this.#results = new Set(results.filter((result) => result !== undefined));
  }

  /** Variables of the function that an operation mentions; those that begin in it are left out. */
  of(pieces: readonly Piece[]): Set<Variable> {
    const found = new Set<Variable>();
    for (const piece of pieces) {
      if (typeof piece === "string") continue;
      if (piece.kind === "tokens") this.#addTokens(piece, found);
      else this.#addExpression(piece, found);
    }
    // Who reads through a pointer reads what it leads to; a set grows while it is gone through.
    for (const variable of found) {
      const pointee = pointeeOf(this.#module, variable);
      if (pointee) found.add(pointee.variable);
      // Constants are seen everywhere, and results belong to the function that is called.
      if (variable.keyword === "const" || this.#results.has(variable)) found.delete(variable);
    }
    return found;
  }

  /** What the end of a block mentions. */
  ofEnd({ terminator }: Block): Set<Variable> {
    if (terminator.kind === "branch") return this.of([terminator.condition]);
    if (terminator.kind === "switch") return this.of([terminator.selector]);
    return this.of(terminator.kind === "request" ? terminator.pieces : []);
  }

  #addTokens({ start, end }: TokenRange, found: Set<Variable>): void {
    const { tokens, names } = this.#module;
    const [from, to] = [tokens[start]?.index ?? 0, tokens[end - 1]?.index ?? 0];
    for (let at = start; at < end; at++) {
      const variable = names.get(at);
      if (variable && (variable.index < from || variable.index > to)) found.add(variable);
    }
  }

  #addExpression(expression: Expression, found: Set<Variable>): void {
    const replaced = this.#graph.replaced.get(expression);
    if (replaced) {
      found.add(replaced);
      return;
    }
    const { kind, start, operands } = expression;
    const variable = kind === "name" ? this.#module.names.get(start) : undefined;
    if (variable) found.add(variable);
    for (const operand of operands) this.#addExpression(operand, found);
  }
}

/** Works from the ends of blocks to their beginnings, until nothing changes. */
export function livenessOf(blocks: readonly Block[], mentions: Mentions): Liveness {
  const before = new Map<Block, Set<Variable>>(blocks.map((block) => [block, new Set()]));
  const after = new Map<Block, Set<Variable>>();
  const backwards = blocks.toReversed();
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const block of backwards) {
      const live = new Set(targetsOf(block.terminator).flatMap((one) => [...before.get(one)!]));
      after.set(block, new Set(live));
      for (const variable of mentions.ofEnd(block)) live.add(variable);
      for (const one of block.operations.toReversed()) passOver(one, live, { mentions, before });
      if (live.size === before.get(block)!.size) continue;
      before.set(block, live);
      hasChanged = true;
    }
  }
  return { before, after };
}

function passOver(
  { sets, pieces, jumps }: Operation,
  live: Set<Variable>,
  { mentions, before }: {
    readonly mentions: Mentions;
    readonly before: ReadonlyMap<Block, ReadonlySet<Variable>>;
  },
): void {
  if (sets) live.delete(sets);
  for (const variable of mentions.of(pieces)) live.add(variable);
  for (const jump of jumps) before.get(jump)!.forEach((variable) => live.add(variable));
}

/** The blocks that can be reached, in the order in which they are met. */
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
