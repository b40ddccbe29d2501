import type { Func } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";

/** Where runs begin: with the module itself, or with a function that anybody may call. */
export type Entry = ts.SourceFile | ts.ClassLikeDeclaration | Func["node"];

/** The functions of a file that stand in no other one. */
export function functionsIn(source: ts.SourceFile): ReadonlySet<Func["node"]> {
  const known = outermost.get(source);
  if (known) return known;
  const found = new Set<Func["node"]>();
  const visit = (node: ts.Node): void => {
    if (s.isFunction(node)) found.add(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  outermost.set(source, found);
  return found;
}

const outermost = new WeakMap<ts.SourceFile, ReadonlySet<Func["node"]>>();

/** Whether anybody may call a function, with whatever its types allow. */
export function isOpen(node: ts.Node): boolean {
  const owner = ts.findAncestor(
    node,
    (one) => ts.isClassLike(one) || ts.isFunctionDeclaration(one),
  );
  const declaration = owner ?? ts.findAncestor(node, ts.isVariableStatement);
  return declaration !== undefined && ts.canHaveModifiers(declaration) &&
    (ts.getModifiers(declaration) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}
