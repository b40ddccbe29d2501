import type { Binding } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS, KEEPERS, LISTENERS, SCHEDULERS, STORES } from "../syntax/vocabulary.ts";
import { usesOf } from "./called.ts";
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
  const { initializer } = declaration;
  const isMade = initializer !== undefined &&
    (ts.isArrayLiteralExpression(initializer) || ts.isObjectLiteralExpression(initializer) ||
      ts.isNewExpression(initializer));
  const body = ts.findAncestor(
    declaration,
    (one) => ts.isFunctionLike(one) || ts.isSourceFile(one),
  );
  if (!isMade || !body) return undefined;
  const uses = usesOf(file, name, body).filter((one) => one !== name);
  if (uses.some((use) => ts.isReturnStatement(use.parent) || isScheduled(use, body))) return "kept";
  const isHere = (use: ts.Node) =>
    ts.findAncestor(use, (one) => one === body || ts.isFunctionLike(one)) === body;
  return uses.every((use) => isHere(use) && isWhole(use)) ? "local" : undefined;
}

/** Whether a use stands in a function that a timer or a listener gets. */
function isScheduled(use: ts.Node, body: ts.Node): boolean {
  const around = ts.findAncestor(use, (one) => one === body || ts.isFunctionLike(one));
  if (!around || around === body) return false;
  const call = around.parent;
  const name = ts.isCallExpression(call) ? call.expression.getText().replace(/^.*\./, "") : "";
  return SCHEDULERS.has(name) || LISTENERS.has(name) || isScheduled(around.parent, body);
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
  if (name === "") return false;
  for (const one of ts.isBlock(body) ? body.statements : [body]) {
    const values = ts.isVariableStatement(one)
      ? one.declarationList.declarations.map(({ initializer }) => initializer)
      : [ts.isExpressionStatement(one) ? one.expression : one];
    if (values.some((value) => value && consumes(value, name))) return true;
    const isStraight = ts.isVariableStatement(one) || ts.isExpressionStatement(one);
    if (!isStraight) return false;
  }
  return false;
}

/** Whether an expression is a chain of calls that begins with the end of a name's port. */
function consumes(expression: ts.Node, name: string): boolean {
  const node = s.bare(expression);
  if (ts.isAwaitExpression(node) || ts.isCallExpression(node)) {
    return consumes(node.expression, name);
  }
  if (!s.isAccess(node)) return false;
  const object = s.bare(node.expression);
  return ts.isIdentifier(object)
    ? object.text === name && CONSUMERS.has(s.propertyName(node))
    : consumes(object, name);
}
