import { type Expression } from "../../syntax/expression.ts";
import type { Declaration } from "../../syntax/statement.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { NO_TOKENS, type Variable } from "../text/variable.ts";
import type { Block, Operation, Terminator } from "./basic_block.ts";

/** A `break`, `continue` or `return` in a statement that is kept as it is. */
export interface Jump {
  /** The token behind it. */
  readonly end: number;
  /** Where it leads; `undefined` out of the function. */
  readonly target: Block | undefined;
  readonly value?: Expression;
}

/** The control-flow graphs of all functions that suspend, and what they say of the text. */
export interface KernelGraph {
  /** The block in which each function begins; `kernel` is the first. */
  readonly entries: Map<SuspendingFunction, Block>;
  /** Expressions that are evaluated before their statement, with what keeps their values. */
  readonly replaced: Map<Expression, Variable>;
  /** By the token at which they begin. */
  readonly jumps: Map<number, Jump>;
  /** Constants of functions, which every step has to see. */
  readonly constants: { readonly variable: Variable; readonly declaration: Declaration }[];
}

/** Builds the graph of one function, block after block. */
export class GraphBuilder {
  readonly module: KernelModule;
  readonly graph: KernelGraph;
  readonly functions: ReadonlyMap<string, SuspendingFunction>;
  readonly entry: Block;
  #current: Block;

  constructor(
    module: KernelModule,
    graph: KernelGraph,
    { functions, index }: {
      readonly functions: ReadonlyMap<string, SuspendingFunction>;
      /** Where the function begins. */
      readonly index: number;
    },
  ) {
    this.module = module;
    this.graph = graph;
    this.functions = functions;
    this.entry = this.#current = this.block(index);
  }

  /** A new block, which nothing leads to yet; it ends the function unless told otherwise. */
  block(index: number): Block {
    return { index, operations: [], terminator: { kind: "return" } };
  }

  /** Adds to the block that is being built. */
  emit(operation: Omit<Operation, "jumps"> & Partial<Operation>): void {
    this.#current.operations.push({ jumps: [], ...operation });
  }

  /** Ends the block that is being built, and goes on with another. */
  end(terminator: Terminator, next: Block): void {
    this.#current.terminator = terminator;
    this.#current = next;
  }

  /** Goes on with a block that something leads to already. */
  enter(block: Block): void {
    this.#current = block;
  }

  /** Ends the block that is being built by going on with the next. */
  goto(target: Block, next = target): void {
    this.end({ kind: "goto", target }, next);
  }

  /** Where an expression stands in the text. */
  indexOf({ start }: { readonly start: number }): number {
    return this.module.tokens[start]!.index;
  }

  /** Keeps the value of an expression from here on. */
  keep(expression: Expression, keyword: "let" | "var" = "let"): Variable {
    const index = this.indexOf(expression);
    const named = { name: "kept", what: "this value" };
    const kept: Variable = { ...named, keyword, index, type: NO_TOKENS, value: expression };
    // The value itself is still to be written; another object stands for it.
    const value = { ...expression };
    const before = this.graph.replaced.get(expression);
    if (before) this.graph.replaced.set(value, before);
    this.emit({ index, pieces: [value], sets: kept, declares: true });
    this.graph.replaced.set(expression, kept);
    return kept;
  }

  /** An expression that is written as a variable. */
  mention(variable: Variable, at: Expression): Expression {
    const mention = { ...at };
    this.graph.replaced.set(mention, variable);
    return mention;
  }
}
