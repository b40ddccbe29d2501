import type { CheckedFile } from "../program/checked_file.ts";
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

/** The statements of a module that declare or import what can keep ports from call to call. */
export function keepersIn(file: CheckedFile): readonly ts.Statement[] {
  const known = keepers.get(file) ?? file.source.statements.filter((one) => keepsPorts(file, one));
  keepers.set(file, known);
  return known;
}

const keepers = new WeakMap<CheckedFile, readonly ts.Statement[]>();

function keepsPorts({ checker, reader }: CheckedFile, statement: ts.Statement): boolean {
  const holds = (type: ts.Type, depth: number): boolean => {
    if (reader.kindOf(type) !== undefined) return true;
    if (depth > 2) return false;
    if (type.isUnion()) return type.types.some((one) => holds(one, depth));
    const isRecord = type.symbol && (type.symbol.flags & RECORD) !== 0;
    const parts = isRecord ? type.getProperties().map((one) => checker.getTypeOfSymbol(one)) : [];
    return [...reader.argumentsOf(type), ...parts].some((one) => holds(one, depth + 1));
  };
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : ts.isImportDeclaration(statement)
    ? importedBy(checker, statement)
    : [];
  return names.some((one) => holds(checker.getTypeAtLocation(one), 0));
}

/** The variables of other modules that an import gives names. */
function importedBy(
  checker: ts.TypeChecker,
  { importClause }: ts.ImportDeclaration,
): readonly ts.Node[] {
  const bindings = importClause?.namedBindings;
  const elements = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  return elements.filter((one) => {
    const symbol = checker.getSymbolAtLocation(one.name);
    return symbol && (checker.getAliasedSymbol(symbol).flags & ts.SymbolFlags.Variable) !== 0;
  });
}

const RECORD = ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral | ts.SymbolFlags.Interface;

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
