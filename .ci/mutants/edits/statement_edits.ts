import ts from "typescript";
import type { Edit, Operator } from "./mutation.ts";

/** Calls that wake a sleeper. */
const WAKES = /^#?(notify|wake\w*|ring\w*|raiseAttention|announceLeaving|addEventListener)$/;
/** Calls that do nothing but throw. */
const GUARDS = /^#?(check\w*|assert\w*|refuse\w*|throwIfAborted)$/;

/** Statements that are dropped or swapped, and functions that return at once. */
export function statementEdits(node: ts.Node): Edit[] {
  if (ts.isBlock(node) || ts.isSourceFile(node)) return swaps(node.statements);
  if (ts.isFunctionLike(node)) return earlyReturns(node);
  if (!ts.isStatement(node)) return [];
  const operator = isWholeBranch(node) ? undefined : dropOperator(node);
  return operator ? [{ operator, ...rangeOf(node), text: emptyFor(node) }] : [];
}

/** Whether dropping the branch around it says the same. */
function isWholeBranch({ parent }: ts.Statement): boolean {
  return ts.isIfStatement(parent) && !parent.elseStatement;
}

/** Nothing in a block; a statement that is needed, where the grammar asks for one. */
function emptyFor(node: ts.Statement): string {
  return ts.isBlock(node.parent) || ts.isSourceFile(node.parent) ? "" : "{}";
}

function rangeOf(node: ts.Node): { readonly start: number; readonly end: number } {
  return { start: node.getStart(), end: node.end };
}

function dropOperator(node: ts.Statement): Operator | undefined {
  if (ts.isExpressionStatement(node)) return dropOfCall(node.expression);
  if (ts.isIfStatement(node)) return dropOfBranch(node);
  if (ts.isThrowStatement(node)) return "drop-guard";
  const isOther = ts.isIterationStatement(node, false) || ts.isBreakOrContinueStatement(node) ||
    (ts.isReturnStatement(node) && !node.expression);
  return isOther ? "drop-statement" : undefined;
}

function dropOfCall(expression: ts.Expression): Operator | undefined {
  const name = calledName(expression);
  if (name === "super") return undefined;
  if (WAKES.test(name)) return "drop-wake";
  return GUARDS.test(name) ? "drop-guard" : "drop-statement";
}

/** The last name of what is called, through `await` and `void`; empty where nothing is called. */
function calledName(expression: ts.Expression): string {
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) {
    return calledName(expression.expression);
  }
  if (!ts.isCallExpression(expression)) return "";
  const { expression: callee } = expression;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
}

function dropOfBranch({ thenStatement, elseStatement }: ts.IfStatement): Operator {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  if (elseStatement || !last) return "drop-statement";
  if (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last)) {
    return "drop-guard";
  }
  return ts.isExpressionStatement(last) && WAKES.test(calledName(last.expression))
    ? "drop-wake"
    : "drop-statement";
}

function swaps(statements: ts.NodeArray<ts.Statement>): Edit[] {
  return statements.slice(1).flatMap((second, index) => {
    const first = statements[index]!;
    if (!isMovable(first) || !isMovable(second) || isNeeded(first, second)) return [];
    if (isAssignment(first) && isAssignment(second)) return [];
    const between = first.getSourceFile().text.slice(first.end, second.getStart());
    return [{
      operator: "swap-statements" as const,
      start: first.getStart(),
      end: second.end,
      text: second.getText() + between + first.getText(),
    }];
  });
}

/** What has an effect, and does not end the block. Two declarations alone have no order to lose. */
function isMovable(node: ts.Statement): boolean {
  if (ts.isVariableStatement(node)) return hasEffect(node);
  return ts.isExpressionStatement(node) || ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) || ts.isTryStatement(node);
}

function isAssignment(node: ts.Statement): boolean {
  return ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression);
}

function hasEffect(node: ts.Node): boolean {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ||
    Boolean(ts.forEachChild(node, (child) => hasEffect(child) || undefined));
}

/** Whether one of the two names what the other declares. */
function isNeeded(first: ts.Statement, second: ts.Statement): boolean {
  return declares(first, second) || declares(second, first);
}

function declares(declaring: ts.Statement, using: ts.Statement): boolean {
  if (!ts.isVariableStatement(declaring)) return false;
  const names = declaring.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  return namesIn(using).some((name) => names.includes(name));
}

function namesIn(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  const names: string[] = [];
  ts.forEachChild(node, (child) => void names.push(...namesIn(child)));
  return names;
}

function earlyReturns(node: ts.SignatureDeclaration): Edit[] {
  const { body } = node as ts.FunctionLikeDeclaration;
  if (!body || !ts.isBlock(body) || body.statements.length === 0) return [];
  const start = body.getStart() + 1;
  const texts = valuesOf(node.type?.getText() ?? "");
  // A body of one statement is emptied by dropping that.
  const isEmptied = body.statements.length === 1 && dropOperator(body.statements[0]!);
  return texts.filter((text) => !(text === "return;" && isEmptied)).map((text) => ({
    operator: "return-early",
    start,
    end: start,
    text: ` ${text}`,
  }));
}

/** What a function of this type could return without having done anything. */
function valuesOf(type: string): string[] {
  const value = type.replace(/^Promise<(.*)>$/, "$1");
  if (value === "void") return ["return;"];
  if (value === "boolean") return ["return true;", "return false;"];
  if (value === "number") return ["return 0;"];
  return value.endsWith("| undefined") ? ["return undefined;"] : [];
}
