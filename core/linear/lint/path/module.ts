import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { elementsOf, madeOf } from "./making.ts";
import { bind } from "./pattern.ts";
import { Run, type Site, type Steps } from "./run.ts";
import type { Scope } from "./scope.ts";
import { Func, isLinear, Item, List, Table, Unknown, type Value } from "./value.ts";

/** What is known of the modules of a program. */
interface Modules {
  /** Those of the library, and what it stands on. */
  readonly library: ReadonlySet<ts.SourceFile>;
  /** Those that import the library, at any distance. */
  readonly users: ReadonlySet<ts.SourceFile>;
}

const known = new WeakMap<ts.Program, Modules>();

/** Whether a file has bodies to follow: it is neither the library itself nor made of types only. */
export function hasBodies({ file: { program, source: own } }: Run, source: ts.SourceFile): boolean {
  if (source === own) return true;
  if (source.isDeclarationFile || program.isSourceFileDefaultLibrary(source)) return false;
  return !modulesOf(program).library.has(source);
}

/** Whether a file can have ports of its own. */
export function hasPorts({ file: { program, source: own } }: Run, source: ts.SourceFile): boolean {
  return source === own || modulesOf(program).users.has(source);
}

function modulesOf(program: ts.Program): Modules {
  const before = known.get(program);
  if (before) return before;
  const sources = program.getSourceFiles();
  const importsOf = new Map(sources.map((one) => [one, importedBy(program, one)]));
  const importers = new Map(sources.map((one): [ts.SourceFile, ts.SourceFile[]] => [one, []]));
  for (const [one, imported] of importsOf) {
    for (const other of imported) importers.get(other)?.push(one);
  }
  const folders = libraryFolders(sources);
  const library = sources.filter(({ fileName }) => folders.has(folderOf(fileName)));
  const modules = { library: closure(library, importsOf), users: closure(library, importers) };
  known.set(program, modules);
  return modules;
}

function closure(
  from: readonly ts.SourceFile[],
  next: ReadonlyMap<ts.SourceFile, readonly ts.SourceFile[]>,
): ReadonlySet<ts.SourceFile> {
  const found = new Set(from);
  for (const one of found) for (const other of next.get(one) ?? []) found.add(other);
  return found;
}

function importedBy(program: ts.Program, source: ts.SourceFile): readonly ts.SourceFile[] {
  if (program.isSourceFileDefaultLibrary(source)) return [];
  const checker = program.getTypeChecker();
  return source.statements.flatMap((one) => {
    const isImport = ts.isImportDeclaration(one) || ts.isExportDeclaration(one);
    const symbol = isImport && one.moduleSpecifier &&
      checker.getSymbolAtLocation(one.moduleSpecifier);
    const declaration = symbol ? symbol.declarations?.[0] : undefined;
    return declaration && ts.isSourceFile(declaration) ? [declaration] : [];
  });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The folders of the library: where the types of ports are declared, and around it. */
function libraryFolders(sources: readonly ts.SourceFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { fileName, text } of sources) {
    if (!/\binterface OwnedPort\b/.test(text) || !/\binterface SentPort\b/.test(text)) continue;
    const folder = folderOf(fileName);
    found.add(folder);
    if (folder.endsWith("/port")) found.add(folderOf(folder));
  }
  return found;
}

/** What a declaration of a module stands for; its own code runs when it is first needed. */
export function* declared(run: Run, declaration: ts.Declaration, site: Site): Steps<Value> {
  const source = declaration.getSourceFile();
  if (!hasBodies(run, source)) return new Unknown(() => run.file.typeAt(site.node));
  const scope = run.moduleOf(source);
  const name = ts.isExportAssignment(declaration)
    ? "default"
    : s.nameOf(ts.getNameOfDeclaration(declaration)) || "default";
  const known = scope.variables.get(name);
  if (known) return known.value;
  if (ts.isFunctionDeclaration(declaration)) return new Func(declaration, scope);
  if (ts.isClassLike(declaration)) {
    const made = yield* run.interpreter.evaluate(run, declaration, scope);
    scope.variables.set(name, { value: made, node: declaration.name });
    return made;
  }
  if (ts.isExportAssignment(declaration)) {
    return yield* run.interpreter.evaluate(run, declaration.expression, scope);
  }
  const whole = ts.findAncestor(declaration, ts.isVariableDeclaration);
  if (!whole || !isOutermost(whole)) return new Unknown(() => run.file.typeAt(site.node));
  yield* initialize(run, whole, scope);
  return scope.variables.get(name)?.value;
}

function isOutermost(node: ts.VariableDeclaration): boolean {
  return ts.isVariableStatement(node.parent.parent) && ts.isSourceFile(node.parent.parent.parent);
}

/** Gives the names of a declaration of a module what they have when functions of it run. */
function* initialize(run: Run, node: ts.VariableDeclaration, scope: Scope): Steps<void> {
  const { initializer, name } = node;
  const isConst = (node.parent.flags & ts.NodeFlags.Const) !== 0;
  const site: Site = { node: name, scope };
  const isAmbient = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient) !== 0;
  if (isAmbient || (run.isLater && (!isConst || !initializer || mustWait(initializer)))) {
    return yield* bind(name, yield* typed(run, name, scope), site);
  }
  const value = initializer && (yield* run.interpreter.evaluate(run, initializer, scope));
  if (run.isLater) reopen(run, value, name);
  yield* bind(name, value, site);
}

function* typed(run: Run, name: ts.Node, scope: Scope): Steps<Value> {
  return yield* madeOf(run.file.typeAt(name), { node: name, scope }, { isOwned: false });
}

/** Whether an expression has to wait for something. */
function mustWait(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  return ts.isAwaitExpression(node) || (ts.forEachChild(node, mustWait) ?? false);
}

/** Forgets what a container held when its module was loaded: others have had it since. */
function reopen(run: Run, value: Value, name: ts.Node): void {
  const type = () => run.file.typeAt(name);
  if (value instanceof List && value.items.length === 0) value.filling = elementsOf(run, type);
  if (value instanceof Table) value.filling = elementsOf(run, type);
  if (value instanceof Item && value.base !== undefined) value.type = type;
  if (isLinear(value)) value.isOwned = false;
}
