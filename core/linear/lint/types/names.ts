import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { Binding, type Declaration, Scope } from "../syntax/binding.ts";
import * as s from "../syntax/syntax.ts";

/** The names of a file, each with the block that it lives in. */
export class Names {
  /** Every `object.name`, in the order of the text. */
  readonly accesses: s.Access[] = [];
  readonly #file: CheckedFile;
  readonly #scopes = new Map<ts.Node, Scope>();
  readonly #bindings = new Map<ts.Symbol, Binding>();

  constructor(file: CheckedFile) {
    this.#file = file;
    const assigned: ts.Identifier[] = [];
    this.#visit(file.source, new Scope(), assigned);
    for (const name of assigned) {
      const binding = this.bindingOf(name);
      if (binding) binding.isAssigned = true;
    }
  }

  /** The name that an expression is, if it is declared in this file. */
  bindingOf(node: ts.Node): Binding | undefined {
    const symbol = ts.isIdentifier(node) ? this.#file.symbolAt(node) : undefined;
    return symbol && this.#bindings.get(symbol);
  }

  /** The names of a block, a loop, a function. */
  scopeOf(node: ts.Node): Scope {
    return this.#scopes.get(node) ?? this.scopeOf(node.parent);
  }

  #visit(node: ts.Node, around: Scope, assigned: ts.Identifier[]): void {
    if (isDeclaration(node)) this.#declare(node.name, around);
    if (s.isAssignment(node) && ts.isIdentifier(node.left)) assigned.push(node.left);
    if (s.isAccess(node)) this.accesses.push(node);
    let scope = around;
    if (hasNames(node)) {
      const isOuter = !ts.isBlock(node) || ts.isClassStaticBlockDeclaration(node.parent);
      scope = new Scope(around, isOuter && (s.isFunction(node) || VAR_BLOCKS.has(node.kind)));
      this.#scopes.set(node, scope);
    }
    ts.forEachChild(node, (one) => this.#visit(one, scope, assigned));
  }

  #declare(name: ts.Identifier, around: Scope): void {
    const symbol = this.#file.symbolAt(name);
    if (!symbol || this.#bindings.has(symbol)) return; // declared again
    const origin = originOf(name);
    const scope = origin.declaredAs === "var" ? around.functionScope : around;
    const binding = new Binding(name, { ...origin, scope, name: name.text });
    this.#bindings.set(symbol, binding);
    scope.bindings.set(name, binding);
  }
}

/** Blocks that `var` belongs to, beside those of functions. */
const VAR_BLOCKS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Block, // of a class
  ts.SyntaxKind.ModuleBlock,
  ts.SyntaxKind.SourceFile,
]);

/** Whether names end with a node. A function and its body are one, a `catch` and its block, too. */
function hasNames(node: ts.Node): boolean {
  if (ts.isBlock(node)) return !s.isFunction(node.parent) && !ts.isCatchClause(node.parent);
  return s.isFunction(node) || ts.isSourceFile(node) || ts.isModuleBlock(node) ||
    ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node) ||
    ts.isCatchClause(node) || ts.isCaseBlock(node);
}

/** Whether a node declares a value under a name of its own. */
function isDeclaration(node: ts.Node): node is ts.Declaration & { readonly name: ts.Identifier } {
  const isOne = ts.isVariableDeclaration(node) || ts.isBindingElement(node) ||
    (ts.isParameter(node) && s.isFunction(node.parent)) || DECLARED_AS.has(node.kind);
  return isOne && !["", "this"].includes(s.nameOf((node as ts.NamedDeclaration).name));
}

const DECLARED_AS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.ClassDeclaration, "class"],
  [ts.SyntaxKind.EnumDeclaration, "enum"],
  [ts.SyntaxKind.FunctionDeclaration, "function"],
  [ts.SyntaxKind.ModuleDeclaration, "namespace"],
]);

/** How a name, or a pattern with names in it, is declared, and what comes in. */
function originOf(name: ts.Node): Declaration {
  const { parent } = name;
  if (ts.isBindingElement(parent)) return originOfPart(parent);
  if (ts.isVariableDeclaration(parent)) return originOfVariable(parent);
  if (!ts.isParameter(parent)) return { declaredAs: DECLARED_AS.get(parent.kind) ?? "" };
  const isProperty = ts.isParameterPropertyDeclaration(parent, parent.parent);
  const parameterOf = s.isFunction(parent.parent) ? parent.parent : undefined;
  return { declaredAs: isProperty ? "property" : "parameter", parameterOf };
}

function originOfVariable({ parent, initializer }: ts.VariableDeclaration): Declaration {
  if (ts.isCatchClause(parent)) return { declaredAs: "catch" };
  const declaredAs = keywordOf(parent);
  const statement = parent.parent;
  if (ts.isForOfStatement(statement)) {
    return { declaredAs, isPart: true, value: statement.expression };
  }
  return { declaredAs, value: initializer, isPart: ts.isForInStatement(statement) };
}

function keywordOf({ flags }: ts.Node): string {
  switch (flags & ts.NodeFlags.BlockScoped) {
    case ts.NodeFlags.AwaitUsing:
      return "await using";
    case ts.NodeFlags.Using:
      return "using";
    case ts.NodeFlags.Const:
      return "const";
    default:
      return flags & ts.NodeFlags.Let ? "let" : "var";
  }
}

function originOfPart(element: ts.BindingElement): Declaration {
  const pattern = element.parent;
  const whole = originOf(pattern);
  const key = s.partsOf(pattern).find(({ target }) => target === element.name)?.key ?? "";
  const value = s.pairedValues(whole.value)?.get(key);
  return value ? { ...whole, value, isPart: false } : { ...whole, isPart: true, partName: key };
}
