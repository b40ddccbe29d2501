import * as s from "../syntax/syntax.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { usesOf } from "./called.ts";
import { ts } from "../program/compiler.ts";
import type { Oracle } from "./oracle.ts";
import { isContainer, isLinearType } from "./value_type.ts";

/** Whether somebody else has to see to the end of the value that an expression gives. */
export function isLentExpression(oracle: Oracle, expression: ts.Node): boolean {
  const node = s.bare(expression);
  if (s.isNothing(node)) return false;
  if (ts.isIdentifier(node)) {
    const type = oracle.of(node);
    return isLinearType(type) ? type.isLoan : oracle.names.bindingOf(node) === undefined;
  }
  if (s.isAccess(node)) {
    const whole = oracle.of(node.expression);
    return !(isContainer(whole) && s.propertyName(node) === "value") || whole.isLoan;
  }
  if (ts.isAwaitExpression(node)) return isLentExpression(oracle, node.expression);
  if (ts.isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].some((one) => isLentExpression(oracle, one));
  }
  if (ts.isCallExpression(node)) return givesLoan(oracle.file, node);
  if (s.isAssignment(node) && s.operatorOf(node) !== "=") return true;
  const isEither = s.isLogical(node) && s.operatorOf(node) !== "&&";
  if (isEither && isLentExpression(oracle, node.left)) return true;
  return ts.isBinaryExpression(node) && isLentExpression(oracle, node.right);
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
export function givesLoan(file: CheckedFile, node: ts.Node, depth = 0): boolean {
  const inner = skipped(node);
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

function skipped(node: ts.Node): ts.Node {
  const inner = s.bare(node);
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
  if (ts.isForOfStatement(declaration.parent.parent) || isShared(declaration, node)) return true;
  return declaration.initializer !== undefined &&
    givesLoan(file, declaration.initializer, depth + 1);
}

/** Whether a variable is that of code around the function which it is used in, and may change. */
function isShared(declaration: ts.VariableDeclaration, use: ts.Node): boolean {
  const isLet = (declaration.parent.flags & ts.NodeFlags.Let) !== 0;
  const around = ts.findAncestor(use, ts.isFunctionLike);
  return isLet && around !== undefined &&
    ts.findAncestor(declaration, (one) => one === around) === undefined;
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
 * Whether a part of what a function makes is for its caller: `[a, b] = await f()` where `f` ends with
 * `return [open(), open()]`, and the same of `{ a, b }`. Of what is made elsewhere nobody knows.
 */
export function isMadePart(file: CheckedFile, key: string, value: ts.Node): boolean {
  const call = skipped(value);
  if (!ts.isCallExpression(call)) return false;
  const declaration = file.checker.getResolvedSignature(call)?.declaration;
  const body = file.isOfLanguage(declaration) ? undefined : bodyOf(file, call, declaration);
  const results = body ? returned(body) : [];
  return results.length > 0 && results.every((one) => {
    const whole = skipped(one);
    const part = partOf(whole, key);
    return part && !givesLoan(file, part) && !isCaptured(file, part, whole);
  });
}

/** What `[a, b]` and `{ a, b: c }` have at a place or under a name. */
function partOf(whole: ts.Node, key: string): ts.Expression | undefined {
  if (ts.isArrayLiteralExpression(whole)) {
    return whole.elements.some(ts.isSpreadElement) ? undefined : whole.elements[Number(key)];
  }
  if (!ts.isObjectLiteralExpression(whole)) return undefined;
  const found = whole.properties.find((one) => one.name?.getText() === key);
  if (!found || !(ts.isPropertyAssignment(found) || ts.isShorthandPropertyAssignment(found))) {
    return undefined;
  }
  return ts.isPropertyAssignment(found) ? found.initializer : found.name;
}

/** Whether a function that is beside a part has the part, too: `{ port, stop: () => port.close() }`. */
function isCaptured(file: CheckedFile, part: ts.Expression, whole: ts.Node): boolean {
  return ts.isIdentifier(part) &&
    usesOf(file, part, whole).some((use) =>
      ts.findAncestor(use, (one) => one === whole || ts.isFunctionLike(one)) !== whole
    );
}
