import { closingOf, type TokenRange, type TokenReader } from "./tokens.ts";

/** A part of a WGSL expression, with its tokens. */
export interface Expression extends TokenRange {
  readonly kind: "literal" | "name" | "call" | "member" | "index" | "unary" | "binary" | "group";
  /** The literal, name, operator, member or name of the called function; `()` for a group. */
  readonly text: string;
  /** The operands, in the order of evaluation. */
  readonly operands: readonly Expression[];
  /** The opening parenthesis of a call, which may follow a template list. */
  readonly open?: number;
}

/** Binary operators, from the lowest precedence to the highest. */
const RANKS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!=", "<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const PREFIXES = new Set(["-", "!", "~", "*", "&"]);

/**
 * Reads an expression. Accepts every combination of operators, as the compiler rejects those that WGSL
 * does not allow.
 */
export function readExpression(reader: TokenReader, rank = 0): Expression {
  const operators = RANKS[rank];
  if (!operators) return readUnary(reader);
  let left = readExpression(reader, rank + 1);
  for (let text = operatorAt(reader); operators.includes(text); text = operatorAt(reader)) {
    reader.at += tokenCount(text);
    const right = readExpression(reader, rank + 1);
    left = {
      kind: "binary",
      text,
      start: left.start,
      end: right.end,
      operands: [left, right],
    };
  }
  return left;
}

/** The number of tokens of an operator, as each `>` is one of its own. */
export function tokenCount(operator: string): number {
  return operator.startsWith(">") ? operator.length : 1;
}

/** The operator at the next token, including assignment operators; `""` if there is none. */
export function operatorAt({ tokens, at, next }: TokenReader): string {
  if (next.kind !== "mark") return "";
  if (next.text !== ">") return next.text;
  let text = ">";
  for (const wanted of [">", "="]) {
    const token = tokens[at + text.length];
    if (token?.text === wanted && token.index === next.index + text.length) text += wanted;
  }
  return text;
}

function readUnary(reader: TokenReader): Expression {
  const { at: start, text, next } = reader;
  if (next.kind !== "mark" || !PREFIXES.has(text)) return readPostfix(reader);
  reader.at++;
  const operand = readUnary(reader);
  return { kind: "unary", text, start, end: operand.end, operands: [operand] };
}

function readPostfix(reader: TokenReader): Expression {
  let base = readPrimary(reader);
  for (;;) {
    const { start } = base;
    if (reader.take(".")) {
      const text = reader.tokens[reader.expectName()]!.text;
      base = { kind: "member", text, start, end: reader.at, operands: [base] };
    } else if (reader.take("[")) {
      const index = readExpression(reader);
      reader.expect("]");
      base = { kind: "index", text: "[]", start, end: reader.at, operands: [base, index] };
    } else return base;
  }
}

function readPrimary(reader: TokenReader): Expression {
  const { at: start, next: { kind, text } } = reader;
  if (reader.take("(")) {
    const inner = readExpression(reader);
    reader.expect(")");
    return { kind: "group", text: "()", start, end: reader.at, operands: [inner] };
  }
  if (kind === "name") return readName(reader);
  if (kind !== "number" && kind !== "string") reader.refuse(`a value is expected and not ${text}`);
  reader.at++;
  return { kind: "literal", text, start, end: reader.at, operands: [] };
}

function readName(reader: TokenReader): Expression {
  const { at: start, text } = reader;
  reader.at++;
  if (reader.next.kind === "template") reader.at = closingOf(reader.tokens, reader.at) + 1;
  const open = reader.at;
  if (reader.text === "(") {
    return { kind: "call", text, start, operands: readArguments(reader), end: reader.at, open };
  }
  const kind = text === "true" || text === "false" ? "literal" : "name";
  return { kind, text, start, end: reader.at, operands: [] };
}

function readArguments(reader: TokenReader): Expression[] {
  const list: Expression[] = [];
  reader.expect("(");
  while (!reader.take(")")) {
    list.push(readExpression(reader));
    if (reader.text !== ")") reader.expect(",");
  }
  return list;
}

/** Yields an expression and all its parts. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const operand of expression.operands) yield* partsOf(operand);
}
