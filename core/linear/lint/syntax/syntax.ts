import { ts } from "../program/compiler.ts";

/** `object.name` and `object["name"]`. */
export type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

/** A function with a body, of any form: a method, too. */
export type FunctionNode = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** The expression under casts and parentheses, which change no value. */
export function bare(node: ts.Node): ts.Node {
  const isWrapper = ts.isParenthesizedExpression(node) || isCast(node) ||
    ts.isNonNullExpression(node) ||
    (ts.isExpressionWithTypeArguments(node) && !ts.isHeritageClause(node.parent));
  return isWrapper ? bare(node.expression) : node;
}

/** Whether an expression says what a value is. */
export function isCast(node: ts.Node): node is ts.AssertionExpression | ts.SatisfiesExpression {
  return ts.isAssertionExpression(node) || ts.isSatisfiesExpression(node);
}

/** Whether a node is a function with a body. */
export function isFunction(node: ts.Node): node is FunctionNode {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

export function isAccess(node: ts.Node): node is Access {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

/** What stands between two operands; empty for every other node. */
export function operatorOf(node: ts.Node): string {
  return ts.isBinaryExpression(node) ? ts.tokenToString(node.operatorToken.kind) ?? "" : "";
}

/** The text of a name; empty for every other node. */
export function nameOf(node: ts.Node | undefined): string {
  return node && ts.isIdentifier(node) ? node.text : "";
}

/** The property name of `object.name`, `object.#name` and `object["name"]`; else empty. */
export function propertyName(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isElementAccessExpression(node) ? keyName(node.argumentExpression) : "";
}

/** The name that a key stands for, with its `#` when it is private; `Symbol.x` for `[Symbol.x]`. */
export function keyName(key: ts.Node): string {
  if (ts.isComputedPropertyName(key)) return keyName(key.expression);
  if (ts.isPropertyAccessExpression(key)) {
    return nameOf(key.expression) === "Symbol" ? `Symbol.${key.name.text}` : "";
  }
  const isText = ts.isStringLiteral(key) || ts.isNumericLiteral(key) || ts.isPrivateIdentifier(key);
  // In brackets a name is a variable.
  const isWord = ts.isIdentifier(key) && !ts.isComputedPropertyName(key.parent) &&
    !ts.isElementAccessExpression(key.parent);
  return isText || isWord ? key.text : "";
}

/** The name of what is called, as a program writes it: `f`, `console.log`. */
export function calleeName(call: ts.CallExpression): string {
  const callee = bare(call.expression);
  if (!isAccess(callee)) return nameOf(callee);
  return `${nameOf(bare(callee.expression))}.${propertyName(callee)}`;
}

/** What is wanted where a function is written. */
export function contextOf(checker: ts.TypeChecker, node: ts.Node): ts.Type | undefined {
  const isExpression = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  if (isExpression) return checker.getContextualType(node);
  if (!ts.isMethodDeclaration(node) || !ts.isObjectLiteralExpression(node.parent)) return undefined;
  const member = checker.getContextualType(node.parent)?.getProperty(node.name.getText());
  return member && checker.getTypeOfSymbolAtLocation(member, node);
}

/** What a class extends. */
export function baseOf({ heritageClauses }: ts.ClassLikeDeclaration): ts.Node | undefined {
  const isBase = ({ token }: ts.HeritageClause) => token === ts.SyntaxKind.ExtendsKeyword;
  return heritageClauses?.find(isBase)?.types[0]?.expression;
}

/** Whether a member belongs to the class and not to its objects. */
export function isStatic(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}
