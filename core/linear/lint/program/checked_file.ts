import { bare, isAccess } from "../syntax/syntax.ts";
import type { ValueReader } from "./value_reader.ts";
import { ts } from "./compiler.ts";

/** What a program of the compiler is asked by all its files. */
export interface Checked {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly reader: ValueReader;
}

/** A file of a program, and what the compiler knows of each node. */
export class CheckedFile {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly reader: ValueReader;
  readonly source: ts.SourceFile;
  readonly #types = new Map<ts.Node, ts.Type>();

  constructor({ program, checker, reader }: Checked, source: ts.SourceFile) {
    this.program = program;
    this.checker = checker;
    this.reader = reader;
    this.source = source;
  }

  typeAt(node: ts.Node): ts.Type {
    const type = this.#types.get(node) ?? this.checker.getTypeAtLocation(node);
    this.#types.set(node, type);
    return type;
  }

  /** Where the function, class or variable is declared that an expression names. */
  declarationAt(node: ts.Node): ts.Declaration | undefined {
    const named = bare(node);
    const name = isAccess(named) && "name" in named ? named.name : named;
    if (ts.isClassLike(name)) return name;
    const symbol = this.symbolAt(name);
    if (!symbol) return undefined;
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { declarations = [] } = isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return declarations.find((one) => "body" in one && one.body) ?? declarations[0];
  }

  /** What a name means; that of `{ port }` and `export { port }` is the variable. */
  symbolAt(name: ts.Node): ts.Symbol | undefined {
    const { parent } = name;
    if (parent && ts.isShorthandPropertyAssignment(parent)) {
      return this.checker.getShorthandAssignmentValueSymbol(parent);
    }
    return parent && ts.isExportSpecifier(parent)
      ? this.checker.getExportSpecifierLocalTargetSymbol(parent)
      : this.checker.getSymbolAtLocation(name);
  }

  /** Whether something is declared by the language itself. */
  isOfLanguage(declaration: ts.Node | undefined): boolean {
    return declaration !== undefined &&
      this.program.isSourceFileDefaultLibrary(declaration.getSourceFile());
  }
}
