import type { LocalFunction } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";
import { CONSUMERS } from "../syntax/vocabulary.ts";
import { isHandlerType, isServing, takesPorts, usesOf } from "./called.ts";
import { givesLoan } from "./loan.ts";
import type { Oracle } from "./oracle.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";

/**
 * What code that is given a function does with the port that it calls it with: consumes it itself,
 * closes it by `using` unless the function does, leaves it to the function, or serves a call.
 */
export type Treatment = "lends" | "covers" | "gives" | "serves";

const DEPTH_MAX = 5;

/**
 * What becomes of a function that is an argument, by the body of what is called, in whichever file
 * that is; `undefined` where it is stored, or where the body does not tell.
 */
export function treatmentOf(file: CheckedFile, given: ts.Node, depth = 0): Treatment | undefined {
  const call = given.parent;
  if (!ts.isCallExpression(call) || depth > DEPTH_MAX) return undefined;
  const index = call.arguments.indexOf(given as ts.Expression);
  if (index < 0) return undefined;
  if (isServing(file, call)) return "serves";
  const declaration = file.checker.getResolvedSignature(call)?.declaration;
  const name = declaration?.parameters[index]?.name;
  const body = declaration && "body" in declaration ? declaration.body as ts.Node : undefined;
  if (!body || !name || !ts.isIdentifier(name)) return undefined;
  const [first, ...others] = usesOf(file, name, body).map((use) => {
    const isCalled = ts.isCallExpression(use.parent) && use.parent.expression === use;
    return isCalled ? treatmentIn(file, use.parent, body) : treatmentOf(file, use, depth + 1);
  });
  return others.every((one) => one === first) ? first : undefined;
}

/** What is done with the port that a function is called with. */
function treatmentIn(
  file: CheckedFile,
  call: ts.CallExpression,
  body: ts.Node,
): Treatment | undefined {
  const isPort = (one: ts.Expression) =>
    file.reader.valueOf(file.checker.getTypeAtLocation(one))?.kind === "port";
  const argument = call.arguments.find(isPort);
  const port = argument && s.bare(argument);
  if (!port) return undefined;
  if (ts.isCallExpression(port)) return "gives";
  if (!ts.isIdentifier(port)) return undefined;
  const declared = file.declarationAt(port);
  if (!declared || !isInside(declared, body) || !isOneValue(file, declared, body)) return undefined;
  if (ts.isVariableDeclaration(declared) && isUsing(declared)) return "covers";
  const ends = usesOf(file, port, body).filter((use) => use !== port && !isLook(use));
  if (ends.length === 0) return "gives";
  return ends.some((end) => isSure(end, declared)) ? "lends" : undefined;
}

/** Whether a name is that of one port, which the body has for itself. */
function isOneValue(file: CheckedFile, declared: ts.Node, body: ts.Node): boolean {
  if (ts.isParameter(declared)) return declared.type !== undefined;
  if (!ts.isVariableDeclaration(declared) || givesLoan(file, declared.name)) return false;
  return usesOf(file, declared.name, body).every(({ parent }) =>
    !(ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  );
}

function isUsing({ parent }: ts.VariableDeclaration): boolean {
  return (parent.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using;
}

function isInside(node: ts.Node, body: ts.Node): boolean {
  return node.getSourceFile() === body.getSourceFile() &&
    node.pos >= body.pos && node.end <= body.end;
}

/** Whether a use of a name leaves its port where it is: a property, a method that only works on it. */
function isLook(use: ts.Node): boolean {
  const { parent } = use;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return true;
  return ts.isPropertyAccessExpression(parent) && parent.expression === use &&
    !CONSUMERS.has(parent.name.text);
}

/** Whether a use comes whatever happens, once the name is declared: not in a branch, nor in a `catch`. */
function isSure(use: ts.Node, declared: ts.Node): boolean {
  const { parent } = use;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use) return false;
  const scope = ts.isParameter(declared) ? declared.parent : declared.parent.parent.parent;
  let node: ts.Node = parent;
  while (node !== scope && IN_ORDER.has(node.kind)) node = node.parent;
  return node === scope;
}

/** Statements and expressions whose parts all run. */
const IN_ORDER: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.Block,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.TryStatement,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.VariableDeclarationList,
  ts.SyntaxKind.VariableStatement,
]);

/** Whether a parameter is only lent what it gets. */
export function isLentParameter(file: CheckedFile, node: s.FunctionNode, id: ts.Node): boolean {
  const treatment = treatmentOf(file, node);
  if (treatment !== undefined) return treatment === "lends" || treatment === "covers";
  if ("type" in id.parent && id.parent.type) return s.isGuard(node);
  const signature = contextOf(file, node);
  if (!signature?.declaration) return true;
  const { parent } = node;
  const name = ts.isCallExpression(parent) ? s.propertyName(s.bare(parent.expression)) : "";
  const isFirst = node.parameters[0]?.name === id;
  const isGiven = name === "then" || (/^reduce(?:Right)?$/.test(name) && isFirst);
  return !isGiven && !takesPorts(file, signature);
}

/** What the place where a function is written calls it with. */
function contextOf(file: CheckedFile, node: ts.Node): ts.Signature | undefined {
  const type = contextualType(file, node);
  return type && file.checker.getNonNullableType(type).getCallSignatures()[0];
}

function contextualType({ checker }: CheckedFile, written: ts.Node): ts.Type | undefined {
  if (ts.isArrowFunction(written) || ts.isFunctionExpression(written)) {
    return checker.getContextualType(written);
  }
  if (!ts.isMethodDeclaration(written) || !ts.isObjectLiteralExpression(written.parent)) {
    return undefined;
  }
  const member = checker.getContextualType(written.parent)?.getProperty(written.name.getText());
  return member && checker.getTypeOfSymbolAtLocation(member, written);
}

/** Whether a function is written where one is wanted that serves calls. */
export function servesCalls({ file }: Oracle, { node }: LocalFunction): boolean {
  const declaration = contextOf(file, node)?.declaration;
  return declaration !== undefined && isHandlerType(declaration);
}

/** Whether the place where a function is written wants no result of it. */
export function isCalledForNothing({ file }: Oracle, { node }: LocalFunction): boolean {
  const type = contextOf(file, node)?.getReturnType();
  return type !== undefined && (type.flags & ts.TypeFlags.Void) !== 0;
}
