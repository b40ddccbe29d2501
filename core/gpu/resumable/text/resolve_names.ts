import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import type { Expression } from "../../syntax/expression.ts";
import { readBlock } from "../../syntax/read_statements.ts";
import {
  type BlockStatement,
  type Declaration,
  expressionsIn,
  type Statement,
  statementsIn,
} from "../../syntax/statement.ts";
import { type TokenRange, TokenReader } from "../../syntax/tokens.ts";
import { namedType, type ValueType } from "../../syntax/value_type.ts";
import type { KernelModule } from "./kernel_module.ts";
import { NO_TOKENS, type Variable } from "./variable.ts";

/** A function of the author's that suspends, with every local name resolved. */
export interface SuspendingFunction {
  readonly declaration: FunctionDeclaration;
  readonly parameters: readonly Variable[];
  /** What it gives back. */
  readonly result: Variable | undefined;
  /** The step that it goes back to; `kernel` has none. */
  readonly back: Variable | undefined;
  readonly body: BlockStatement;
}

/** Names and their variables, in the block that is being read and in those around it. */
class Scope {
  readonly #outer: Scope | undefined;
  readonly #variables = new Map<string, Variable>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  /** Returns whether the name was free in this block. */
  declare(name: string, variable: Variable): boolean {
    const isFree = !this.#variables.has(name);
    this.#variables.set(name, variable);
    return isFree;
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#outer?.find(name);
  }
}

/** Reads a function, and notes in the module which variable each of its tokens names. */
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
    scope.declare(text, parameter);
    return parameter;
  });
  new NameResolver(module).statements(body, scope);
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

class NameResolver {
  readonly #module: KernelModule;

  constructor(module: KernelModule) {
    this.#module = module;
  }

  statements({ statements }: BlockStatement, scope: Scope): void {
    for (const statement of statements) this.#statement(statement, scope);
  }

  #block(block: BlockStatement, outer: Scope): Scope {
    const scope = new Scope(outer);
    this.statements(block, scope);
    return scope;
  }

  #statement(statement: Statement, scope: Scope): void {
    if (statement.kind === "block") this.#block(statement, scope);
    else if (statement.kind === "declare") this.#declaration(statement, scope);
    else if (statement.kind === "loop") {
      const header = new Scope(scope);
      if (statement.init) this.#statement(statement.init, header);
      if (statement.condition) this.#expression(statement.condition, header);
      const body = this.#block(statement.body, header);
      // What a loop's body declares can be seen in its `continuing`, and not in the head of a `for`.
      const inside = this.#module.tokens[statement.start]!.text === "for" ? header : body;
      for (const one of statement.continuing) this.#statement(one, inside);
      if (statement.breakIf) this.#expression(statement.breakIf, inside);
    } else {
      for (const expression of expressionsIn(statement)) this.#expression(expression, scope);
      if (statement.kind === "other") this.#names(statement, scope);
      if (statement.kind === "switch") {
        for (const { selectors } of statement.clauses) this.#names(selectors, scope);
      }
      for (const inner of statementsIn(statement)) this.#statement(inner, scope);
    }
  }

  /** A variable is not there yet in its own initialiser. */
  #declaration({ keyword, name, type, value }: Declaration, scope: Scope): void {
    this.#names(type, scope);
    if (value) this.#expression(value, scope);
    const { text, index } = this.#module.tokens[name]!;
    const variable: Variable = { name: text, keyword, index, type, ...(value && { value }) };
    this.#module.nameToken(name, variable);
    if (scope.declare(text, variable)) return;
    this.#module.refuse(index, `${text} is declared twice in this block: rename one`);
  }

  #expression(expression: Expression, scope: Scope): void {
    const { kind, text, start, open, operands } = expression;
    if (kind === "name") this.#names(expression, scope);
    if (kind === "call") {
      if (scope.find(text)) this.#module.refuseAt(start, `${text} is a variable here: rename it`);
      this.#names({ start: start + 1, end: open! }, scope);
    }
    for (const operand of operands) this.#expression(operand, scope);
    if (kind === "unary" && text === "&") this.#address(operands[0]!);
  }

  #address(target: Expression): void {
    let base = target;
    while (base.kind !== "name" && base.operands.length > 0) base = base.operands[0]!;
    if (this.#module.names.has(base.start)) this.#module.addressed.add(base.start);
  }

  #names({ start, end }: TokenRange, scope: Scope): void {
    for (let at = start; at < end; at++) {
      const { kind, text } = this.#module.tokens[at]!;
      const variable = kind === "name" ? scope.find(text) : undefined;
      if (variable) this.#module.nameToken(at, variable);
    }
  }
}
