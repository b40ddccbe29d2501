import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import type { Expression } from "../../syntax/expression.ts";
import {
  type BlockStatement,
  type Declaration,
  expressionsIn,
  readBlock,
  type Statement,
  statementsIn,
} from "../../syntax/statements.ts";
import { type TokenRange, TokenReader } from "../../syntax/tokens.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";
import { type KernelModule, NO_TOKENS, type Variable } from "./kernel_module.ts";

/** A function that suspends, with every local name resolved. */
export interface SuspendingFunction {
  readonly declaration: FunctionDeclaration;
  readonly parameters: readonly Variable[];
  /** Its result. */
  readonly result: Variable | undefined;
  /** The step that it returns to; `kernel` has none. */
  readonly back: Variable | undefined;
  readonly body: BlockStatement;
}

/** The variables by name in the current block and those around it. */
class Scope {
  readonly #outer: Scope | undefined;
  readonly own = new Map<string, Variable>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  find(name: string): Variable | undefined {
    return this.own.get(name) ?? this.#outer?.find(name);
  }
}

/** Reads a function, and records in the module the variable that each token names. */
export function resolveFunction(
  module: KernelModule,
  declaration: FunctionDeclaration,
): SuspendingFunction {
  const { tokens } = module;
  const body = readBlock(new TokenReader(tokens, declaration.body.start - 1, module.refuse));
  const scope = new Scope();
  const parameters = declaration.parameters.map(({ name, type }) => {
    const { text, index } = name;
    const parameter: Variable = { name: text, keyword: "let", index, type };
    scope.own.set(text, parameter);
    return parameter;
  });
  resolveStatements(module, body, scope);
  const { name, result } = declaration;
  const own = (what: string, known: ValueType): Variable => ({
    name: `${name.text}_${what}`,
    what: `what ${name.text} gives back`,
    keyword: "var",
    index: name.index,
    type: NO_TOKENS,
    known,
  });
  return {
    declaration,
    parameters,
    result: result.end > result.start ? own("result", namedType(module, result)) : undefined,
    back: name.text === "kernel" ? undefined : own("back", { name: "u32", args: [] }),
    body,
  };
}

function resolveStatements(
  module: KernelModule,
  { statements }: BlockStatement,
  scope: Scope,
): void {
  for (const statement of statements) resolveStatement(module, statement, scope);
}

function resolveBlock(module: KernelModule, block: BlockStatement, outer: Scope): Scope {
  const scope = new Scope(outer);
  resolveStatements(module, block, scope);
  return scope;
}

function resolveStatement(module: KernelModule, statement: Statement, scope: Scope): void {
  if (statement.kind === "block") resolveBlock(module, statement, scope);
  else if (statement.kind === "declare") resolveDeclaration(module, statement, scope);
  else if (statement.kind === "loop") {
    const header = new Scope(scope);
    if (statement.init) resolveStatement(module, statement.init, header);
    if (statement.condition) resolveExpression(module, statement.condition, header);
    const body = resolveBlock(module, statement.body, header);
    // Declarations of a loop's body are visible in its `continuing`, but not in the head of a `for`.
    const inside = module.tokens[statement.start]!.text === "for" ? header : body;
    for (const one of statement.continuing) resolveStatement(module, one, inside);
    if (statement.breakIf) resolveExpression(module, statement.breakIf, inside);
  } else {
    for (const expression of expressionsIn(statement)) resolveExpression(module, expression, scope);
    if (statement.kind === "other") resolveTokens(module, statement, scope);
    if (statement.kind === "switch") {
      for (const { selectors } of statement.clauses) resolveTokens(module, selectors, scope);
    }
    for (const inner of statementsIn(statement)) resolveStatement(module, inner, scope);
  }
}

/** Resolves a declaration, whose variable is not visible in its own initialiser. */
function resolveDeclaration(
  module: KernelModule,
  { keyword, name, type, value }: Declaration,
  scope: Scope,
): void {
  resolveTokens(module, type, scope);
  if (value) resolveExpression(module, value, scope);
  const { text, index } = module.tokens[name]!;
  const variable: Variable = { name: text, keyword, index, type, ...(value && { value }) };
  module.nameToken(name, variable);
  if (scope.own.has(text)) {
    module.refuse(index, `${text} is declared twice in this block: rename one`);
  }
  scope.own.set(text, variable);
}

function resolveExpression(module: KernelModule, expression: Expression, scope: Scope): void {
  const { kind, text, start, open, operands } = expression;
  if (kind === "name") resolveTokens(module, expression, scope);
  if (kind === "call") {
    if (scope.find(text)) module.refuseAt(start, `${text} is a variable here: rename it`);
    resolveTokens(module, { start: start + 1, end: open! }, scope);
  }
  for (const operand of operands) resolveExpression(module, operand, scope);
  if (kind === "unary" && text === "&") noteAddress(module, operands[0]!);
}

function noteAddress(module: KernelModule, target: Expression): void {
  let base = target;
  while (base.kind !== "name" && base.operands.length > 0) base = base.operands[0]!;
  if (module.names.has(base.start)) module.addressed.add(base.start);
}

function resolveTokens(module: KernelModule, { start, end }: TokenRange, scope: Scope): void {
  for (let at = start; at < end; at++) {
    const { kind, text } = module.tokens[at]!;
    const variable = kind === "name" ? scope.find(text) : undefined;
    if (variable) module.nameToken(at, variable);
  }
}
