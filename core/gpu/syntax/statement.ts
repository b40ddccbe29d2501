import type { Expression } from "./expression.ts";
import type { TokenRange } from "./tokens.ts";

/** A declaration in a function. */
export interface Declaration extends TokenRange {
  readonly kind: "declare";
  readonly keyword: "var" | "let" | "const";
  /** Which token is its name. */
  readonly name: number;
  /** Empty where no type is written. */
  readonly type: TokenRange;
  readonly value?: Expression;
}

/** An assignment; `target` is absent in `_ = value`. */
export interface Assignment extends TokenRange {
  readonly kind: "assign";
  readonly target?: Expression;
  /** `=`, or what works on the old value, as `+=`. */
  readonly operator: string;
  readonly value: Expression;
}

/** One clause of a `switch`: `selectors` are the tokens behind `case`, `default` among them or alone. */
export interface SwitchClause {
  readonly selectors: TokenRange;
  readonly isDefault: boolean;
  readonly body: BlockStatement;
}

/** Statements between braces. */
export interface BlockStatement extends TokenRange {
  readonly kind: "block";
  readonly statements: readonly Statement[];
}

/** An `if`; what follows `else` is a block or another `if`. */
export interface IfStatement extends TokenRange {
  readonly kind: "if";
  readonly condition: Expression;
  readonly then: BlockStatement;
  readonly otherwise?: BlockStatement | IfStatement;
}

/** A `loop`, `while` or `for`; what a form does not have is absent. */
export interface LoopStatement extends TokenRange {
  readonly kind: "loop";
  readonly init?: Statement;
  readonly condition?: Expression;
  readonly body: BlockStatement;
  /** The statements of `continuing`, or the last part of a `for`. */
  readonly continuing: readonly Statement[];
  readonly breakIf?: Expression;
}

/** A statement of WGSL, with the tokens that it is written in, its semicolon included. */
export type Statement =
  | Declaration
  | Assignment
  | BlockStatement
  | IfStatement
  | LoopStatement
  | (TokenRange & { readonly kind: "call"; readonly call: Expression })
  | (TokenRange & {
    readonly kind: "increment";
    readonly target: Expression;
    readonly operator: string;
  })
  | (TokenRange & {
    readonly kind: "switch";
    readonly selector: Expression;
    readonly clauses: readonly SwitchClause[];
  })
  | (TokenRange & { readonly kind: "return"; readonly value?: Expression })
  | (TokenRange & { readonly kind: "break" | "continue" | "other" });

/** The expressions that a statement itself has, those of statements in it left out. */
export function expressionsIn(statement: Statement): readonly Expression[] {
  const { kind } = statement;
  const found = kind === "declare" || kind === "return"
    ? [statement.value]
    : kind === "assign"
    ? [statement.target, statement.value]
    : kind === "increment"
    ? [statement.target]
    : kind === "call"
    ? [statement.call]
    : kind === "if"
    ? [statement.condition]
    : kind === "loop"
    ? [statement.condition, statement.breakIf]
    : kind === "switch"
    ? [statement.selector]
    : [];
  return found.filter((expression) => expression !== undefined);
}

/** The statements that a statement has in it, in the order of the text but for a `for`'s last part. */
export function statementsIn(statement: Statement): readonly Statement[] {
  if (statement.kind === "block") return statement.statements;
  if (statement.kind === "switch") return statement.clauses.map(({ body }) => body);
  const found = statement.kind === "if"
    ? [statement.then, statement.otherwise]
    : statement.kind === "loop"
    ? [statement.init, statement.body, ...statement.continuing]
    : [];
  return found.filter((inner) => inner !== undefined);
}
