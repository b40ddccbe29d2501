import ts from "typescript";
import { atomicEdits } from "./atomic_edits.ts";
import type { Edit, Operator } from "./mutation.ts";

const Kind = ts.SyntaxKind;

/** What each operator becomes; several where there are several ways to be wrong. */
const TOKENS: Partial<Record<ts.SyntaxKind, readonly (readonly [Operator, string])[]>> = {
  [Kind.EqualsEqualsEqualsToken]: [["compare", "!=="]],
  [Kind.ExclamationEqualsEqualsToken]: [["compare", "==="]],
  [Kind.LessThanToken]: [["compare", ">="], ["off-by-one", "<="]],
  [Kind.LessThanEqualsToken]: [["compare", ">"], ["off-by-one", "<"]],
  [Kind.GreaterThanToken]: [["compare", "<="], ["off-by-one", ">="]],
  [Kind.GreaterThanEqualsToken]: [["compare", "<"], ["off-by-one", ">"]],
  [Kind.AmpersandAmpersandToken]: [["and-or", "||"]],
  [Kind.BarBarToken]: [["and-or", "&&"]],
  [Kind.AmpersandToken]: [["mask-word", "|"]],
  [Kind.BarToken]: [["mask-word", "&"]],
  [Kind.CaretToken]: [["mask-word", "|"]],
  [Kind.LessThanLessThanToken]: [["mask-word", ">>"]],
  [Kind.GreaterThanGreaterThanToken]: [["mask-word", "<<"]],
  [Kind.GreaterThanGreaterThanGreaterThanToken]: [["mask-word", "<<"]],
  [Kind.AmpersandEqualsToken]: [["mask-word", "|="]],
  [Kind.BarEqualsToken]: [["mask-word", "&="]],
  [Kind.AsteriskToken]: [["arithmetic", "/"]],
  [Kind.SlashToken]: [["arithmetic", "*"]],
  [Kind.PercentToken]: [["arithmetic", "*"]],
  [Kind.PlusEqualsToken]: [["arithmetic", "-="]],
  [Kind.PlusToken]: [["arithmetic", "-"]],
  [Kind.MinusToken]: [["arithmetic", "+"]],
};

/** Neighbours in a set of named words or states: taking the one for the other. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  ControlWord: ["state", "nextOwnerId", "liveServers", "sleepers", "bell", "freeBell"],
  ChannelState: ["running", "stopping", "stopped"],
  Status: ["ok", "handlerFailed", "serverGone", "clientLate", "outOfStep", "badMask"],
  PortState: ["fresh", "mine", "unread", "theirs", "busy", "failed", "closed"],
};

/** What may end a wait, by the names that it has as an argument. */
const LIMITS = /^(deadline|limit|signal|guard|options)$/;

/** Changes inside an expression, or of a whole condition. */
export function expressionEdits(node: ts.Node): Edit[] {
  return [
    ...conditionEdits(node),
    ...atomicEdits(node),
    ...(ts.isBinaryExpression(node) ? binaryEdits(node) : []),
    ...(ts.isPropertyAccessExpression(node) ? nameEdits(node) : []),
    ...constantEdits(node),
    ...(ts.isAwaitExpression(node) ? [replace("remove-await", node, node.expression)] : []),
    ...(ts.isCallExpression(node) ? limitEdits(node) : []),
    ...complementEdits(node),
  ];
}

function replace(operator: Operator, node: ts.Node, by: ts.Node | string): Edit {
  const text = typeof by === "string" ? by : by.getText();
  return { operator, start: node.getStart(), end: node.end, text };
}

/** The condition of a branch or loop; `undefined` where there is none. */
function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
    return node.expression;
  }
  return ts.isForStatement(node) || ts.isConditionalExpression(node) ? node.condition : undefined;
}

function conditionEdits(node: ts.Node): Edit[] {
  const condition = conditionOf(node);
  return condition ? [replace("negate-condition", condition, negated(condition))] : [];
}

function negated(node: ts.Expression): string {
  return isNot(node) ? node.operand.getText() : `!(${node.getText()})`;
}

function isNot(node: ts.Node): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken;
}

function binaryEdits(node: ts.BinaryExpression): Edit[] {
  const { left, operatorToken, right } = node;
  const token = operatorToken.kind;
  if (token === Kind.QuestionQuestionToken) return [replace("and-or", node, right)];
  const isSum = token === Kind.PlusToken || token === Kind.MinusToken;
  if (isSum && (isText(left) || isText(right))) return [];
  const edits = (TOKENS[token] ?? []).map(([operator, text]) =>
    replace(operator, operatorToken, text)
  );
  if (isSum && ts.isNumericLiteral(right)) edits.push(replace("off-by-one", node, left));
  // The negated condition says the same.
  return conditionOf(node.parent) === node
    ? edits.filter(({ operator }) => operator !== "compare")
    : edits;
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function nameEdits({ expression, name }: ts.PropertyAccessExpression): Edit[] {
  const names = NAMED[expression.getText()];
  const position = names?.indexOf(name.text) ?? -1;
  const other = names && position >= 0
    ? names[(position + 1) % names.length]!
    : otherSide(name.text);
  return other === name.text ? [] : [replace("mask-word", name, other)];
}

/** The name that the same thing has in the other word, or on the other side. */
function otherSide(name: string): string {
  const pairs = [["lo", "hi"], ["maskLo", "maskHi"], ["inbox", "outbox"]];
  for (const [one, other] of pairs) {
    if (name === one) return other!;
    if (name === other) return one!;
  }
  if (/^(client|server)(Outbox|Parked|Lock)Word$/.test(name)) {
    return name.startsWith("client") ? `server${name.slice(6)}` : `client${name.slice(6)}`;
  }
  return name;
}

function constantEdits(node: ts.Node): Edit[] {
  if (node.kind === Kind.TrueKeyword) return [replace("constant", node, "false")];
  if (node.kind === Kind.FalseKeyword) return [replace("constant", node, "true")];
  if (ts.isIdentifier(node) && node.text === "Infinity") return [replace("constant", node, "0")];
  if (!ts.isNumericLiteral(node) || ts.isPropertyAssignment(node.parent) && isName(node)) return [];
  const value = Number(node.text);
  return [replace("constant", node, String(value === 1 ? 0 : value + 1))];
}

function isName(node: ts.NumericLiteral): boolean {
  return (node.parent as ts.PropertyAssignment).name === node;
}

function limitEdits(node: ts.CallExpression): Edit[] {
  return node.arguments.filter((one) => ts.isIdentifier(one) && LIMITS.test(one.text))
    .map((one) => replace("drop-guard", one, "undefined"));
}

function complementEdits(node: ts.Node): Edit[] {
  if (!ts.isPrefixUnaryExpression(node)) return [];
  if (node.operator === Kind.TildeToken) return [replace("mask-word", node, node.operand)];
  const isCondition = conditionOf(node.parent) === node;
  return isNot(node) && !isCondition ? [replace("negate-condition", node, node.operand)] : [];
}
