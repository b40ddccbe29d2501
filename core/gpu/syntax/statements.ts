import { type Expression, operatorAt, readExpression, tokenCount } from "./expression.ts";
import { closingOf, type TokenRange, type TokenReader } from "./tokens.ts";

/** A declaration in a function. */
export interface Declaration extends TokenRange {
  readonly kind: "declare";
  readonly keyword: "var" | "let" | "const";
  /** The token index of its name. */
  readonly name: number;
  /** Empty if no type is written. */
  readonly type: TokenRange;
  readonly value?: Expression;
}

/** An assignment; `target` is absent in `_ = value`. */
export interface Assignment extends TokenRange {
  readonly kind: "assign";
  readonly target?: Expression;
  /** `=`, or a compound operator such as `+=`. */
  readonly operator: string;
  readonly value: Expression;
}

/** One clause of a `switch`; `selectors` are the tokens after `case`, or `default`. */
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

/** A `loop`, `while` or `for`. */
export interface LoopStatement extends TokenRange {
  readonly kind: "loop";
  readonly init?: Statement;
  readonly condition?: Expression;
  readonly body: BlockStatement;
  /** The statements of `continuing`, or the last part of a `for`. */
  readonly continuing: readonly Statement[];
  readonly breakIf?: Expression;
}

/** A statement of WGSL, with its tokens, including the semicolon. */
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

/** Properties of statements that hold expressions, in the order of evaluation. */
const EXPRESSIONS = ["target", "value", "call", "condition", "breakIf", "selector"] as const;

/** The expressions of a statement, without those of nested statements. */
export function expressionsIn(statement: Statement): readonly Expression[] {
  const parts: TokenRange & Partial<Record<typeof EXPRESSIONS[number], Expression>> = statement;
  return EXPRESSIONS.map((name) => parts[name]).filter((expression) => expression !== undefined);
}

/** The nested statements of a statement, in the order of the text except a `for`'s last part. */
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

export function readBlock(reader: TokenReader): BlockStatement {
  const start = skipAttributes(reader);
  reader.expect("{");
  const statements = readStatements(reader);
  reader.expect("}");
  return { kind: "block", statements, start, end: reader.at };
}

function readStatements(reader: TokenReader): Statement[] {
  const statements: Statement[] = [];
  for (; reader.text !== "}" && reader.text !== ""; skipAttributes(reader)) {
    if (reader.take(";")) continue;
    if (reader.text === "continuing") break;
    statements.push(readStatement(reader));
  }
  return statements;
}

/** Skips attributes, which only tell a compiler how to check, and are left out of generated statements. */
function skipAttributes(reader: TokenReader): number {
  while (reader.take("@")) {
    reader.expectName();
    if (reader.text === "(") reader.at = closingOf(reader.tokens, reader.at) + 1;
  }
  return reader.at;
}

function readStatement(reader: TokenReader): Statement {
  const start = skipAttributes(reader);
  if (reader.text === "{") return readBlock(reader);
  if (reader.take("if")) return readIf(reader, start);
  if (reader.take("switch")) return readSwitch(reader, start);
  if (reader.take("loop")) return readLoop(reader, start);
  if (reader.take("while")) {
    const condition = readExpression(reader);
    const body = readBlock(reader);
    return { kind: "loop", condition, body, continuing: [], start, end: reader.at };
  }
  if (reader.take("for")) return readFor(reader, start);
  const statement = readSimple(reader);
  reader.expect(";");
  return { ...statement, end: reader.at };
}

function readIf(reader: TokenReader, start: number): IfStatement {
  const condition = readExpression(reader);
  const then = readBlock(reader);
  if (!reader.take("else")) return { kind: "if", condition, then, start, end: reader.at };
  const at = reader.at;
  const otherwise = reader.take("if") ? readIf(reader, at) : readBlock(reader);
  return { kind: "if", condition, then, otherwise, start, end: reader.at };
}

function readSwitch(reader: TokenReader, start: number): Statement {
  const selector = readExpression(reader);
  skipAttributes(reader);
  reader.expect("{");
  const clauses: SwitchClause[] = [];
  while (!reader.take("}")) clauses.push(readClause(reader));
  return { kind: "switch", selector, clauses, start, end: reader.at };
}

