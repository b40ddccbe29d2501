import { ts } from "../program/compiler.ts";

/** `object.name` and `object["name"]`. */
export type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression;

/** A function with a body, of any form: a method, too. */
export type FunctionNode = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** The expression in parentheses. */
export function plain(node: ts.Node): ts.Node {
  return ts.isParenthesizedExpression(node) ? plain(node.expression) : node;
}

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

/** `a = b`, `a ??= b`, `a += b`. */
export function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
}

/** `a && b`, `a || b` and `a ?? b`. */
export function isLogical(node: ts.Node): node is ts.BinaryExpression {
  return ["&&", "||", "??"].includes(operatorOf(node));
}

/** `a, b`. */
export function isSequence(node: ts.Node): node is ts.BinaryExpression {
  return operatorOf(node) === ",";
}

/** `!a`. */
export function isNegation(node: ts.Node): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
}

/** What stands between two operands; empty for every other node. */
export function operatorOf(node: ts.Node): string {
  return ts.isBinaryExpression(node) ? ts.tokenToString(node.operatorToken.kind) ?? "" : "";
}

/** A constant as text: `true`, `1`, `string a`, `undefined`; absent for what may be anything. */
export function constantOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node)) return `string ${node.text}`;
  if (ts.isNumericLiteral(node)) return node.text;
  if (ts.isVoidExpression(node)) return "undefined";
  if (ts.isIdentifier(node)) return node.text === "undefined" ? "undefined" : undefined;
  const keyword = ts.tokenToString(node.kind) ?? "";
  return ["true", "false", "null"].includes(keyword) ? keyword : undefined;
}

/** Whether an expression is `undefined` or `null`. */
export function isNothing(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(node) && node.text === "undefined");
}

/** The text of a name; empty for every other node. */
export function nameOf(node: ts.Node | undefined): string {
  return node && ts.isIdentifier(node) ? node.text : "";
}

/** The parameters of a function that its callers give; `this` is none. */
export function parametersOf(node: FunctionNode): readonly ts.ParameterDeclaration[] {
  return node.parameters.filter(({ name }) => nameOf(name) !== "this");
}

/** Whether a function tells what its input is. */
export function isGuard({ type }: FunctionNode): boolean {
  return type !== undefined && ts.isTypePredicateNode(type);
}

export function isGenerator({ asteriskToken }: FunctionNode): boolean {
  return asteriskToken !== undefined;
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

/** One of the patterns inside a pattern. */
export interface Part {
  /** The name or the number of what comes in; empty for what is left. */
  readonly key: string;
  /** The name, the field or the pattern that it comes into. */
  readonly target: ts.Node;
  /** What comes in where nothing does. */
  readonly otherwise?: ts.Expression | undefined;
}

/** The patterns inside a pattern, of a declaration or of an assignment. */
export function partsOf(pattern: ts.Node): readonly Part[] {
  if (ts.isArrayBindingPattern(pattern) || ts.isObjectBindingPattern(pattern)) {
    return pattern.elements.map((one, index) => {
      if (ts.isOmittedExpression(one)) return { key: `${index}`, target: one };
      const { dotDotDotToken, propertyName = one.name, name: target, initializer: otherwise } = one;
      const key = ts.isArrayBindingPattern(pattern) ? `${index}` : keyName(propertyName);
      return { key: dotDotDotToken ? "" : key, target, otherwise };
    });
  }
  if (ts.isArrayLiteralExpression(pattern)) {
    return pattern.elements.map((one, index) => partInto(`${index}`, one));
  }
  if (!ts.isObjectLiteralExpression(pattern)) return [];
  return pattern.properties.flatMap((one) => {
    if (ts.isPropertyAssignment(one)) return partInto(keyName(one.name), one.initializer);
    if (ts.isSpreadAssignment(one)) return partInto("", one.expression);
    if (!ts.isShorthandPropertyAssignment(one)) return [];
    const { name, objectAssignmentInitializer: otherwise } = one;
    return { key: name.text, target: name, otherwise };
  });
}

function partInto(key: string, target: ts.Node): Part {
  if (ts.isSpreadElement(target)) return { key: "", target: target.expression };
  if (operatorOf(target) !== "=") return { key, target };
  const { left, right } = target as ts.BinaryExpression;
  return { key, target: left, otherwise: right };
}

/** The identifiers that a pattern binds, from left to right. */
export function boundIdentifiers(pattern: ts.Node): readonly ts.Identifier[] {
  if (ts.isIdentifier(pattern)) return [pattern];
  return partsOf(pattern).flatMap(({ target }) => boundIdentifiers(target));
}

/**
 * What `[a, b]` and `{ a, b }` get, by number or name, from what is written in place: a list, an
 * object, or promises that are all waited for.
 */
export function pairedValues(
  init: ts.Node | undefined,
): ReadonlyMap<string, ts.Expression> | undefined {
  const value = init && bare(init);
  if (value && (ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value))) {
    const all = ts.isArrayLiteralExpression(value) ? value.elements : value.properties;
    const pairs = all.map((one, index) => pairOf(one, `${index}`));
    return pairs.every((one) => one !== undefined) ? new Map(pairs) : undefined;
  }
  const call = value && ts.isAwaitExpression(value) ? bare(value.expression) : undefined;
  if (!call || !ts.isCallExpression(call) || calleeName(call) !== "Promise.all") return undefined;
  const list = call.arguments[0] && bare(call.arguments[0]);
  return list && ts.isArrayLiteralExpression(list) ? pairedValues(list) : undefined;
}

function pairOf(one: ts.Node, index: string): readonly [string, ts.Expression] | undefined {
  if (ts.isPropertyAssignment(one)) return [keyName(one.name), one.initializer];
  if (ts.isShorthandPropertyAssignment(one)) return [one.name.text, one.name];
  return ts.isExpression(one) && !ts.isSpreadElement(one) ? [index, one] : undefined;
}

/** The name of what is called, as a program writes it: `f`, `console.log`. */
export function calleeName(call: ts.CallExpression): string {
  const callee = bare(call.expression);
  if (!isAccess(callee)) return nameOf(callee);
  return `${nameOf(bare(callee.expression))}.${propertyName(callee)}`;
}
