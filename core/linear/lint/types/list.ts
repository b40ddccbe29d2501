import type { Binding } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS, KEEPERS, LISTENERS, SCHEDULERS, STORES } from "../syntax/vocabulary.ts";
import { isCallee, usesOf } from "./called.ts";
import { resultsOf } from "./loan.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";

/**
 * What becomes of a list, a set, a map or a stack that a function makes: `local`, where it is only
 * filled and gone through in whole, so that what is in it is known; `kept`, where a function that may
 * run later or the caller has it.
 */
export function listUse(
  file: CheckedFile,
  { node: name, isFixed }: Binding,
): "local" | "kept" | undefined {
  const declaration = name.parent;
  if (!isFixed || !ts.isVariableDeclaration(declaration)) return undefined;
  const body = functionAround(declaration);
  if (!isMade(file, declaration.initializer)) return undefined;
  const uses = usesOf(file, name, body).filter((one) => one !== name);
  if (uses.some((use) => ts.isReturnStatement(use.parent) || isScheduled(use, body))) return "kept";
  return uses.every((use) => functionAround(use) === body && isWhole(use)) ? "local" : undefined;
}

const DEPTH_MAX = 5;

/** Whether an expression makes a list that nobody else has, itself or by a function, in any file. */
function isMade(file: CheckedFile, value: ts.Node | undefined, depth = 0): boolean {
  const made = value && s.bare(value);
  if (!made || depth > DEPTH_MAX) return false;
  if (ts.isAwaitExpression(made)) return isMade(file, made.expression, depth);
  if (ts.isCallExpression(made)) {
    if (/^(?:Array\.from|Promise\.all|.*\.map)$/.test(s.calleeName(made))) return true;
    const results = resultsOf(file, made);
    return results.length > 0 && results.every((one) => {
      return ts.isIdentifier(one) ? isMadeName(file, one, depth) : isMade(file, one, depth + 1);
    });
  }
  return ts.isArrayLiteralExpression(made) || ts.isObjectLiteralExpression(made) ||
    ts.isNewExpression(made);
}

/** Whether a function returns a list by a name that it has only filled it and gone through it by. */
function isMadeName(file: CheckedFile, name: ts.Identifier, depth: number): boolean {
  const declared = file.declarationAt(name);
  const body = functionAround(name);
  return declared !== undefined && ts.isVariableDeclaration(declared) &&
    functionAround(declared) === body && isMade(file, declared.initializer, depth + 1) &&
    usesOf(file, name, body).every((use) =>
      use === declared.name || ts.isReturnStatement(use.parent) ||
      (functionAround(use) === body && isWhole(use))
    );
}

/** The function, or the file, that a node stands in. */
function functionAround(node: ts.Node): ts.Node {
  return ts.findAncestor(node.parent, (one) => ts.isFunctionLike(one) || ts.isSourceFile(one)) ??
    node.getSourceFile();
}

/** The uses of the name that a value is declared with; absent where others may use it, too. */
function ownUses(
  file: CheckedFile,
  { parent: declaration }: ts.Node,
): readonly ts.Node[] | undefined {
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) {
    return undefined;
  }
  const { name } = declaration;
  const isExported = ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export;
  const body = functionAround(declaration);
  const uses = usesOf(file, name, body).filter((one) => one !== name);
  const isOwn = !isExported && uses.every((use) => functionAround(use) === body);
  return isOwn ? uses : undefined;
}

/** What calls a timer off. */
export const CANCELLERS = /^(?:clearTimeout|clearImmediate|cancelAnimationFrame)$/;

/** Whether a timer has a name by which nobody but the function that starts it can call it off. */
export function isOwnTimer(file: CheckedFile, call: ts.Node): boolean {
  const isCancel = ({ parent }: ts.Node) =>
    ts.isCallExpression(parent) && CANCELLERS.test(s.calleeName(parent));
  return ownUses(file, call)?.every(isCancel) ?? false;
}

/**
 * The consumer that `const end = port.close.bind(port)` gives a name, where that is only called, by
 * the same function: `port.close`.
 */