function readClause(reader: TokenReader): SwitchClause {
  const isCase = reader.take("case");
  const from = reader.at;
  if (!isCase) reader.expect("default");
  let isDefault = !isCase;
  while (isCase && reader.text !== ":" && reader.text !== "{") {
    if (reader.take("default")) isDefault = true;
    else readExpression(reader);
    if (!reader.take(",")) break;
  }
  const selectors = { start: from, end: reader.at };
  reader.take(":");
  return { selectors, isDefault, body: readBlock(reader) };
}

function readLoop(reader: TokenReader, start: number): LoopStatement {
  const from = skipAttributes(reader);
  reader.expect("{");
  const statements = readStatements(reader);
  const body: BlockStatement = { kind: "block", statements, start: from, end: reader.at };
  const continuing: Statement[] = [];
  let breakIf: Expression | undefined;
  if (reader.take("continuing")) {
    skipAttributes(reader);
    reader.expect("{");
    while (reader.text !== "}" && !isBreakIf(reader)) {
      if (!reader.take(";")) continuing.push(readStatement(reader));
    }
    if (isBreakIf(reader)) {
      reader.at += 2;
      breakIf = readExpression(reader);
      reader.expect(";");
    }
    reader.expect("}");
  }
  reader.expect("}");
  const loop = { kind: "loop", body, continuing, start, end: reader.at } as const;
  return breakIf ? { ...loop, breakIf } : loop;
}

function isBreakIf({ tokens, at }: TokenReader): boolean {
  return tokens[at]?.text === "break" && tokens[at + 1]?.text === "if";
}

function readFor(reader: TokenReader, start: number): LoopStatement {
  reader.expect("(");
  const init = reader.text === ";" ? undefined : readSimple(reader);
  reader.expect(";");
  const condition = reader.text === ";" ? undefined : readExpression(reader);
  reader.expect(";");
  const continuing = reader.text === ")" ? [] : [readSimple(reader)];
  reader.expect(")");
  const body = readBlock(reader);
  const loop = { kind: "loop", body, continuing, start, end: reader.at } as const;
  return { ...loop, ...(init && { init }), ...(condition && { condition }) };
}

const OTHER = new Set(["discard", "const_assert"]);

/** A statement without its semicolon. */
function readSimple(reader: TokenReader): Statement {
  const { at: start, text } = reader;
  if (text === "var" || text === "let" || text === "const") return readDeclaration(reader, text);
  if (text === "break" || text === "continue") {
    reader.at++;
    return { kind: text, start, end: reader.at };
  }
  if (reader.take("return")) {
    const value = reader.text === ";" ? undefined : readExpression(reader);
    return { kind: "return", ...(value && { value }), start, end: reader.at };
  }
  if (OTHER.has(text)) {
    while (reader.text !== ";" && reader.text !== "") reader.at++;
    return { kind: "other", start, end: reader.at };
  }
  if (text === "_" && reader.tokens[start + 1]?.text === "=") {
    reader.at += 2;
    const value = readExpression(reader);
    return { kind: "assign", operator: "=", value, start, end: reader.at };
  }
  return readUpdate(reader, start);
}

function readDeclaration(reader: TokenReader, keyword: Declaration["keyword"]): Declaration {
  const start = reader.at++;
  if (reader.next.kind === "template") {
    reader.at++;
    if (reader.text !== "function") reader.refuse("a variable of a function is in no other memory");
    reader.at = closingOf(reader.tokens, reader.at - 1) + 1;
  }
  const name = reader.expectName();
  const from = reader.take(":") ? reader.at : 0;
  while (from > 0 && !/^[=;]?$/.test(reader.text)) reader.at++;
  const type = { start: from, end: from > 0 ? reader.at : 0 };
  if (reader.text !== "=" && (keyword !== "var" || from === 0)) {
    reader.refuse(`= is expected and not ${reader.text || "the end"}`);
  }
  const value = reader.take("=") ? readExpression(reader) : undefined;
  return { kind: "declare", keyword, name, type, ...(value && { value }), start, end: reader.at };
}

function readUpdate(reader: TokenReader, start: number): Statement {
  const target = readExpression(reader);
  const operator = operatorAt(reader);
  if (operator === "++" || operator === "--") {
    reader.at++;
    return { kind: "increment", target, operator, start, end: reader.at };
  }
  if (operator.endsWith("=")) {
    reader.at += tokenCount(operator);
    const value = readExpression(reader);
    return { kind: "assign", target, operator, value, start, end: reader.at };
  }
  if (target.kind !== "call") reader.refuse(`= is expected and not ${reader.text || "the end"}`);
  return { kind: "call", call: target, start, end: reader.at };
}
