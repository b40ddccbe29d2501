import type { Expression } from "../../syntax/expression.ts";
import {
  type Assignment,
  type BlockStatement,
  type Declaration,
  type IfStatement,
  type LoopStatement,
  type Statement,
  statementsIn,
} from "../../syntax/statements.ts";
import type { KernelModule } from "../text/kernel_module.ts";
import type { SuspendingFunction } from "../text/resolve_names.ts";
import { type Block, GraphBuilder, type KernelGraph, type Piece } from "./kernel_graph.ts";
import {
  isStable,
  lowerCall,
  lowerCondition,
  lowerExpression,
  lowerOperands,
  lowerTarget,
} from "./lower_expression.ts";

/** Builds the control-flow graphs of functions, `kernel` first. */
export function lowerFunctions(
  module: KernelModule,
  functions: readonly SuspendingFunction[],
): KernelGraph {
  const graph: KernelGraph = {
    functions: new Map(functions.map((one) => [one.declaration.name.text, one])),
    entries: new Map(),
    replaced: new Map(),
    jumps: new Map(),
    constants: [],
  };
  for (const one of functions) {
    const builder = new GraphBuilder(module, graph, one);
    lowerBlock(builder, one.body, {});
    graph.entries.set(one, builder.entry);
  }
  return graph;
}

function lowerBlock(builder: GraphBuilder, { statements }: BlockStatement, targets: Targets): void {
  for (const statement of statements) lowerStatement(builder, statement, targets);
}

function lowerStatement(builder: GraphBuilder, statement: Statement, targets: Targets): void {
  switch (statement.kind) {
    case "declare":
      return lowerDeclaration(builder, statement);
    case "assign":
      return lowerAssignment(builder, statement);
    case "return":
      return lowerReturn(builder, statement);
    case "break":
      return lowerJump(builder, targets.onBreak, statement);
    case "continue":
      return lowerJump(builder, targets.onContinue, statement);
  }
  if (!builder.module.suspendsIn(statement)) {
    return keepStatement(builder, statement, targets);
  }
  switch (statement.kind) {
    case "block":
      return lowerBlock(builder, statement, targets);
    case "if":
      return lowerIf(builder, statement, targets);
    case "loop":
      return lowerLoop(builder, statement);
    case "switch":
      return lowerSwitch(builder, statement, targets);
    case "call":
      return lowerCallStatement(builder, statement.call);
    case "increment":
      lowerTarget(builder, statement.target, false);
      return builder.emitAt(statement, [statement.target, `${statement.operator};`]);
  }
}

function lowerCallStatement(builder: GraphBuilder, call: Expression): void {
  lowerOperands(builder, call.operands);
  if (builder.module.isSuspending(call.text)) lowerCall(builder, call, false);
  else builder.emitAt(call, [call, ";"]);
}

function lowerReturn(
  builder: GraphBuilder,
  statement: Statement & { readonly kind: "return" },
): void {
  const { value } = statement;
  const index = builder.indexOf(statement);
  if (value) {
    lowerExpression(builder, value);
    builder.emit({ index, pieces: [value], sets: builder.result! });
  }
  builder.end({ kind: "return", pieces: [], targets: [] }, builder.block(index));
}

/** Lowers a jump; what follows in its block is unreachable. */
function lowerJump(builder: GraphBuilder, target: Block | undefined, statement: Statement): void {
  if (!target) return refuseJump(builder, statement);
  builder.goto(target, builder.block(builder.indexOf(statement)));
}

function lowerIf(
  builder: GraphBuilder,
  { condition, then, otherwise, start }: IfStatement,
  targets: Targets,
): void {
  lowerCondition(builder, condition);
  const join = builder.block(builder.indexOf({ start }));
  const thenBlock = builder.block(builder.indexOf(then));
  const elseBlock = otherwise ? builder.block(builder.indexOf(otherwise)) : join;
  builder.branch(condition, [thenBlock, elseBlock], thenBlock);
  lowerStatement(builder, then, targets);
  builder.goto(join, elseBlock);
  if (!otherwise) return;
  lowerStatement(builder, otherwise, targets);
  builder.goto(join);
}

function lowerSwitch(
  builder: GraphBuilder,
  statement: Statement & { readonly kind: "switch" },
  targets: Targets,
): void {
  const { selector } = statement;
  lowerCondition(builder, selector);
  const join = builder.block(builder.indexOf(statement));
  const selectors = statement.clauses.map((clause) => clause.selectors);
  const bodies = statement.clauses.map(({ body }) => builder.block(builder.indexOf(body)));
  builder.end({ kind: "switch", pieces: [selector], selectors, targets: bodies }, join);
  bodies.forEach((target, at) => {
    builder.enter(target);
    lowerBlock(builder, statement.clauses[at]!.body, { ...targets, onBreak: join });
    builder.goto(join);
  });
}