export function boundConsumer(file: CheckedFile, value: ts.Node | undefined): s.Access | undefined {
  const call = value && s.bare(value);
  if (!call || !ts.isCallExpression(call)) return undefined;
  const callee = s.bare(call.expression);
  const bound = s.isAccess(callee) && callee.expression;
  if (!bound || s.propertyName(callee) !== "bind") return undefined;
  if (!s.isAccess(bound) || !CONSUMERS.has(s.propertyName(bound))) return undefined;
  return ownUses(file, call)?.every(isCallee) ? bound : undefined;
}

/** The parts of a list or an object that is written in place and only asked for parts, but these. */
export function unreachedParts(file: CheckedFile, value: ts.Node): readonly ts.Node[] {
  const values = s.pairedValues(value);
  const uses = values ? ownUses(file, value) ?? [] : [];
  const reached = new Set(uses.map(({ parent }) => s.propertyName(parent)));
  const isByName = uses.length > 0 && [...reached].every((one) => values?.has(one));
  return isByName ? [...values!].flatMap(([key, one]) => reached.has(key) ? [] : one) : [];
}

/** Whether a use stands in a function that a timer or a listener gets. */
function isScheduled(use: ts.Node, body: ts.Node): boolean {
  const around = functionAround(use);
  if (around === body || ts.isSourceFile(around)) return false;
  const call = around.parent;
  const name = ts.isCallExpression(call) ? s.calleeName(call).replace(/^.*\./, "") : "";
  return SCHEDULERS.has(name) || LISTENERS.has(name) || isScheduled(around, body);
}

/** Methods that go through all of a list, and properties that only count. */
const WHOLE: ReadonlySet<string> = new Set([
  ...KEEPERS,
  ...STORES,
  "dispose",
  "disposeAsync",
  "forEach",
  "length",
  "map",
  "size",
]);

/** Whether a use of a list puts something into it, goes through all of it, or counts. */
function isWhole({ parent }: ts.Node): boolean {
  if (ts.isForOfStatement(parent)) return true;
  if (!ts.isPropertyAccessExpression(parent) || !WHOLE.has(parent.name.text)) return false;
  const { parent: whole } = parent;
  return !ts.isBinaryExpression(whole) || whole.left !== parent;
}

/** Whether code consumes a name whatever happens: `port.close();` before anything that branches. */
export function consumesSurely(pattern: ts.Node | undefined, body: ts.Node): boolean {
  const name = s.nameOf(pattern);
  return name !== "" && surelyConsumed(body).some((one) => s.nameOf(one) === name);
}

/** The names and fields whose ports code consumes before anything that branches. */
export function surelyConsumed(body: ts.Node): readonly ts.Node[] {
  const calls = surelyCalled(body).filter((one) => CONSUMERS.has(s.propertyName(one)));
  return calls.map(({ expression }) => s.bare(expression));
}

/** The methods that code calls before anything that branches: of a chain of calls the first. */
export function surelyCalled(body: ts.Node): readonly s.Access[] {
  const found: s.Access[] = [];
  for (const one of ts.isBlock(body) ? body.statements : [body]) {
    const isDeclared = ts.isVariableStatement(one);
    const isSingle = ts.isExpressionStatement(one) || ts.isReturnStatement(one);
    const values = isDeclared
      ? one.declarationList.declarations.map(({ initializer }) => initializer)
      : [isSingle ? one.expression : one];
    found.push(...values.flatMap((value) => value ? firstCall(value) ?? [] : []));
    if (!isDeclared && !ts.isExpressionStatement(one)) break;
  }
  return found;
}

function firstCall(expression: ts.Node): s.Access | undefined {
  const node = s.bare(expression);
  if (ts.isAwaitExpression(node)) return firstCall(node.expression);
  const callee = ts.isCallExpression(node) ? s.bare(node.expression) : node;
  if (!s.isAccess(callee)) return undefined;
  return firstCall(callee.expression) ?? (callee === node ? undefined : callee);
}
