import type { Expression } from "../../syntax/expression.ts";
import type {
  BlockStatement,
  IfStatement,
  LoopStatement,
  Statement,
} from "../../syntax/statement.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import type { Block, Piece } from "./basic_block.ts";
import { GraphBuilder, type KernelGraph } from "./graph_builder.ts";
import { keepStatement, refuseJump, type Targets } from "./keep_statement.ts";
import { lowerAssignment, lowerDeclaration } from "./lower_assignment.ts";
import { lowerCall } from "./lower_call.ts";
import { lowerCondition, lowerExpression, lowerOperands, lowerTarget } from "./lower_expression.ts";

/** The control-flow graphs of functions, `kernel` first. */
export function lowerFunctions(
  module: KernelModule,
  functions: readonly SuspendingFunction[],
): KernelGraph {
  const graph: KernelGraph = {
    entries: new Map(),
    replaced: new Map(),
    jumps: new Map(),
    constants: [],
  };
  const byName = new Map(functions.map((one) => [one.declaration.name.text, one]));
  for (const one of functions) {
    const builder = new GraphBuilder(module, graph, {
      functions: byName,
      index: one.declaration.name.index,
    });
    new StatementLowering(builder, one.result).block(one.body, {});
    graph.entries.set(one, builder.entry);
  }
  return graph;
}

class StatementLowering {
  readonly #builder: GraphBuilder;
  readonly #result: SuspendingFunction["result"];

  constructor(builder: GraphBuilder, result: SuspendingFunction["result"]) {
    this.#builder = builder;
    this.#result = result;
  }

  block({ statements }: BlockStatement, targets: Targets): void {
    for (const statement of statements) this.#statement(statement, targets);
  }

  #statement(statement: Statement, targets: Targets): void {
    switch (statement.kind) {
      case "declare":
        return lowerDeclaration(this.#builder, statement);
      case "assign":
        return lowerAssignment(this.#builder, statement);
      case "return":
        return this.#return(statement);
      case "break":
        return this.#jump(targets.onBreak, statement);
      case "continue":
        return this.#jump(targets.onContinue, statement);
    }
    if (!this.#builder.module.suspendsIn(statement)) {
      return keepStatement(this.#builder, statement, targets);
    }
    switch (statement.kind) {
      case "block":
        return this.block(statement, targets);
      case "if":
        return this.#if(statement, targets);
      case "loop":
        return this.#loop(statement);
      case "switch":
        return this.#switch(statement, targets);
      case "call":
        return this.#call(statement.call);
      case "increment":
        lowerTarget(this.#builder, statement.target, false);
        return this.#emit(statement, [statement.target, `${statement.operator};`]);
    }
  }

  #emit(at: { readonly start: number }, pieces: readonly Piece[]): void {
    this.#builder.emit({ index: this.#builder.indexOf(at), pieces });
  }

  #call(call: Expression): void {
    lowerOperands(this.#builder, call.operands);
    if (this.#builder.module.isSuspending(call.text)) lowerCall(this.#builder, call, false);
    else this.#emit(call, [call, ";"]);
  }

  #return(statement: Statement & { readonly kind: "return" }): void {
    const { value } = statement;
    const index = this.#builder.indexOf(statement);
    if (value) {
      lowerExpression(this.#builder, value);
      this.#builder.emit({ index, pieces: [value], sets: this.#result! });
    }
    this.#builder.end({ kind: "return" }, this.#builder.block(index));
  }

  /** What follows in the block is never reached. */
  #jump(target: Block | undefined, statement: Statement): void {
    if (!target) return refuseJump(this.#builder, statement);
    this.#builder.goto(target, this.#builder.block(this.#builder.indexOf(statement)));
  }

  #if({ condition, then, otherwise, start }: IfStatement, targets: Targets): void {
    const builder = this.#builder;
    lowerCondition(builder, condition);
    const join = builder.block(builder.indexOf({ start }));
    const thenBlock = builder.block(builder.indexOf(then));
    const elseBlock = otherwise ? builder.block(builder.indexOf(otherwise)) : join;
    builder.end({ kind: "branch", condition, then: thenBlock, otherwise: elseBlock }, thenBlock);
    this.#statement(then, targets);
    builder.goto(join, elseBlock);
    if (!otherwise) return;
    this.#statement(otherwise, targets);
    builder.goto(join);
  }

  #switch(statement: Statement & { readonly kind: "switch" }, targets: Targets): void {
    const builder = this.#builder;
    const { selector } = statement;
    lowerCondition(builder, selector);
    const join = builder.block(builder.indexOf(statement));
    const clauses = statement.clauses.map(({ selectors, body }) => ({
      selectors,
      target: builder.block(builder.indexOf(body)),
    }));
    builder.end({ kind: "switch", selector, clauses }, join);
    clauses.forEach(({ target }, at) => {
      builder.enter(target);
      this.block(statement.clauses[at]!.body, { ...targets, onBreak: join });
      builder.goto(join);
    });
  }

  #loop(loop: LoopStatement): void {
    const builder = this.#builder;
    if (loop.init) this.#statement(loop.init, {});
    const index = builder.indexOf(loop);
    const [head, body] = [builder.block(index), builder.block(index)];
    const [next, exit] = [builder.block(index), builder.block(index)];
    builder.goto(head);
    if (loop.condition) {
      lowerCondition(builder, loop.condition);
      builder.end({ kind: "branch", condition: loop.condition, then: body, otherwise: exit }, body);
    } else builder.goto(body);
    this.block(loop.body, { onBreak: exit, onContinue: next });
    builder.goto(next);
    for (const statement of loop.continuing) this.#statement(statement, {});
    if (loop.breakIf) {
      lowerCondition(builder, loop.breakIf);
      builder.end({ kind: "branch", condition: loop.breakIf, then: exit, otherwise: head }, exit);
    } else builder.goto(head, exit);
  }
}
