import { ts } from "../program/compiler.ts";

/** A function with a body. */
export type Fn = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** Whether a node is a function with a body. */
export function isFn(node: ts.Node): node is Fn {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function isWrap(node: ts.Node): node is ts.ParenthesizedExpression | ts.AsExpression {
  return ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
}

/** An expression without what changes only its type. */
export function bare(node: ts.Node): ts.Node {
  return isWrap(node) ? bare(node.expression) : node;
}

/** What an expression is part of, apart from what changes only its type. */
export function parentOf(node: ts.Node): ts.Node {
  return isWrap(node.parent) ? parentOf(node.parent) : node.parent;
}

/** The function, class member or file in whose turn something happens. */
export function ownerOf({ parent }: ts.Node): ts.Node {
  const isOwner = !parent.parent || ts.isFunctionLike(parent) || ts.isPropertyDeclaration(parent) ||
    ts.isClassStaticBlockDeclaration(parent);
  return isOwner ? parent : ownerOf(parent);
}

/** The name of the method that a call calls, or of its function. */
export function calledName(call: ts.Node): string {
  if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return "";
  const callee = bare(call.expression);
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
}

/** Whether a node is an assignment, of whatever operator. */
export function isAssignment(
  node: ts.Node,
): node is ts.AssignmentExpression<ts.AssignmentOperatorToken> {
  return ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
}

/** Whether a node is part of another one. */
export function isInside(node: ts.Node, outer: ts.Node): boolean {
  const isSame = node.getSourceFile() === outer.getSourceFile();
  return isSame && node.pos >= outer.pos && node.end <= outer.end;
}

/** The first name of `a.b[c].d`. */
export function rootOf(written: ts.Node): ts.Node {
  const node = bare(written);
  const isPath = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  return isPath ? rootOf(node.expression) : node;
}

/** The name that a chain of calls begins with: `port` in `move(port).send().recv()`. */
export function startOf(written: ts.Node): ts.Node {
  const node = bare(written);
  if (ts.isCallExpression(node)) {
    const isMove = calledName(node) === "move" && node.arguments.length === 1;
    return startOf(isMove ? node.arguments[0]! : node.expression);
  }
  const isStep = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ||
    ts.isAwaitExpression(node);
  return isStep ? startOf(node.expression) : node;
}

/** What keeps the value that stands here: `list` in `list.push(port)`, `field` in `field = port`. */
export function keeperOf(node: ts.Node): ts.Node | undefined {
  const parent = parentOf(node);
  const isAdded = ts.isCallExpression(parent) &&
    /^(push|unshift|set|add)$/.test(calledName(parent));
  if (isAdded) return parent.expression;
  return isAssignment(parent) ? parent.left : undefined;
}

/** The object or call that several closures go into together. */
export function takerOf({ parent }: ts.Node): ts.Node {
  const isEnd = ts.isObjectLiteralExpression(parent) || ts.isCallExpression(parent) ||
    ts.isStatement(parent);
  return isEnd || !parent.parent ? parent : takerOf(parent);
}