function lowerLoop(builder: GraphBuilder, loop: LoopStatement): void {
  if (loop.init) lowerStatement(builder, loop.init, {});
  const index = builder.indexOf(loop);
  const [head, body] = [builder.block(index), builder.block(index)];
  const [next, exit] = [builder.block(index), builder.block(index)];
  builder.goto(head);
  if (loop.condition) {
    lowerCondition(builder, loop.condition);
    builder.branch(loop.condition, [body, exit], body);
  } else builder.goto(body);
  lowerBlock(builder, loop.body, { onBreak: exit, onContinue: next });
  builder.goto(next);
  for (const statement of loop.continuing) lowerStatement(builder, statement, {});
  if (loop.breakIf) {
    lowerCondition(builder, loop.breakIf);
    builder.branch(loop.breakIf, [exit, head], exit);
  } else builder.goto(head, exit);
}

/** Lowers a declaration; constants of functions become constants of the module. */
function lowerDeclaration(builder: GraphBuilder, declaration: Declaration): void {
  const { module, graph } = builder;
  const { name, keyword, type, value } = declaration;
  const variable = module.names.get(name)!;
  if (keyword === "const") {
    graph.constants.push({ variable, declaration });
    return;
  }
  if (value) lowerExpression(builder, value);
  const zero: readonly Piece[] = [{ kind: "tokens", ...type }, "()"];
  builder.declare(variable, value ? [value] : zero);
}

/** Lowers an assignment, whose left side is evaluated before its right. */
function lowerAssignment(builder: GraphBuilder, assignment: Assignment): void {
  const { target, operator, value } = assignment;
  const emit = (pieces: readonly Piece[]) => builder.emitAt(assignment, pieces);
  const suspends = builder.module.suspends(value);
  if (target) lowerTarget(builder, target, suspends);
  const variable = target?.kind === "name" ? builder.module.names.get(target.start) : undefined;
  if (operator === "=" || !suspends || isStable(builder, target!)) {
    lowerExpression(builder, value);
    if (operator !== "=" || !variable) {
      return emit([target ?? "_", ` ${operator} `, value, ";"]);
    }
    return builder.emit({ index: builder.indexOf(assignment), pieces: [value], sets: variable });
  }
  // WGSL reads the old value before it evaluates the other.
  const old = { ...target! };
  builder.keep(old);
  lowerExpression(builder, value);
  emit([target!, " = ", old, ` ${operator.slice(0, -1)} (`, value, ");"]);
}

/** The targets of `break` and `continue`; `undefined` where these are not allowed. */
interface Targets {
  readonly onBreak?: Block;
  readonly onContinue?: Block;
}

/** Keeps a statement that does not suspend as it is. */
function keepStatement(builder: GraphBuilder, statement: Statement, targets: Targets): void {
  const jumps = jumpsIn(builder, statement, targets);
  const { start, end } = statement;
  builder.emitAt(statement, [{ kind: "tokens", start, end }], jumps);
}

/** Like {@linkcode Targets}, or `own` for a loop or switch inside of the kept statement. */
interface KeptTargets {
  readonly onBreak?: Block | "own";
  readonly onContinue?: Block | "own";
}

/** Records the jumps in a kept statement and returns their targets. */
function jumpsIn(builder: GraphBuilder, statement: Statement, targets: KeptTargets): Block[] {
  const { kind, start, end } = statement;
  const { jumps } = builder.graph;
  if (kind === "return") {
    const { value } = statement;
    jumps.set(start, { end, target: undefined, ...(value && { value }) });
  }
  if (kind === "break" || kind === "continue") {
    const target = kind === "break" ? targets.onBreak : targets.onContinue;
    if (!target) return refuseJump(builder, statement);
    if (target === "own") return [];
    jumps.set(start, { end, target });
    return [target];
  }
  const own = kind === "loop"
    ? { onBreak: "own", onContinue: "own" } as const
    : kind === "switch"
    ? { onBreak: "own" } as const
    : {};
  return statementsIn(statement).flatMap((inner) =>
    jumpsIn(builder, inner, { ...targets, ...own })
  );
}

/** Rejects a `break` or `continue` outside of a loop or switch. */
function refuseJump({ module }: GraphBuilder, { start }: { readonly start: number }): never {
  return module.refuseAt(start, "there is no loop that it could leave");
}
