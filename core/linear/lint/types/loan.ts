import * as s from "../syntax/syntax.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { usesOf } from "./called.ts";
import { ts } from "../program/compiler.ts";
import type { Oracle } from "./oracle.ts";
import { isContainer, isLinearType } from "./value_type.ts";

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

/** Where an expression stands: in the file that is followed, or in what that calls. */
interface LoanOptions {
  /** What knows the names of the file that is followed. */
  readonly oracle?: Oracle;
  /** How many calls led to it. */
  readonly depth?: number;
}

/**
 * Whether somebody else has to see to the end of the value that an expression gives: it stays where
 * it is, in a list, in a field. That is so of what the language's own lists give, and of functions
 * that return such a value, in whichever file they are written.
 */
export function givesLoan(file: CheckedFile, node: ts.Node, options: LoanOptions = {}): boolean {
  const inner = skipped(node);
  const { oracle, depth = 0 } = options;
  const isLoan = (one: ts.Node) => givesLoan(file, one, options);
  if (depth > DEPTH_MAX || s.isNothing(inner)) return false;
  if (s.isAccess(inner)) return isLentMember(file, inner, oracle);
  if (ts.isConditionalExpression(inner)) return isLoan(inner.whenTrue) || isLoan(inner.whenFalse);
  if (s.isAssignment(inner) && s.operatorOf(inner) !== "=") return true;
  if (s.isLogical(inner) && s.operatorOf(inner) !== "&&" && isLoan(inner.left)) return true;
  if (ts.isBinaryExpression(inner)) return isLoan(inner.right);
  if (ts.isIdentifier(inner)) {
    if (!oracle) return isLentName(file, inner, depth);
    const type = oracle.of(inner);
    return isLinearType(type) ? type.isLoan : oracle.names.bindingOf(inner) === undefined;
  }
  if (!ts.isCallExpression(inner)) return false;
  const declaration = file.checker.getResolvedSignature(inner)?.declaration;
  if (file.isOfLanguage(declaration)) return !HANDING_ON.has(s.propertyName(inner.expression));
  return resultsOf(file, inner).some((one) => givesLoan(file, one, { depth: depth + 1 }));
}

/** What the function that is called returns, in whichever file it is written. */
export function resultsOf(file: CheckedFile, call: ts.CallExpression): readonly ts.Node[] {
  const declaration = file.checker.getResolvedSignature(call)?.declaration;
  const body = file.isOfLanguage(declaration) ? undefined : bodyOf(file, call, declaration);
  return body ? returned(body).map(skipped) : [];
}

/** The expression that is awaited, without casts. */
export function skipped(node: ts.Node): ts.Node {
  const inner = s.bare(node);
  return ts.isAwaitExpression(inner) ? skipped(inner.expression) : inner;
}

/** A field keeps what it has, but the value of a `Maybe` or `Either` is all there is of it. */
function isLentMember({ checker, reader }: CheckedFile, node: s.Access, oracle?: Oracle): boolean {
  const whole = oracle?.of(node.expression);
  const kind = reader.read(checker.getTypeAtLocation(node.expression))?.kind;
  const isHeld = s.propertyName(node) === "value" && (kind === "maybe" || kind === "either");
  return !isHeld || (isContainer(whole) && whole.isLoan);
}

function isLentName(file: CheckedFile, node: ts.Identifier, depth: number): boolean {
  const declaration = file.declarationAt(node);
  if (!declaration || !ts.isVariableDeclaration(declaration)) return false;
  if (ts.isForOfStatement(declaration.parent.parent) || isShared(declaration, node)) return true;
  return declaration.initializer !== undefined &&
    givesLoan(file, declaration.initializer, { depth: depth + 1 });
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
  const results = ts.isCallExpression(call) ? resultsOf(file, call) : [];
  return results.length > 0 && results.every((whole) => {
    const part = partsIn(whole).get(key);
    return part && !givesLoan(file, part) && !isCaptured(file, part, whole);
  });
}

/** What `[a, b]` and `{ a, b: c, d() {} }` have, by number or name. */
export function partsIn(whole: ts.Node): ReadonlyMap<string, ts.Node> {
  if (ts.isArrayLiteralExpression(whole)) {
    const isKnown = !whole.elements.some(ts.isSpreadElement);
    return new Map(isKnown ? whole.elements.map((one, index) => [`${index}`, one]) : []);
  }
  const parts = new Map<string, ts.Node>();
  for (const one of ts.isObjectLiteralExpression(whole) ? whole.properties : []) {
    if (!one.name) continue;
    const value = ts.isPropertyAssignment(one) ? one.initializer : one;
    parts.set(s.keyName(one.name), ts.isShorthandPropertyAssignment(one) ? one.name : value);
  }
  return parts;
}

/** Whether a function that is beside a part has the part, too: `{ port, stop: () => port.close() }`. */
function isCaptured(file: CheckedFile, part: ts.Node, whole: ts.Node): boolean {
  return ts.isIdentifier(part) &&
    usesOf(file, part, whole).some((use) =>
      ts.findAncestor(use, (one) => one === whole || ts.isFunctionLike(one)) !== whole
    );
}
