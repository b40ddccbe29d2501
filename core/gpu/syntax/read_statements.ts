import { type Expression, operatorAt, readExpression, tokenCount } from "./expression.ts";
import type {
  BlockStatement,
  Declaration,
  IfStatement,
  LoopStatement,
  Statement,
  SwitchClause,
} from "./statement.ts";
import { closingOf, type TokenReader } from "./tokens.ts";

/** Reads statements between braces. */
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

/** Attributes say how a compiler checks; they are left out of what is made of a statement. */
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
