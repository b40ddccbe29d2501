import * as s from "../syntax/syntax.ts";
import { bareExpression, type CheckedFile } from "./checked_file.ts";
import { isHandlerType, takesPorts } from "./called.ts";
import { ts } from "./compiler.ts";
import type { Oracle } from "./oracle.ts";
import { isContainer, isLinearType } from "./value_type.ts";

/** Whether somebody else has to see to the end of the value that an expression gives. */
export function isLentExpression(oracle: Oracle, node: s.SyntaxNode, scope: s.Scope): boolean {
  const isLent = (field: string) => {
    const value = s.child(node, field);
    return value !== undefined && isLentExpression(oracle, s.bare(value), scope);
  };
  switch (node.type) {
    case "Identifier": {
      if (s.isNothing(node)) return false;
      const type = oracle.of(node, scope);
      return !isLinearType(type) ? scope.resolve(s.word(node, "name")) === undefined : type.isLoan;
    }
    case "MemberExpression": {
      const whole = oracle.of(s.child(node, "object"), scope);
      return !(isContainer(whole) && s.propertyName(node) === "value") || whole.isLoan;
    }
    case "AwaitExpression":
      return isLent("argument");
    case "AssignmentExpression":
      return s.word(node, "operator") !== "=" || isLent("right");
    case "ConditionalExpression":
      return isLent("consequent") || isLent("alternate");
    case "LogicalExpression":
      return (s.word(node, "operator") !== "&&" && isLent("left")) || isLent("right");
    case "SequenceExpression": {
      const last = s.children(node, "expressions").at(-1);
      return last !== undefined && isLentExpression(oracle, s.bare(last), scope);
    }
    case "CallExpression": {
      const call = oracle.file.toCompiler(node);
      return call !== undefined && givesLoan(oracle.file, call);
    }
    default:
      return false;
  }
}

/** Methods of the language's objects that hand on a value which is the caller's own. */
const HANDING_ON: ReadonlySet<string> = new Set([
  "catch",
  "finally",
  "freeze",
  "reduce",
  "reduceRight",
  "resolve",
  "then",
]);

const DEPTH_MAX = 5;

/**
 * Whether a call gives what stays where it is: in a list, in a field. That is so of the language's
 * own lists, and of functions that return such a value, in whichever file they are written.
 */
function givesLoan(file: CheckedFile, node: ts.Node, depth = 0): boolean {
  const inner = ts.isExpression(node) ? skipped(node) : node;
  if (depth > DEPTH_MAX) return false;
  if (ts.isElementAccessExpression(inner)) return true;
  if (ts.isPropertyAccessExpression(inner)) return isLentMember(file, inner);
  if (ts.isConditionalExpression(inner)) {
    return [inner.whenTrue, inner.whenFalse].some((one) => givesLoan(file, one, depth));
  }
  if (ts.isBinaryExpression(inner)) {
    return [inner.left, inner.right].some((one) => givesLoan(file, one, depth));
  }
  if (ts.isIdentifier(inner)) return isLentName(file, inner, depth);
  if (!ts.isCallExpression(inner)) return false;
  const declaration = file.checker.getResolvedSignature(inner)?.declaration;
  if (file.isOfLanguage(declaration)) {
    const { expression } = inner;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : "";
    return !HANDING_ON.has(name);
  }
  const body = bodyOf(file, inner, declaration);
  return body !== undefined && returned(body).some((one) => givesLoan(file, one, depth + 1));
}

function skipped(node: ts.Expression): ts.Node {
  const inner = bareExpression(node);
  return ts.isAwaitExpression(inner) ? skipped(inner.expression) : inner;
}

/** A field keeps what it has, but the value of a `Maybe` or `Either` is all there is of it. */
function isLentMember(
  { checker, reader }: CheckedFile,
  node: ts.PropertyAccessExpression,
): boolean {
  const kind = reader.read(checker.getTypeAtLocation(node.expression))?.kind;
  return !(node.name.text === "value" && (kind === "maybe" || kind === "either"));
}

function isLentName(file: CheckedFile, node: ts.Identifier, depth: number): boolean {
  const declaration = file.declarationAt(node);
  if (!declaration || !ts.isVariableDeclaration(declaration)) return false;
  if (ts.isForOfStatement(declaration.parent.parent)) return true;
  return declaration.initializer !== undefined &&
    givesLoan(file, declaration.initializer, depth + 1);
}

function bodyOf(
  file: CheckedFile,
  call: ts.CallExpression,
  declaration: ts.Node | undefined,
): ts.Node | undefined {
  const found = [declaration, file.declarationAt(call.expression)]
    .find((one) => one && "body" in one && one.body);
  return found && "body" in found ? found.body as ts.Node : undefined;
}

/** What a function's body returns, without what the functions in it return. */
function returned(body: ts.Node): readonly ts.Node[] {
  if (!ts.isBlock(body)) return [body];
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/**
 * Whether a part of a tuple is for who calls the function that makes the tuple: `[a, b] = await f()`
 * where `f` ends with `return [open(), open()]`. Of a tuple that is made elsewhere nobody knows.
 */
export function isMadePart(
  { file }: Oracle,
  { key, value }: { readonly key: string; readonly value?: s.SyntaxNode | undefined },
): boolean {
  const written = value && file.toCompiler(s.bare(value));
  const call = written && ts.isExpression(written) && skipped(written);
  if (!call || !ts.isCallExpression(call)) return false;
  const declaration = file.checker.getResolvedSignature(call)?.declaration;
  const body = file.isOfLanguage(declaration) ? undefined : bodyOf(file, call, declaration);
  const results = body ? returned(body) : [];
  return results.length > 0 && results.every((one) => {
    const tuple = ts.isExpression(one) && skipped(one);
    if (!tuple || !ts.isArrayLiteralExpression(tuple)) return false;
    const element = tuple.elements[Number(key)];
    return element !== undefined && !tuple.elements.some(ts.isSpreadElement) &&
      !givesLoan(file, element);
  });
}

/** Whether a parameter is only lent what it gets. */
export function isLentParameter(
  file: CheckedFile,
  { node }: s.LocalFunction,
  id: s.SyntaxNode,
): boolean {
  if (s.child(id, "typeAnnotation")) return s.returnType(node) === "TSTypePredicate";
  const signature = contextOf(file, node);
  if (!signature?.declaration) return true;
  const call = file.toCompiler(node)?.parent;
  const callee = call && ts.isCallExpression(call) ? call.expression : undefined;
  const isThen = callee && ts.isPropertyAccessExpression(callee) && callee.name.text === "then";
  return !isThen && !takesPorts(file, signature);
}

/** What the place where a function is written calls it with. */
function contextOf(file: CheckedFile, node: s.SyntaxNode): ts.Signature | undefined {
  const written = file.toCompiler(node);
  if (!written || !(ts.isArrowFunction(written) || ts.isFunctionExpression(written))) {
    return undefined;
  }
  const type = file.checker.getContextualType(written);
  return type && file.checker.getNonNullableType(type).getCallSignatures()[0];
}

/** Whether a function is written where one is wanted that serves calls. */
export function servesCalls({ file }: Oracle, { node }: s.LocalFunction): boolean {
  const declaration = contextOf(file, node)?.declaration;
  return declaration !== undefined && isHandlerType(declaration);
}

/** Whether the place where a function is written wants no result of it. */
export function isCalledForNothing({ file }: Oracle, { node }: s.LocalFunction): boolean {
  const type = contextOf(file, node)?.getReturnType();
  return type !== undefined && (type.flags & ts.TypeFlags.Void) !== 0;
}
