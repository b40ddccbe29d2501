import type { Finding } from "./finding.ts";
import { isMove } from "./foreign/signature.ts";
import type { CheckedFile } from "./program/checked_file.ts";
import { ts } from "./program/compiler.ts";

/** What can be written to mend a finding: `using` for `const`, `move(port)`, `.close()`. */
export type Remedy = "using" | "move" | "close";

/** A part of a text, and what is to stand there instead. */
export interface Edit {
  readonly range: [number, number];
  readonly text: string;
}

/** What mends a finding; nothing where the code around is not of a kind that allows it. */
export function fixOf(file: CheckedFile, { node, remedy }: Finding): readonly Edit[] {
  if (!remedy) return [];
  if (remedy === "using") return usingFix(file, node);
  return remedy === "close" ? closeFix(file, node) : moveFix(file, node);
}

/** `const port = …` becomes `using port = …`: what the block loses on some path, it closes. */
function usingFix({ checker }: CheckedFile, { parent: declaration }: ts.Node): readonly Edit[] {
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return [];
  const list = declaration.parent;
  if (!ts.isVariableDeclarationList(list) || list.declarations.length > 1) return [];
  const statement = list.parent;
  const isConst = (list.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const;
  const isPlace = ts.isForOfStatement(statement) ||
    (ts.isVariableStatement(statement) && !statement.modifiers &&
      !ts.isCaseOrDefaultClause(statement.parent));
  const type = checker.getNonNullableType(checker.getTypeAtLocation(declaration));
  const isDisposable = type.getProperties().some(({ name }) => name.startsWith("__@dispose"));
  if (!isConst || !isPlace || !isDisposable) return [];
  const start = list.getStart();
  return [{ range: [start, start + "const".length], text: "using" }];
}

/** `client.open(1);` as a statement becomes `client.open(1).close();`. */
function closeFix({ checker }: CheckedFile, node: ts.Node): readonly Edit[] {
  const isAwaited = ts.isAwaitExpression(node.parent);
  const whole = isAwaited ? node.parent : node;
  const canClose = checker.getTypeAtLocation(whole).getProperty("close") !== undefined;
  if (!ts.isCallExpression(node) || !ts.isExpressionStatement(whole.parent) || !canClose) return [];
  const [start, end] = [whole.getStart(), whole.getEnd()];
  const close: Edit = { range: [end, end], text: isAwaited ? ").close()" : ".close()" };
  return isAwaited ? [{ range: [start, start], text: "(" }, close] : [close];
}

/** `return port` becomes `return move(port)`, with `move` from where the ports are from. */
function moveFix(file: CheckedFile, node: ts.Node): readonly Edit[] {
  const isShort = ts.isShorthandPropertyAssignment(node);
  const name = isShort ? node.name : node;
  if (!ts.isIdentifier(name)) return [];
  const imported = importedMove(file, node.getSourceFile());
  if (!imported) return [];
  const key = isShort ? `${name.text}: ` : "";
  const range: [number, number] = [name.getStart(), name.getEnd()];
  return [...imported.edits, { range, text: `${key}${imported.name}(${name.text})` }];
}

/** What `move` is called in a file, and what has to be imported for that. */
function importedMove(
  { checker, reader }: CheckedFile,
  source: ts.SourceFile,
): { readonly name: string; readonly edits: readonly Edit[] } | undefined {
  const isOurs = (symbol: ts.Symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { declarations = [] } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return declarations.some((one) => isMove(reader, one));
  };
  const lists = source.statements.filter(ts.isImportDeclaration).flatMap((one) => {
    const bindings = one.importClause?.namedBindings;
    const isForTypes = one.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return bindings && ts.isNamedImports(bindings) && !isForTypes ? [{ one, bindings }] : [];
  });
  for (const { bindings } of lists) {
    for (const { name } of bindings.elements) {
      const symbol = checker.getSymbolAtLocation(name);
      if (symbol && isOurs(symbol)) return { name: name.text, edits: [] };
    }
  }
  for (const { one, bindings } of lists) {
    const module = checker.getSymbolAtLocation(one.moduleSpecifier);
    const move = module && checker.getExportsOfModule(module).find(isOurs);
    if (!move) continue;
    const start = bindings.getStart() + 1;
    const text = bindings.elements.length > 0 ? ` ${move.name},` : ` ${move.name} `;
    return { name: move.name, edits: [{ range: [start, start], text }] };
  }
  return undefined;
}
