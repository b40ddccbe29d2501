import type { Expression } from "../../syntax/expression.ts";
import {
  type Assignment,
  type BlockStatement,
  type Declaration,
  type IfStatement,
  type LoopStatement,
  type Statement,
  statementsIn,
} from "../../syntax/statement.ts";
import type { KernelModule } from "../kernel_module.ts";
import type { SuspendingFunction } from "../resolve_names.ts";
import type { Block, Piece } from "./basic_block.ts";
import { GraphBuilder, type KernelGraph } from "./graph_builder.ts";
import { lowerCall } from "./lower_call.ts";
import {
  isStable,
  lowerCondition,
  lowerExpression,
  lowerOperands,
  lowerTarget,
} from "./lower_expression.ts";

/** Where `break` and `continue` lead; `undefined` where they may not be. */
interface Targets {
  readonly onBreak?: Block;
  readonly onContinue?: Block;
}

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
    const builder = new GraphBuilder(module, graph, byName);
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
        return this.#declare(statement);
      case "assign":
        return this.#assign(statement);
      case "return":
        return this.#return(statement);
      case "break":
        return this.#jump(targets.onBreak!, statement);
      case "continue":
        return this.#jump(targets.onContinue!, statement);
    }
    if (!this.#builder.module.suspendsIn(statement)) return this.#keep(statement, targets);
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

  /** A statement that does not suspend stays as the author wrote it. */
  #keep(statement: Statement, targets: Targets): void {
    const jumps: Block[] = [];
    this.#noteJumps(statement, targets, jumps);
    const { start, end } = statement;
    const index = this.#builder.indexOf(statement);
    this.#builder.emit({ index, pieces: [{ kind: "tokens", start, end }], jumps });
  }

  #noteJumps(statement: Statement, targets: Targets, found: Block[]): void {
    const { kind, start, end } = statement;
    const { jumps } = this.#builder.graph;
    if (kind === "return") {
      const { value } = statement;
      jumps.set(start, { end, target: undefined, ...(value && { value }) });
    }
    const target = kind === "break"
      ? targets.onBreak
      : kind === "continue"
      ? targets.onContinue
      : undefined;
    if (target) {
      jumps.set(start, { end, target });
      found.push(target);
    }
    const { onContinue } = targets;
    const inside = kind === "loop"
      ? {}
      : kind === "switch"
      ? { ...(onContinue && { onContinue }) }
      : targets;
    for (const inner of statementsIn(statement)) this.#noteJumps(inner, inside, found);
  }

  #declare(declaration: Declaration): void {
    const { module, graph } = this.#builder;
    const { name, keyword, type, value } = declaration;
    const variable = module.names.get(name)!;
    if (keyword === "const") {
      graph.constants.push({ variable, declaration });
      return;
    }
    if (value) lowerExpression(this.#builder, value);
    const zero: readonly Piece[] = [{ kind: "tokens", ...type }, "()"];
    const pieces = value ? [value] : zero;
    this.#builder.emit({ index: variable.index, pieces, sets: variable, declares: true });
  }

  #assign(assignment: Assignment): void {
    const { target, operator, value } = assignment;
    const builder = this.#builder;
    const suspends = builder.module.suspends(value);
    if (target) lowerTarget(builder, target, suspends);
    const variable = target?.kind === "name" ? builder.module.names.get(target.start) : undefined;
    if (operator === "=" || !suspends || isStable(builder, target!)) {
      lowerExpression(builder, value);
      if (operator !== "=" || !variable) {
        return this.#emit(assignment, [target ?? "_", ` ${operator} `, value, ";"]);
      }
      const index = builder.indexOf(assignment);
      return builder.emit({ index, pieces: [value], sets: variable });
    }
    // WGSL reads the old value before it evaluates the other.
    const old = { ...target! };
    builder.keep(old);
    lowerExpression(builder, value);
    this.#emit(assignment, [target!, " = ", old, ` ${operator.slice(0, -1)} (`, value, ");"]);
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
      const sets = this.#result ??
        this.#builder.module.refuse(index, "a function without a result gives a value back");
      lowerExpression(this.#builder, value);
      this.#builder.emit({ index, pieces: [value], sets });
    }
    this.#builder.end({ kind: "return" }, this.#builder.block(index));
  }

  /** What follows in the block is never reached. */
  #jump(target: Block, statement: Statement): void {
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
