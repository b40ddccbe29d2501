import { refuse } from "../text/lines.ts";
import {
  type Block,
  type Func,
  type If,
  localOf,
  type Loop,
  type Statement,
  statementsOf,
} from "../text/syntax.ts";
import { plain, type Type } from "../text/value_type.ts";
import { type BasicBlock, type Graph, skipEmptyBlocks, type Temp } from "./graph.ts";
import type { Kernel } from "./kernel.ts";
import { ExpressionLowering } from "./lower_expression.ts";

/** Makes graphs of the functions of a kernel that suspend. */
export function lowerKernel(kernel: Kernel): Graph {
  const temp = (of: Func, what: string, known: Type): Temp => ({
    kind: "placeholder",
    name: `${of.name}_${what}`,
    what: `what ${of.name} gives back`,
    keyword: "var",
    known,
    nameStart: of.nameStart,
    start: of.nameStart,
    end: of.nameStart,
    parts: [],
  });
  const functions = kernel.reached.map((of) => ({
    of,
    result: of.result && temp(of, "result", kernel.types.named(of.result)),
    back: of.name === "kernel" ? undefined : temp(of, "back", plain("u32")),
  }));
  const graph: Graph = {
    entries: new Map(),
    functions: new Map(functions.map((one) => [one.of, one])),
    replaced: new Map(),
    jumps: new Map(),
    constants: [],
  };
  for (const one of functions) {
    const lowering = new Lowering(kernel, graph, one);
    lowering.statements(one.of.body!, {});
    graph.entries.set(one, lowering.entry);
  }
  skipEmptyBlocks(graph);
  return graph;
}

/** The targets of `break` and `continue`; `own` for a loop or switch inside of a kept statement. */
interface Targets {
  readonly onBreak?: BasicBlock | "own" | undefined;
  readonly onContinue?: BasicBlock | "own" | undefined;
}

/** Lowers one function: what suspends in it becomes blocks, and the rest stays as it is written. */
class Lowering extends ExpressionLowering {
  /** Lowers statements one after the other. */
  statements({ statements }: Block, targets: Targets): void {
    for (const statement of statements) this.#statement(statement, targets);
  }

  #statement(statement: Statement, targets: Targets): void {
    const kernel = this.kernel;
    switch (statement.kind) {
      case "empty":
        return;
      case "declare": {
        const { variable } = statement;
        const { keyword, type, value } = variable;
        if (keyword === "const") return void this.graph.constants.push(variable);
        if (value) this.expression(value);
        const pieces = value ? [value] : [type!, "()"];
        return this.emit({ start: variable.nameStart, pieces, sets: variable, declares: true });
      }
      case "assign":
        return this.#assign(statement);
      case "return": {
        const { value, start } = statement;
        if (value) {
          this.expression(value);
          this.emit({ start, pieces: [value], sets: this.of.result! });
        }
        return this.end({ kind: "return", pieces: [], targets: [] }, this.newBlock(start));
      }
      case "break":
      case "continue":
        return this.goto(
          this.#target(statement, targets) as BasicBlock,
          this.newBlock(statement.start),
        );
    }
    if (!kernel.suspends(statement)) {
      return this.emit({
        start: statement.start,
        pieces: [statement],
        jumps: this.#jumpsIn(statement, targets),
      });
    }
    switch (statement.kind) {
      case "block":
        return this.statements(statement, targets);
      case "if":
        return this.#if(statement, targets);
      case "loop":
        return this.#loop(statement);
      case "switch":
        return this.#switch(statement, targets);
      case "do": {
        const { call } = statement;
        this.operands(call.operands);
        if (kernel.isSuspending(call)) return this.call(call, false);
        return this.emit({ start: call.start, pieces: [call, ";"] });
      }
      case "increment":
        this.place(statement.target, false);
        this.emit({
          start: statement.start,
          pieces: [statement.target, `${statement.operator};`],
        });
    }
  }

  #switch(
    { selector, clauses, start }: Statement & { readonly kind: "switch" },
    targets: Targets,
  ): void {
    this.condition(selector);
    const join = this.newBlock(start);
    const bodies = clauses.map(({ body }) => this.newBlock(body.start));
    this.end({ kind: "switch", pieces: [selector], clauses, targets: bodies }, join);
    bodies.forEach((target, at) => {
      this.goOn(target);
      this.statements(clauses[at]!.body, { ...targets, onBreak: join });
      this.goto(join);
    });
  }

  #target(statement: Statement, { onBreak, onContinue }: Targets): BasicBlock | "own" {
    return (statement.kind === "break" ? onBreak : onContinue) ??
      refuse(statement, "there is no loop that it could leave");
  }

  /** Records the jumps in a kept statement and returns their targets. */
  #jumpsIn(statement: Statement, targets: Targets): BasicBlock[] {
    const { kind } = statement;
    const { jumps } = this.graph;
    if (kind === "return") jumps.set(statement, { value: statement.value });
    if (kind === "break" || kind === "continue") {
      const target = this.#target(statement, targets);
      if (target === "own") return [];
      jumps.set(statement, { target });
      return [target];
    }
    const own: Targets = kind === "loop"
      ? { onBreak: "own", onContinue: "own" }
      : kind === "switch"
      ? { onBreak: "own" }
      : {};
    return statementsOf(statement).flatMap((inner) => this.#jumpsIn(inner, { ...targets, ...own }));
  }

  /** Lowers an assignment, whose left side is evaluated before its right. */
  #assign({ target, operator, value, start }: Statement & { readonly kind: "assign" }): void {
    const suspends = this.kernel.suspends(value);
    if (target) this.place(target, suspends);
    if (operator === "=" || !suspends || this.isStable(target!)) {
      this.expression(value);
      const variable = operator === "=" && target ? localOf(target) : undefined;
      if (variable) return this.emit({ start, pieces: [value], sets: variable });
      return this.emit({ start, pieces: [target ?? "_", ` ${operator} `, value, ";"] });
    }
    // WGSL reads the old value before it evaluates the other.
    const old = { ...target! };
    this.keep(old);
    this.expression(value);
    this.emit({
      start,
      pieces: [target!, " = ", old, ` ${operator.slice(0, -1)} (`, value, ");"],
    });
  }

  #if({ condition, then, otherwise, start }: If, targets: Targets): void {
    this.condition(condition);
    const join = this.newBlock(start);
    const thenBlock = this.newBlock(then.start);
    const elseBlock = otherwise ? this.newBlock(otherwise.start) : join;
    this.branch(condition, [thenBlock, elseBlock], thenBlock);
    this.#statement(then, targets);
    this.goto(join, elseBlock);
    if (!otherwise) return;
    this.#statement(otherwise, targets);
    this.goto(join);
  }

  #loop({ init, condition, body, continuing, breakIf, start }: Loop): void {
    if (init) this.#statement(init, {});
    const [head, inside, next, exit] = [0, 1, 2, 3].map(() => this.newBlock(start)) as [
      BasicBlock,
      BasicBlock,
      BasicBlock,
      BasicBlock,
    ];
    this.goto(head);
    if (condition) {
      this.condition(condition);
      this.branch(condition, [inside, exit], inside);
    } else this.goto(inside);
    this.statements(body, { onBreak: exit, onContinue: next });
    this.goto(next);
    for (const statement of continuing) this.#statement(statement, {});
    if (breakIf) {
      this.condition(breakIf);
      this.branch(breakIf, [exit, head], exit);
    } else this.goto(head, exit);
  }
}
